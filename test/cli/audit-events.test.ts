// Anchors: kept by the loop and by the command, and what verify makes of them.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Anchor } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { sealAnew } from '../audit/tamper.ts';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const file = join(folder, 'anchors.jsonl');
const told: Anchor[] = [];
const world = useUsance({ anchors: { file, onAnchor: (anchor) => told.push(anchor) } });
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
const loop = (name: string) => world.usance.loops.find((one) => one.name === name)?.runOnce();
const lines = async (): Promise<string[]> => (await readFile(file, 'utf8')).trimEnd().split('\n');

test('list shows who did what, newest first', async () => {
  const { code, out } = await run('audit-events', 'list');
  expect(code).toBe(0);
  expect(out).toMatch(/^\d{4}-\S+Z +library +ASSET_CREATED +/m);
  const found = (await run('audit-events', 'list', '--action', 'ASSET_CREATED', '--json')).json<{ events: object[] }>();
  expect(found.events).toEqual([
    expect.objectContaining({ action: 'ASSET_CREATED', id: expect.stringMatching(/^evt_/) }),
  ]);
  expect((await run('audit-events', 'list', '--actor', 'nobody')).out).toBe('No entry.\n');
  expect((await run('audit-events', 'list', '--limit', '0')).code).toBe(2);
});

test('the loop keeps where each chain ends, on the disk and in the log, when it has grown', async () => {
  await loop('sequencer');
  await loop('anchors');
  await loop('anchors');
  expect(told).toEqual([
    { tenant: world.tenant.id, seq: 2n, hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: expect.any(String) },
  ]);
  expect((await lines()).map((line) => JSON.parse(line) as unknown)).toEqual([{ ...told[0], seq: '2' }]);
});

test('a command keeps them too, behind a line that was cut off', async () => {
  await appendFile(file, '{"tenant":"0190');
  await world.tenant.openAccount({ ref: 'alice' });
  await loop('sequencer');
  const { code, out } = await run('audit-events', 'anchor', '--file', file);
  expect(code).toBe(0);
  expect(out).toMatch(/shop +3 +[0-9a-f]{64}\n1 anchor appended to/);
  expect(await lines()).toHaveLength(3);
  expect((await run('audit-events', 'anchor')).out).toContain('Not saved: give a --file');
});

test('verify holds the record against them', async () => {
  const { code, out } = await run('verify', '--anchor', file);
  expect(code).toBe(0);
  expect(out).toMatch(/ok +every anchor is a link of its tenant’s chain +\(2 rows\)/);
  await world.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`update usance.events set actor = 'nobody' where type = 'asset.created'`);
    await sealAnew(tx);
  });
  expect(await run('verify')).toMatchObject({ code: 0 });
  const found = await run('verify', '--anchor', file);
  expect(found.code).toBe(1);
  expect(found.out).toMatch(/tenant shop · seq 2 · at .* · found another hash/);
});

test('what is no anchor is refused, with its line', async () => {
  await appendFile(file, '{"tenant":"shop","seq":"1"}\n');
  expect(await run('verify', '--anchor', file)).toMatchObject({
    code: 3,
    err: expect.stringContaining('anchors.jsonl:4'),
  });
  expect(await run('verify', '--anchor', join(folder, 'nowhere'))).toMatchObject({ code: 3 });
});

test('list shows the reason that a caller gave, and the timeline of a payment does', async () => {
  const jo = await world.usance.tenant('shop', { actor: 'support:jo', reason: 'a complaint\u001b[2J' });
  await jo.openAccount({ ref: 'ann' });
  await jo.openAccount({ ref: 'ben' });
  await jo.deposit({ account: 'ann', asset: 'USD', amount: 500, idempotencyKey: 'deposit' });
  const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 100, delay: '1h', idempotencyKey: 'payment' };
  const { id } = await jo.createPayment(order);
  const { out } = await run('audit-events', 'list', '--action', 'PAYMENT_CREATED');
  expect(out).toMatch(/ support:jo +PAYMENT_CREATED +pay_\S+ +a complaint\\u001b\[2J$/m);
  const all = (await run('audit-events', 'list', '--json')).json<{ events: { actor: string; reason: unknown }[] }>();
  for (const { actor, reason } of all.events)
    expect(reason).toBe(actor === 'support:jo' ? 'a complaint\u001b[2J' : null);
  expect((await run('payments', 'get', toTypeId('payment', id))).out).toMatch(
    /payment.created +support:jo +reason: a complaint/,
  );
});
