// Every verb on allowances, ready to be interrupted. They have no key: the pair is one, and whoever asks again looks first.
import type { TenantHandle } from '../../src/engine.ts';
import { refusalOf } from '../support/refusal.ts';
import type { Ground, Scenario } from './ground.ts';
import { runLoop } from './ground.ts';
import type { Program } from './victim.ts';

const ORDER = { guardian: 'poor', junior: 'kid', asset: 'USD', amount: 100, frequency: 'DAILY', status: 'ON' } as const;
const make = (tenant: TenantHandle): Promise<{ id: string }> => tenant.createAllowance(ORDER);
const find = ({ tenant }: Program): Promise<string> => refusalOf(tenant.allowance('poor', 'kid'));

const child = ({ tenant }: Ground): Promise<unknown> => tenant.openAccount({ ref: 'kid', guardian: 'poor' });

/** An allowance whose credit the guardian could not pay, so that it is tried again. */
async function tried(ground: Ground): Promise<void> {
  await child(ground);
  const { id } = await make(ground.tenant);
  // As if it had begun today: the trigger that forbids going back is off meanwhile.
  const today = new Date().toISOString().slice(0, 10);
  await ground.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedules set timing = timing || '{"start": "${today}"}' where id = '${id}';
     update usance.schedule_due set due_at = clock_timestamp() - interval '1 second', passed = 0,
       passed_slot = timestamp '${today}' - interval '1 millisecond'
     where schedule_id = '${id}'; commit`,
  );
  await runLoop(ground, 'scheduler');
  await runLoop(ground, 'processor');
}

export const ALLOWANCE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'make an allowance': {
    verbs: ['createAllowance'],
    slow: true,
    async prepare(ground) {
      await child(ground);
      return {
        act: ({ tenant }) => make(tenant),
        again: async (engine) => (await find(engine)) === 'not refused' || make(engine.tenant),
      };
    },
  },
  'turn an allowance off while it is tried again': {
    verbs: ['editAllowance'],
    slow: true,
    async prepare(ground) {
      await tried(ground);
      return {
        act: ({ tenant }) => tenant.editAllowance('poor', 'kid', { status: 'OFF' }),
        again: async ({ tenant }) =>
          (await tenant.allowance('poor', 'kid')).status === 'OFF' ||
          tenant.editAllowance('poor', 'kid', { status: 'OFF' }),
      };
    },
  },
  'delete an allowance': {
    verbs: ['deleteAllowance'],
    slow: true,
    async prepare(ground) {
      await tried(ground);
      const act = ({ tenant }: Program): Promise<unknown> => tenant.deleteAllowance('poor', 'kid');
      return { act, again: async (engine) => (await find(engine)) !== 'not refused' || act(engine) };
    },
  },
};
