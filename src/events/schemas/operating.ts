// Events about tenants, limits, pauses and test clocks.
import { refused } from '../../kernel/index.ts';
import { event } from './define.ts';
import {
  amount,
  asset,
  change,
  code,
  created,
  detail,
  id,
  instant,
  integer,
  list,
  nullable,
  reason,
  text,
  word,
} from './fields.ts';

const limit = (description: string) => nullable(amount(description), `${description} Minor units; null: no limit.`);
const LIMITS = {
  max_amount: limit('The most that one payment may be.'),
  daily_amount: limit('The most that the account may send in 24 hours.'),
  default_daily_amount: limit('The same for every account without its own.'),
  tenant_daily_amount: limit('The most that all accounts may send together in 24 hours.'),
  approval_above: limit('A payment above this amount needs approval.'),
};
const NO_LIMITS = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, null]));

const cap = nullable(integer('Executions per second.', 50), 'Executions per second at most; null: no cap.');
const defaultAsset = nullable(asset, 'The default asset; null if there is none.');
const scope = word(['tenant', 'asset', 'rail'], 'The kind of pause.', 'asset');
const value = text('The asset or rail; empty for the whole tenant.', 'USD/2');

const clock = text('The name of the clock.', 'billing');
const now = instant('The time of the clock.', '2026-12-01T00:00:00.000Z');
const ADVANCE = {
  from: instant('The begin of the advance.'),
  to: instant('The requested end of the advance.', '2026-12-01T00:00:00.000Z'),
};

const TOO_MANY = refused('CLOCK_TOO_MANY_STEPS', { maxSteps: 100_000 });

export const OPERATING_EVENTS = {
  'audit_event.erased': event(
    'The details of events were erased from the audit log.',
    {
      events: list(id('event', 'An event.'), 'The events, at most 500.'),
      reason,
      login: text('The role of the database that erased them.', 'usance_app'),
    },
    { reason: 'the reason contained a name' },
  ),
  'execution_cap.set': event(
    'The cap on payments per second was set or removed.',
    change({ executions_per_second: cap }, { executions_per_second: cap }),
    { old: { executions_per_second: null } },
  ),
  'limit.set': event(
    'A limit was set or removed.',
    { asset, ...change(LIMITS, LIMITS) },
    {
      old: NO_LIMITS,
      new: { ...NO_LIMITS, max_amount: '100000' },
    },
  ),
  'pause.created': event('Outgoing payments were paused.', { scope, value, reason }, { reason: 'the bank is closed' }),
  'pause.lifted': event('A pause was lifted.', { scope, value }),
  'payments.archived': event('A batch of payments that ended long ago was archived.', {
    payments: integer('How many were archived.', 1_000),
    ended_before: instant('They ended before this instant.', '2024-11-15T09:30:00.000Z'),
  }),
  'tenant.created': event(
    'A tenant was created.',
    created({
      name: text('Its unique name.', 'shop'),
      kind: word(['live', 'test'], 'Whether its time is a test clock.', 'live'),
    }),
  ),
  'tenant.updated': event(
    'The default asset of a tenant changed.',
    change({ default_asset: defaultAsset }, { default_asset: defaultAsset }),
    { old: { default_asset: null } },
  ),
  'test_clock.advance_cancelled': event(
    'The advance of a test clock was cancelled.',
    { ...ADVANCE, now },
    {
      now: '2026-11-20T00:00:00.000Z',
    },
  ),
  'test_clock.advance_failed': event(
    'The advance of a test clock failed.',
    { ...ADVANCE, now, code, detail },
    {
      now: '2026-11-20T00:00:00.000Z',
      code: TOO_MANY.code,
      detail: TOO_MANY.detail,
    },
  ),
  'test_clock.advance_requested': event('The advance of a test clock was requested.', ADVANCE),
  'test_clock.advanced': event('A test clock arrived at its instant.', { ...ADVANCE, now }),
  'test_clock.created': event('A test clock was created.', created({ name: clock, now })),
  'test_clock.deleted': event('A test clock was deleted.', { name: clock, now }),
} as const;
