// The balance of an account over time, the end of the hash chain, and the settings of a tenant.
import { Type } from 'typebox';
import { MOST_BALANCE_POINTS } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { API_VERSION } from '../api-version.ts';
import { PACKAGE_VERSION } from '../package-version.ts';
import { route } from '../route.ts';
import { accountId, accountKey, durationOf, idOrNull, instantOrNull } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  AssetName,
  Instant,
  closed,
  durationShown,
  idOf,
  instantIn,
  nullable,
  oneOf,
  textOrNull,
} from '../schemas.ts';
import { assetOr } from './asset-or.ts';
import { ALICE, CREATED_AT, EXECUTE_AT } from './examples.ts';

const BalanceHistory = closed(
  {
    account: idOf('account'),
    asset: Type.String(),
    from: Instant,
    until: Instant,
    points: Type.Array(
      closed({
        at: { ...Instant, description: 'Instant of the balance.' },
        available: Amount,
        reserved: Amount,
        total: Amount,
      }),
      {
        description:
          'Oldest first; the last is at `until`. Points before the newest 20,000 changes of the account are left out.',
      },
    ),
  },
  { title: 'BalanceHistory' },
);

const AuditChain = closed(
  {
    seq: Type.Integer({ description: 'Number of the newest sealed event; 0 before the first.' }),
    hash: textOrNull({ description: 'Hash of the last link, hexadecimal; null before the first.' }),
    recorded_at: nullable(Instant),
    unsealed: Type.Integer({ description: 'Events that are committed and not sealed yet.' }),
    checked_at: nullable(Instant, { description: 'When new seals were last compared with their events.' }),
  },
  { title: 'AuditChain' },
);

const Settings = closed(
  {
    tenant: closed(
      {
        id: idOf('tenant'),
        name: Type.String({ description: 'Name of the tenant.' }),
        kind: oneOf(['live', 'test'], { description: 'A test tenant can have a test clock.' }),
        first: Type.Boolean({ description: 'Whether its keys can list and create tenants.' }),
      },
      { description: 'Tenant of the key.' },
    ),
    default_asset: textOrNull(),
    test_clock: nullable(idOf('testClock'), { description: 'Test clock of the tenant; null without one.' }),
    now: {
      ...Instant,
      description: 'Time of the tenant: the real time, or the instant of its test clock. RFC 3339, UTC.',
    } as typeof Instant,
    follows_real_time: Type.Boolean({
      description: 'False: the time comes from a test clock. After the clock was deleted, the time does not change.',
    }),
    approval_within: durationShown('How long a payment awaits approval before it expires.'),
    version: Type.String({ description: 'Version of usance.' }),
    api_version: Type.String({ description: 'Version of the HTTP API.' }),
    database: Type.String({ description: 'Version of PostgreSQL.' }),
  },
  { title: 'Settings' },
);

export const tenantStateRoutes = {
  'accounts.getBalanceHistory': route({
    method: 'GET',
    path: '/accounts/{id}/balance-history',
    summary: 'Get a balance over time',
    description: 'The balance of one asset in equal steps, by the time of the tenant.',
    scope: 'ledger:read',
    params: closed({ id: AccountName }),
    query: closed({
      asset: Type.Optional(AssetName),
      from: Type.Optional(instantIn('Start of the period. Default: 30 days before `until`.')),
      until: Type.Optional(instantIn('End of the period. Default: now.')),
      points: Type.Optional(
        Type.Integer({ minimum: 2, maximum: MOST_BALANCE_POINTS, description: 'Default 60.', examples: [60] }),
      ),
    }),
    answer: BalanceHistory,
    example: {
      params: { id: 'alice' },
      query: { asset: 'USD/2', points: '2' },
      answer: {
        account: ALICE,
        asset: 'USD/2',
        from: CREATED_AT,
        until: EXECUTE_AT,
        points: [
          { at: CREATED_AT, available: '0', reserved: '0', total: '0' },
          { at: EXECUTE_AT, available: '24000', reserved: '1000', total: '25000' },
        ],
      },
    },
    async handle({ tenant, params, query }) {
      const account = await tenant.account(accountKey(params.id));
      const asset = await assetOr(tenant, query.asset);
      const history = await tenant.balanceHistory(account.id, {
        asset,
        ...(query.from === undefined ? {} : { from: new Date(query.from) }),
        ...(query.until === undefined ? {} : { until: new Date(query.until) }),
        ...(query.points === undefined ? {} : { points: query.points }),
      });
      return {
        account: accountId(account.id),
        asset: history.asset,
        from: history.from.toISOString(),
        until: history.until.toISOString(),
        points: history.points.map(({ at, available, reserved, total }) => ({
          at: at.toISOString(),
          available: available.toString(),
          reserved: reserved.toString(),
          total: total.toString(),
        })),
      };
    },
  }),

  'auditEvents.getChain': route({
    method: 'GET',
    path: '/audit-events/chain',
    summary: 'Get the end of the hash chain',
    description: 'The last link of the chain that seals the audit log. `usance verify` compares the whole chain.',
    scope: 'ops:read',
    answer: AuditChain,
    example: {
      answer: { seq: 5120, hash: 'a3'.repeat(32), recorded_at: EXECUTE_AT, unsealed: 0, checked_at: EXECUTE_AT },
    },
    async handle({ tenant }) {
      const { seq, hash, recordedAt, unsealed, checkedAt } = await tenant.auditChain();
      return {
        seq: Number(seq),
        hash,
        recorded_at: instantOrNull(recordedAt),
        unsealed,
        checked_at: instantOrNull(checkedAt),
      };
    },
  }),

  'settings.get': route({
    method: 'GET',
    path: '/settings',
    summary: 'Get the settings of the tenant',
    scope: 'ops:read',
    answer: Settings,
    example: {
      answer: {
        tenant: { id: 'ten_01k9zszzz0x2c4v6b8n1m3q5w7', name: 'shop', kind: 'live', first: true },
        default_asset: 'USD/2',
        test_clock: null,
        now: CREATED_AT,
        follows_real_time: true,
        approval_within: 'PT604800S',
        version: '0.1.0',
        api_version: API_VERSION,
        database: '18.4',
      },
    },
    async handle({ tenant: handle }) {
      const { tenant, testClockId, now, followsRealTime, approvalWithinMs, database } = await handle.settings();
      return {
        tenant: { id: toTypeId('tenant', tenant.id), name: tenant.name, kind: tenant.kind, first: tenant.isFirst },
        default_asset: tenant.defaultAsset,
        test_clock: idOrNull('testClock', testClockId),
        now: now.toISOString(),
        follows_real_time: followsRealTime,
        approval_within: durationOf(approvalWithinMs),
        version: PACKAGE_VERSION,
        api_version: API_VERSION,
        database,
      };
    },
  }),
};
