// Finds a resource by its id of any kind, or by a name that an index knows: the ref of an account, the reference of a payment or schedule. Every
// lookup is one row of one index, whatever the size of the tenant. A caller finds only what it may read.
import type { Sql } from '../../db/index.ts';
import { readEventTypes } from '../../events/index.ts';
import { findExecution, findJob } from '../../jobs/index.ts';
import type { IdKind, Uuid } from '../../kernel/index.ts';
import { ID_PREFIX, formatAmount, fromTypeId, isTypeId, isUuid } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { accountRefs, findAccounts, readTransfer } from '../../ledger/index.ts';
import type { Payment } from '../../payments/index.ts';
import { findPayments, readPayments } from '../../payments/index.ts';
import type { Schedule } from '../../schedules/index.ts';
import { findSchedules, readOccurrences, readSchedules } from '../../schedules/index.ts';
import type { WhySight } from '../why/index.ts';

export const SEARCH_KINDS = [
  'payment',
  'account',
  'schedule',
  'subscription',
  'occurrence',
  'execution',
  'job',
  'event',
  'transfer',
] as const satisfies readonly IdKind[];
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchHit {
  readonly kind: SearchKind;
  readonly id: Uuid;
  readonly title: string;
  readonly detail: string;
  readonly matched: 'id' | 'reference' | 'ref';
}

/** Scopes of the caller. */
export interface SearchSight {
  readonly ledger: boolean;
  readonly payments: boolean;
  readonly jobs: boolean;
  readonly events: boolean;
}

/** By the scopes of a caller. */
export const sightOf = (may: (of: 'ops' | keyof SearchSight) => boolean): WhySight & SearchSight => ({
  ops: may('ops'),
  ledger: may('ledger'),
  payments: may('payments'),
  jobs: may('jobs'),
  events: may('events'),
});

const LONGEST = 200;
const REFERENCE_HITS = 10;

type Found = Omit<SearchHit, 'matched'>;
type Look = (id: Uuid) => Promise<readonly Found[]>;

export async function search(context: VerbContext, sight: SearchSight, given: string): Promise<SearchHit[]> {
  const text = given.trim();
  if (text === '' || text.length > LONGEST || text.includes('\0')) return [];
  const looks = looksOf(context, sight);
  const kind = SEARCH_KINDS.find((one) => isTypeId(one, text));
  if (kind !== undefined) return matched('id', (await looks[kind]?.(fromTypeId(kind, text))) ?? []);
  if (isUuid(text)) {
    const found = await Promise.all(Object.values(looks).map((look) => look(text)));
    return matched('id', found.flat());
  }
  const { sql, tenantId } = context;
  const [accounts, payments, schedules] = await Promise.all([
    sight.ledger ? findAccounts(sql, tenantId, [text]) : [],
    sight.payments ? paymentsOf(context, text) : [],
    sight.payments ? findSchedules(sql, tenantId, { reference: text }, { limit: REFERENCE_HITS, before: null }) : [],
  ]);
  return [
    ...matched('ref', accounts.filter(({ ref }) => ref === text).map(accountHit)),
    ...matched('reference', await showPayments(sql, payments)),
    ...matched(
      'reference',
      schedules.map(({ schedule }) => scheduleHit(schedule)),
    ),
  ];
}

const matched = (by: SearchHit['matched'], found: readonly Found[]): SearchHit[] =>
  found.map((hit) => ({ ...hit, matched: by }));

function looksOf(context: VerbContext, sight: SearchSight): Partial<Record<SearchKind, Look>> {
  const { sql, tenantId } = context;
  const schedules: Look = async (id) =>
    (await readSchedules(sql, [{ tenantId, id }])).map(({ schedule }) => scheduleHit(schedule));
  return {
    ...(sight.ledger
      ? {
          account: async (id) =>
            (await findAccounts(sql, tenantId, [id])).filter((one) => one.id === id).map(accountHit),
          transfer: async (id) =>
            [(await readTransfer(sql, tenantId, id)) ?? []].flat().map(({ amount, asset, kind }) => ({
              kind: 'transfer',
              id,
              title: formatAmount(amount, asset),
              detail: kind,
            })),
        }
      : {}),
    ...(sight.payments
      ? {
          payment: async (id) => showPayments(sql, await readPayments(sql, [{ tenantId, id }])),
          schedule: async (id) => (await schedules(id)).filter(({ kind }) => kind === 'schedule'),
          subscription: async (id) => (await schedules(id)).filter(({ kind }) => kind === 'subscription'),
          occurrence: async (id) =>
            (await readOccurrences(sql, [{ tenantId, id }])).map(({ status, reason }) => ({
              kind: 'occurrence',
              id,
              title: `Run of a schedule`,
              detail: reason === null ? status : `${status}: ${reason}`,
            })),
        }
      : {}),
    ...(sight.jobs
      ? {
          job: async (id) => {
            const job = await findJob(sql, tenantId, id);
            return job ? [{ kind: 'job', id, title: job.name, detail: job.enabled ? 'enabled' : 'disabled' }] : [];
          },
          execution: async (id) => {
            const execution = await findExecution(sql, tenantId, id);
            return execution ? [{ kind: 'execution', id, title: 'Execution of a job', detail: execution.status }] : [];
          },
        }
      : {}),
    ...(sight.events
      ? {
          event: async (id) =>
            [...(await readEventTypes(sql, [{ tenantId, id }]))].map(([, type]) => ({
              kind: 'event',
              id,
              title: type,
              detail: 'event',
            })),
        }
      : {}),
  } satisfies Partial<Record<SearchKind, Look>>;
}

const paymentsOf = ({ sql, tenantId }: VerbContext, text: string): Promise<Payment[]> =>
  findPayments(sql, tenantId, { reference: { namespace: '', text } }, { limit: REFERENCE_HITS, before: null });

async function showPayments(sql: Sql, payments: readonly Payment[]): Promise<Found[]> {
  const parties = payments.flatMap(({ tenantId, payerId, legs }) =>
    [payerId, ...legs.map(({ accountId }) => accountId)].map((id) => ({ tenantId, id })),
  );
  const refs = parties.length === 0 ? new Map<Uuid, string>() : await accountRefs(sql, parties);
  return payments.map(({ id, amount, asset, status, payerId, legs }) => ({
    kind: 'payment',
    id,
    title: formatAmount(amount, asset),
    detail: `${refs.get(payerId) ?? payerId} → ${legs.map((leg) => refs.get(leg.accountId) ?? leg.accountId).join(' + ')}, ${status}`,
  }));
}

const accountHit = ({ id, ref, kind, status }: { id: Uuid; ref: string; kind: string; status: string }): Found => ({
  kind: 'account',
  id,
  title: ref,
  detail: `${kind}, ${status}`,
});

const scheduleHit = ({ id, kind, reference, amount, asset, status }: Schedule): Found => {
  const shown = kind === 'subscription' ? 'subscription' : 'schedule';
  return {
    kind: shown,
    id,
    title: reference ?? `${ID_PREFIX[shown]} of ${formatAmount(amount, asset)}`,
    detail: status,
  };
};
