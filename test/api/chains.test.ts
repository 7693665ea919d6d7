// Chains over HTTP, in the library and by command, on the simulated chain.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productionProblems } from '../../src/config.ts';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { useFolder, usanceHere } from '../cli/cli.ts';
import { TEST_KEY } from '../support/database.ts';
import { problemIn } from './problem.ts';
import { useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const folder = useFolder();
const state: { worker?: Engine } = {};
const command = (...args: string[]) =>
  usanceHere(folder, args, { DATABASE_URL: store.runtimeUrl, USANCE_ENCRYPTION_KEY: TEST_KEY });

beforeAll(async () => {
  state.worker = await createEngine({
    databaseUrl: store.runtimeUrl,
    encryption: { key: TEST_KEY },
    chains: { sandbox: true },
  });
});
afterAll(() => state.worker?.close());

describe('chains', () => {
  test('are none before a worker measures one', async () => {
    expect((await store.send('GET /chains')).body).toEqual({ data: [], next_cursor: null });
  });

  test('are shown with their health, and their history page by page', async () => {
    const health = state.worker?.loops.find(({ name }) => name === 'health');
    await health?.runOnce();
    await health?.runOnce();
    const { body } = await store.send('GET /chains');
    expect(body).toEqual({
      data: [
        {
          name: 'sandbox',
          status: 'healthy',
          stale: false,
          assets: [{ code: 'USDC', decimals: 6, minimum_units: '1' }],
          health: {
            status: 'healthy',
            avg_confirmation_seconds: expect.any(Number) as number,
            rpc_error_rate: 0,
            p95_latency_ms: expect.any(Number) as number,
            congestion_score: 0,
            estimated_fee_usd: expect.any(Number) as number,
            failure: null,
            taken_at: expect.stringMatching(/Z$/) as string,
          },
        },
      ],
      next_cursor: null,
    });
    const first = await store.send('GET /chains/sandbox/history?limit=1');
    expect(first.list('data')).toHaveLength(1);
    const rest = await store.send(`GET /chains/sandbox/history?limit=1&cursor=${first.word('next_cursor')}`);
    expect(rest.body).toMatchObject({ data: [{ status: 'healthy' }], next_cursor: null });
    expect(problemIn(await store.send('GET /chains/solona/history')).code).toBe('CHAIN_NOT_FOUND');
  });

  test('are printed by the command, and unhealthy once nothing measures them', async () => {
    expect((await command('chains')).out).toMatch(/^sandbox +healthy +USDC\/6 +fee .* USD, .* s, 0 % failed calls/);
    await store.owner.query(`update usance.chain_health_snapshots set taken_at = taken_at - interval '46 seconds'`);
    expect((await command('chains', 'list', '--json')).json()).toMatchObject({
      chains: [{ name: 'sandbox', status: 'unhealthy', isStale: true, newest: { status: 'healthy' } }],
    });
    const { findings } = (await command('doctor', '--json')).json<{ findings: { name: string }[] }>();
    expect(findings).toContainEqual({
      name: 'chains',
      level: 'warn',
      says: 'health not measured recently: sandbox',
      todo: expect.stringContaining('usance worker') as string,
    });
    expect((await command('chains', 'history', 'solana')).err).toBe(
      'usance: there is no chain "solana"; GET /v1/chains lists the chains of this deployment (CHAIN_NOT_FOUND)\n' +
        'usance: "usance chains" lists the chains\n',
    );
    expect(await state.worker?.monitoring.metrics()).toMatch(/^usance_chains_unhealthy 1$/m);
  });

  test('are measured by "usance worker --only health"', async () => {
    const once = ['worker', '--only', 'health', '--once', '--json'];
    expect(
      await usanceHere(folder, once, {
        DATABASE_URL: store.runtimeUrl,
        USANCE_ENCRYPTION_KEY: TEST_KEY,
        USANCE_SANDBOX: '1',
      }),
    ).toMatchObject({ code: 0 });
    expect((await command('chains', 'history', 'sandbox', '--json')).json()).toMatchObject({
      chain: 'sandbox',
      snapshots: [{ status: 'healthy' }, { status: 'healthy' }, { status: 'healthy' }],
    });
  });

  test('the simulated one is refused in production', () => {
    const environment = { NODE_ENV: 'production', DATABASE_URL: store.runtimeUrl, USANCE_SANDBOX: '1' };
    expect(productionProblems(['worker'], environment)).toEqual([
      'USANCE_SANDBOX is set, which NODE_ENV=production refuses',
    ]);
  });
});
