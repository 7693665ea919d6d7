// Answers that the dashboard reads beside the resources of the typed client; web/README.md describes them.
export interface SeriesPoint {
  readonly at: string;
  readonly settled: number;
  readonly failed: number;
  readonly successRate: number | null;
  readonly lateAverage: string | null;
  readonly lateLongest: string | null;
  readonly backlog: number | null;
}

export interface Series {
  readonly period: 'hour' | 'day' | 'week';
  readonly step: string;
  readonly points: readonly SeriesPoint[];
}

export interface AssetSum {
  readonly asset: string;
  readonly count: number;
  readonly amount: string;
}

export interface Upcoming {
  readonly from: string;
  readonly until: string;
  readonly countedAll: boolean;
  readonly hours: readonly {
    readonly at: string;
    readonly payments: number;
    readonly runs: number;
    readonly amounts: readonly AssetSum[];
  }[];
  readonly next: readonly {
    readonly at: string;
    readonly kind: 'payment' | 'schedule';
    readonly id: string;
    readonly asset: string;
    readonly amount: string | null;
    readonly from: string | null;
    readonly fromRef: string | null;
    readonly to: string | null;
    readonly toRef: string | null;
  }[];
}

export interface DeadLetterGroup {
  readonly kind: 'payment' | 'occurrence' | 'execution';
  readonly code: string;
  readonly asset: string | null;
  readonly job: string | null;
  readonly count: number;
  readonly amount: string | null;
  readonly oldestAt: string;
  readonly newestAt: string;
  readonly detail: string;
}

export interface SearchHit {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly matched: 'id' | 'reference' | 'ref';
}

export interface BalanceHistory {
  readonly account: string;
  readonly asset: string;
  readonly from: string;
  readonly until: string;
  readonly points: readonly {
    readonly at: string;
    readonly available: string;
    readonly reserved: string;
    readonly total: string;
  }[];
}

export interface AuditChain {
  readonly seq: number;
  readonly hash: string | null;
  readonly recordedAt: string | null;
  readonly unsealed: number;
  readonly checkedAt: string | null;
}

export interface Settings {
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'live' | 'test';
    readonly first: boolean;
  };
  readonly defaultAsset: string | null;
  readonly testClock: string | null;
  readonly approvalWithin: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly database: string;
}
