// Allowances as an application sees them. There is one for a guardian and a child, so the two name it, and making it twice is
// refused without a key.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { readScheduleDue } from '../due-store.ts';
import type { Local } from '../rules/index.ts';
import { readSchedules } from '../store.ts';
import type { Allowance } from './allowance.ts';
import { showAllowance } from './allowance.ts';
import type { AllowanceEdit, Names } from './change.ts';
import { deleteAllowance, editAllowance, noAllowance } from './change.ts';
import type { AllowanceOrder } from './create.ts';
import { createAllowance } from './create.ts';
import type { AllowanceCredit } from './credits.ts';
import { listCredits } from './credits.ts';
import { findFamily, findGuardian, findJunior } from './people.ts';
import type { AllowanceRow } from './store.ts';
import { findNewest, listAllowances } from './store.ts';

export interface AllowanceVerbs {
  /** Refused where the child is another's, and where the two have one. */
  createAllowance(order: AllowanceOrder): Promise<Allowance>;
  allowance(guardian: string, junior: string): Promise<Allowance>;
  /** Of a guardian, newest first. */
  allowances(guardian: string, page?: { limit?: number; before?: Uuid }): Promise<Allowance[]>;
  /** Those that a child is paid, by each of its guardians, newest first. */
  allowancesOf(junior: string, page?: { limit?: number; before?: Uuid }): Promise<Allowance[]>;
  /** What became of each date of a pair's allowance, newest first; of the last allowance, where it was deleted. */
  allowanceCredits(
    guardian: string,
    junior: string,
    page?: { limit?: number; before?: Local },
  ): Promise<AllowanceCredit[]>;
  /** ON pays nothing back; OFF also stops a credit that is being tried again. */
  editAllowance(guardian: string, junior: string, edit: AllowanceEdit): Promise<Allowance>;
  /** Returns it as it was. */
  deleteAllowance(guardian: string, junior: string): Promise<Allowance>;
}

const PAGE = 100;

export function allowanceVerbs(context: VerbContext): AllowanceVerbs {
  const { tenantId, caller, secrets, sql } = context;
  const maker = { tenantId, caller, secrets };

  const find = async (on: Sql, names: Names): Promise<Allowance> => {
    const { guardian, junior } = await findFamily(on, tenantId, names);
    const rows = junior
      ? await listAllowances(on, tenantId, { guardianId: guardian.id, juniorId: junior.id }, { limit: 1 })
      : [];
    const [shown] = await views(on, tenantId, rows);
    return shown ?? noAllowance(names);
  };

  return {
    async createAllowance(order) {
      await context.run((tx, clock) => createAllowance(tx, clock, maker, order));
      return find(sql, order);
    },
    allowance: (guardian, junior) => find(sql, { guardian, junior }),
    async allowances(guardian, page = {}) {
      const { id } = await findGuardian(sql, tenantId, guardian);
      const { limit = PAGE, before = null } = page;
      return views(sql, tenantId, await listAllowances(sql, tenantId, { guardianId: id }, { limit, before }));
    },
    async allowancesOf(junior, page = {}) {
      const { id } = await findJunior(sql, tenantId, junior);
      const { limit = PAGE, before = null } = page;
      return views(sql, tenantId, await listAllowances(sql, tenantId, { juniorId: id }, { limit, before }));
    },
    async allowanceCredits(guardian, junior, page = {}) {
      const names = { guardian, junior };
      const family = await findFamily(sql, tenantId, names);
      if (!family.junior) return noAllowance(names);
      const pair = { tenantId, guardianId: family.guardian.id, juniorId: family.junior.id };
      const id = await findNewest(sql, pair);
      const [stored] = id === null ? [] : await readSchedules(sql, [{ tenantId, id }]);
      if (!stored) return noAllowance(names);
      return listCredits(sql, stored.schedule, { limit: page.limit ?? PAGE, before: page.before ?? null });
    },
    async editAllowance(guardian, junior, edit) {
      await context.run((tx, clock) => editAllowance(tx, clock, maker, { guardian, junior }, edit));
      return find(sql, { guardian, junior });
    },
    deleteAllowance: (guardian, junior) =>
      context.run(async (tx, clock) => {
        const was = await find(tx, { guardian, junior });
        await deleteAllowance(tx, clock, maker, { guardian, junior });
        return { ...was, status: 'OFF', nextRunAt: null };
      }),
  };
}

async function views(sql: Sql, tenantId: Uuid, rows: readonly AllowanceRow[]): Promise<Allowance[]> {
  if (rows.length === 0) return [];
  const keys = rows.map(({ scheduleId }) => ({ tenantId, id: scheduleId }));
  const stored = new Map((await readSchedules(sql, keys)).map((each) => [each.schedule.id, each]));
  const due = new Map((await readScheduleDue(sql, keys)).map((each) => [each.scheduleId, each.position]));
  return rows.flatMap((row) => {
    const found = stored.get(row.scheduleId);
    const position = due.get(row.scheduleId);
    if (!found) return [];
    const next = position ? found.timetable.next(position) : null;
    return [showAllowance({ schedule: found.schedule, next }, row, row.lastRunAt)];
  });
}
