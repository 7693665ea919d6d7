// What the rows of a chunk name: plans, accounts, and what an earlier run imported under their references. A row that was imported is
// recognised by its text, so that a finished file stays finished when a second plan takes the name that it uses; or by its values, so
// that the same row may name its plan or payer in another way.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../db/index.ts';
import type { Uuid } from '../../../kernel/index.ts';
import { Refusal, fromTypeId, isUuid, refuse } from '../../../kernel/index.ts';
import type { StoredAccount } from '../../../ledger/index.ts';
import { findAccounts } from '../../../ledger/index.ts';
import type { Plan } from '../plan.ts';
import { findPlans } from '../store.ts';
import type { ImportRow } from './row.ts';
import type { StoredImport } from './store.ts';
import { findReferences } from './store.ts';

export interface LookedUp {
  readonly plans: { readonly byId: ReadonlyMap<Uuid, Plan>; readonly byName: ReadonlyMap<string, readonly Plan[]> };
  readonly accounts: {
    readonly byId: ReadonlyMap<Uuid, StoredAccount>;
    readonly byRef: ReadonlyMap<string, StoredAccount>;
  };
  /** By reference; null where another schedule has it. */
  readonly imported: ReadonlyMap<string, StoredImport | null>;
}

export async function lookUp(tx: Transaction, tenantId: Uuid, rows: readonly ImportRow[]): Promise<LookedUp> {
  const references = rows.map(({ reference }) => reference);
  const imported = await findReferences(tx, tenantId, references);
  const names = [...new Set(rows.map(({ plan }) => plan))];
  const ids = [...names.map(idOf), ...[...imported.values()].map((stored) => stored?.planId ?? null)];
  const plans = await findPlans(tx, tenantId, { ids: [...new Set(ids.filter((id) => id !== null))], names });
  const parties = [...rows.map(({ payer }) => payer), ...plans.map(({ payeeId }) => payeeId)];
  const accounts = await findAccounts(tx, tenantId, [...new Set(parties)]);
  return {
    plans: { byId: new Map(plans.map((plan) => [plan.id, plan])), byName: Map.groupBy(plans, ({ name }) => name) },
    accounts: {
      byId: new Map(accounts.map((account) => [account.id, account])),
      byRef: new Map(accounts.map((account) => [account.ref, account])),
    },
    imported,
  };
}

export interface Resolved {
  readonly plan: Plan;
  readonly payer: StoredAccount;
  /** Of the row's values, with the ids of plan and payer: however the row names them. */
  readonly digest: string;
}

export function resolve(row: ImportRow, { plans, accounts }: LookedUp): Resolved {
  const plan = planOf(row, plans);
  const payer =
    accounts.byId.get(row.payer) ??
    accounts.byRef.get(row.payer) ??
    refuse('ACCOUNT_NOT_FOUND', { account: row.payer });
  const { nextDueAt, startedAt, chargesMade, paid, status } = row;
  const values = [plan.id, payer.id, nextDueAt, startedAt, chargesMade, paid?.toString() ?? null, status];
  return { plan, payer, digest: createHash('sha256').update(JSON.stringify(values)).digest('hex') };
}

/** What an earlier run made of the row; null where it is new. Throws a Refusal where its reference is another subscription's. */
export function importedBefore(row: ImportRow, found: LookedUp): StoredImport | null {
  const stored = found.imported.get(row.reference);
  if (stored === undefined) return null;
  if (stored === null) return refuse('IMPORT_CONFLICT/other_schedule', { reference: row.reference });
  if (stored.rowDigest === row.digest || stored.valuesDigest === resolve(row, found).digest) return stored;
  return refuse('IMPORT_CONFLICT/other_values', { reference: row.reference });
}

/** By id, in either form, or by name where one plan has it. */
function planOf(row: ImportRow, { byId, byName }: LookedUp['plans']): Plan {
  const id = idOf(row.plan);
  const known = id === null ? undefined : byId.get(id);
  const found = new Set([...(known ? [known] : []), ...(byName.get(row.plan) ?? [])]);
  const [plan] = found;
  if (!plan) return refuse('PLAN_NOT_FOUND', { plan: row.plan });
  return found.size === 1 ? plan : refuse('IMPORT_INVALID/several_plans', { plan: row.plan });
}

const idOf = (text: string): Uuid | null => (text.startsWith('plan_') ? idOrNull(text) : isUuid(text) ? text : null);

function idOrNull(text: string): Uuid | null {
  try {
    return fromTypeId('plan', text);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
