// An engine that can be stopped dead at any statement: its one connection goes by a name of its own, so that its session
// can be ended from outside, and every statement it is about to send passes a hook.
import type { Sql, StatementHook } from '../../src/db/index.ts';
import { asNumber } from '../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { LoopObserver } from '../../src/kernel/index.ts';
import { TEST_KEY } from '../support/database.ts';
import { IDLE_CHAIN } from './idle-chain.ts';
import { endSessions as endAll } from '../support/sessions.ts';

export interface Program {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  /** For what an application does by itself, in the same session's name. */
  readonly url: string;
}

export interface Victim extends Program {
  /** From now on every statement passes here before it is sent. */
  watch(hook: StatementHook): void;
  close(): Promise<void>;
}

const NAME = 'usance victim';

export async function startVictim(url: string, tenantId: string, loops: LoopObserver = {}): Promise<Victim> {
  const named = new URL(url);
  named.searchParams.set('application_name', NAME);
  let current: StatementHook = () => undefined;
  const usance = await createEngine({
    databaseUrl: named.href,
    migrate: false,
    poolSize: 1,
    encryption: { key: TEST_KEY },
    chains: IDLE_CHAIN,
    loops,
    onStatement: (text) => current(text),
  });
  return {
    usance,
    tenant: await usance.tenant(tenantId),
    url: named.href,
    watch: (hook) => (current = hook),
    close: () => usance.close(),
  };
}

/** Ends the victim's sessions, and returns when the server has let go of all they held. */
export async function endSessions(owner: Sql): Promise<void> {
  const found = await owner.query(
    `select pid from pg_stat_activity where datname = current_database() and application_name = $1::text`,
    [NAME],
  );
  await endAll(
    owner,
    found.map((row) => asNumber(row['pid'])),
  );
}

/**
 * What a process does that was killed: from this statement on, nothing. It reads as a lost connection, because a dead process
 * does not go on to blame a row for it either.
 */
export class Died extends Error {
  constructor() {
    super('Connection terminated: the process died here');
  }
}
