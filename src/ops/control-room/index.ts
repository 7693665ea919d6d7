// Reads of the dashboard beside lists: each with a bounded cost, whatever the size of the tenant.
import type { ChainStatus } from '../../events/index.ts';
import { readChainStatus } from '../../events/index.ts';
import { groupExecutionLetters } from '../../jobs/index.ts';
import type { LetterGroup } from '../../db/index.ts';
import { LETTERS_GROUPED } from '../../db/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { BalanceHistory, BalanceHistoryOrder, VerbContext } from '../../ledger/index.ts';
import { balanceHistory, findAccounts, findAsset } from '../../ledger/index.ts';
import type { DueAhead } from '../../payments/index.ts';
import { groupPaymentLetters, readDueAhead, readHeldChanges } from '../../payments/index.ts';
import { groupOccurrenceLetters } from '../../schedules/index.ts';
import type { LetterKind } from '../dead-letters.ts';
import { readLoops } from '../loop-store.ts';
import type { SearchHit, SearchSight } from './search.ts';
import { search } from './search.ts';
import type { Series, SeriesPeriod } from './series.ts';
import { series } from './series.ts';
import type { Settings } from './settings.ts';
import { settings } from './settings.ts';

export { SEARCH_KINDS, sightOf } from './search.ts';
export type { SearchHit, SearchKind, SearchSight } from './search.ts';
export { SERIES_PERIODS } from './series.ts';
export type { Series, SeriesPeriod, SeriesPoint } from './series.ts';
export type { Settings } from './settings.ts';

export interface DeadLetterGroup extends LetterGroup {
  readonly kind: LetterKind;
}

export interface DeadLetterGroups {
  /** Largest first. */
  readonly groups: readonly DeadLetterGroup[];
  /** False: of one kind there are more than 100,000, and only the newest are counted. */
  readonly countedAll: boolean;
}

export interface AuditChain extends ChainStatus {
  /** When the events of new seals were last compared with their hashes. */
  readonly checkedAt: Date | null;
}

export interface ControlRoomVerbs {
  /** Outcomes, lateness and backlog in equal steps, up to now. */
  series(period: SeriesPeriod): Promise<Series>;
  /** Payments that become due within some hours. */
  dueAhead(options: {
    hours: number;
    shown: number;
  }): Promise<DueAhead & { readonly from: Date; readonly until: Date }>;
  /** Dead letters by cause. */
  deadLetterGroups(): Promise<DeadLetterGroups>;
  /** The balance of an account over time, in equal steps. */
  balanceHistory(account: string, order: BalanceHistoryOrder): Promise<BalanceHistory>;
  /** Resources by their id, reference or ref. */
  search(text: string): Promise<SearchHit[]>;
  /** The end of the hash chain of the audit log. */
  auditChain(): Promise<AuditChain>;
  settings(): Promise<Settings>;
}

const HOUR_MS = 3_600_000;

export function controlRoomVerbs(
  context: VerbContext,
  { approvalWithinMs, sight }: { readonly approvalWithinMs: number; readonly sight: SearchSight },
): ControlRoomVerbs {
  const { sql, tenantId } = context;
  return {
    series: (period) => series(context, period),
    async dueAhead({ hours, shown }) {
      const clock = await context.moment(sql);
      const until = new Date(clock.now.getTime() + hours * HOUR_MS);
      return { ...(await readDueAhead(sql, tenantId, clock, { until, shown })), from: clock.now, until };
    },
    async deadLetterGroups() {
      const [payments, occurrences, executions] = await Promise.all([
        groupPaymentLetters(sql, tenantId),
        groupOccurrenceLetters(sql, tenantId),
        groupExecutionLetters(sql, tenantId),
      ]);
      const of = (kind: LetterKind, groups: readonly LetterGroup[]) => groups.map((group) => ({ ...group, kind }));
      const total = (groups: readonly LetterGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);
      return {
        groups: [...of('payment', payments), ...of('occurrence', occurrences), ...of('execution', executions)].toSorted(
          (a, b) => b.count - a.count || (a.code < b.code ? -1 : 1),
        ),
        countedAll: [payments, occurrences, executions].every((groups) => total(groups) < LETTERS_GROUPED),
      };
    },
    async balanceHistory(name, order) {
      const [account] = await findAccounts(sql, tenantId, [name]);
      if (!account) return refuse('ACCOUNT_NOT_FOUND', { account: name });
      const asset = (await findAsset(sql, tenantId, order.asset))?.name;
      if (asset === undefined) return refuse('ASSET_NOT_FOUND', { asset: order.asset, param: 'asset' });
      const key = { tenantId, accountId: account.id, asset };
      return balanceHistory(context, account, { ...order, asset }, (window) => readHeldChanges(sql, key, window));
    },
    search: (text) => search(context, sight, text),
    async auditChain() {
      const [chain, loops] = await Promise.all([readChainStatus(sql, tenantId), readLoops(sql)]);
      return { ...chain, checkedAt: loops.get('seal-check') ?? null };
    },
    settings: () => settings(context, approvalWithinMs),
  };
}
