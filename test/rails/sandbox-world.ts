// A sandbox chain as a world of the conformance suite. Every world has its own test clock, so its own chain.
import { afterAll, beforeAll } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { Faults, Rail, Sandbox } from '../../src/rails/index.ts';
import { FEE_ASSET, openSandbox, walletKey } from '../../src/rails/index.ts';
import { useDatabase } from '../support/database.ts';
import type { RailWorld, WorldFault } from './conformance.ts';

const FINALITY = 5;
const VALIDITY = 60;
const BLOCK_MS = 1000;

const FAULTS: Readonly<Record<WorldFault, Partial<Faults>>> = {
  none: {},
  endpoints_fail: { error: 1 },
  endpoints_silent: { silent: 1 },
  answers_lost: { silentAfter: 1 },
  drop: { drop: 1 },
  expire: { expire: 1 },
  reorg: { reorg: 1 },
  already_known: { wrong: 1, wrongAnswers: ['already_known'], wrongEndpoints: [0, 1] },
  nonce_too_low: { wrong: 1, wrongAnswers: ['nonce_too_low'], wrongEndpoints: [0, 1] },
  one_null_receipt: { wrong: 1, wrongAnswers: ['null_receipt'] },
  one_future_height: { wrong: 1, wrongAnswers: ['future_height'] },
  one_false_final: { wrong: 1, wrongAnswers: ['false_final'] },
};

export interface SandboxWorld extends RailWorld {
  readonly sandbox: Sandbox;
}

export interface SandboxWorlds {
  readonly url: string;
  readonly sandbox: Sandbox;
  create(change?: (rail: Rail) => Rail): Promise<SandboxWorld>;
}

export function useSandbox(): SandboxWorlds {
  const database = useDatabase();
  const state: { sandbox?: Sandbox } = {};
  const opened = (): Sandbox => {
    if (!state.sandbox) throw new Error('use the sandbox inside a test');
    return state.sandbox;
  };
  beforeAll(() => {
    const options = { finalityBlocks: FINALITY, validityBlocks: VALIDITY, blockMs: BLOCK_MS };
    state.sandbox = openSandbox({ url: database.runtimeUrl, production: false, seed: 'conformance', ...options });
  });
  afterAll(() => state.sandbox?.close());
  return {
    url: database.runtimeUrl,
    get sandbox() {
      return opened();
    },
    async create(change = (rail) => rail) {
      const sandbox = opened();
      const clockId = newId();
      let now = Date.parse('2026-03-01T00:00:00Z');
      const clock = (): Clock => ({ clockId, now: new Date(now) });
      await sandbox.fund(clock(), sandbox.rail.wallet, 'USDC', 1_000_000_000_000n);
      await sandbox.fund(clock(), sandbox.rail.wallet, FEE_ASSET.code, 1_000_000_000_000n);
      // Not at the first block: a lagging endpoint needs blocks to be behind.
      now += 100 * BLOCK_MS;
      return {
        sandbox,
        rail: change(sandbox.rail),
        payee: walletKey('payee').address,
        clock,
        blocks: (count) => void (now += count * BLOCK_MS),
        finalityBlocks: FINALITY,
        validityBlocks: VALIDITY,
        fault: (fault) => sandbox.setFaults(clock(), FAULTS[fault]),
        landings: async (memo) =>
          (await sandbox.landed(clock())).flatMap((one) =>
            one.memo === memo ? [{ fee: one.fee ?? 0n, units: one.units }] : [],
          ),
      };
    },
  };
}
