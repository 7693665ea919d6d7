// Verbs of running a tenant: settings, pauses, outages, the audit log, clocks, tenants; and who may act for it.
import type { Cell } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { advancing, firstOf, overHttp, scope } from './verdict.ts';

/** Verbs that need something to delete. */
const ABSENT: Readonly<Record<string, Code>> = {
  deleteEmailTemplate: 'EMAIL_TEMPLATE_NOT_FOUND',
  deleteEmailOptOut: 'EMAIL_OPT_OUT_NOT_FOUND',
};

export function settingsVerdict(cell: Cell<'settings'>): Verdict {
  const frozen: Rule = ({ verb, condition }) =>
    verb === 'unfreeze' && condition !== 'frozen' ? 'FREEZE_NOT_FOUND' : null;
  const absent: Rule = ({ verb, state }) => (state === 'unset' ? (ABSENT[verb] ?? null) : null);
  return firstOf(cell, [scope, advancing, frozen, absent]);
}

/** To pause what is paused changes nothing; there has to be a pause to lift. Over HTTP it has an id, and is looked up by it first. */
export function pauseVerdict(cell: Cell<'pause'>): Verdict {
  const state: Rule<Cell<'pause'>> = ({ verb, state: at }) =>
    verb === 'liftPause' && at === 'lifted' ? 'PAUSE_NOT_FOUND' : null;
  const rules = overHttp(cell) ? [scope, state, advancing] : [scope, advancing, state];
  return firstOf(cell, rules as readonly Rule<Cell<'pause'>>[]);
}

export function outageVerdict(cell: Cell<'outage'>): Verdict {
  const state: Rule<Cell<'outage'>> = ({ state: at }) => (at === 'waiting' ? null : 'OUTAGE_STATE_CONFLICT');
  return firstOf(cell, [scope, state] as readonly Rule<Cell<'outage'>>[]);
}

export function auditEventVerdict(cell: Cell<'audit event'>): Verdict {
  const state: Rule<Cell<'audit event'>> = ({ state: at }) => (at === 'erased' ? 'EVENT_NOT_FOUND' : null);
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'audit event'>>[]);
}

/** An application appends what it likes: nothing in usance depends on it. */
export function ownEventVerdict(cell: Cell<'own event'>): Verdict {
  return firstOf(cell, [scope, advancing]);
}

/** A key gives, and ends, no more than it has. The key without ledger:money is no admin. */
export function apiKeyVerdict(cell: Cell<'API key'>): Verdict {
  const grant = ({ verb, way, state, actor }: Cell<'API key'>): Code | null => {
    const beyond = verb === 'createApiKey' ? way === 'beyond its scopes' : state === 'of an admin';
    return beyond && actor === 'key without ledger:money' ? 'AUTH_SCOPE_MISSING' : null;
  };
  const state: Rule<Cell<'API key'>> = ({ verb, state: at }) =>
    verb === 'rotateApiKey' && ['rotated', 'revoked', 'expired'].includes(at) ? 'API_KEY_STATE_CONFLICT' : null;
  return firstOf(cell, [scope, advancing, grant, state] as readonly Rule<Cell<'API key'>>[]);
}

export function issuerVerdict(cell: Cell<'token issuer'>): Verdict {
  const state = ({ verb, state: at }: Cell<'token issuer'>): Code | null => {
    if (verb === 'createTokenIssuer') return at === 'live' ? 'ISSUER_EXISTS' : null;
    return at === 'live' ? null : 'ISSUER_NOT_FOUND';
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'token issuer'>>[]);
}

/** Only the first tenant makes tenants, and a new tenant's first key may do everything: only an admin can give that. */
export function tenantVerdict(cell: Cell<'tenant'>): Verdict {
  const first: Rule<Cell<'tenant'>> = ({ state }) => (state === 'first' ? null : 'AUTH_FORBIDDEN');
  const grant: Rule = ({ actor }) => (actor === 'key without ledger:money' ? 'AUTH_SCOPE_MISSING' : null);
  return firstOf(cell, [scope, first, grant] as readonly Rule<Cell<'tenant'>>[]);
}

/** A live tenant has no clock, a test tenant one at a time; a clock that advances is neither sent elsewhere nor deleted. */
export function clockVerdict(cell: Cell<'clock'>): Verdict {
  const state = ({ verb, state: at, condition }: Cell<'clock'>): Code | null => {
    if (verb === 'createTestClock') {
      if (condition !== 'test clock') return 'CLOCK_TENANT_LIVE';
      return at === 'missing' || at === 'deleted' ? null : 'CLOCK_EXISTS';
    }
    if (at === 'missing' || (at === 'deleted' && verb !== 'deleteTestClock')) return 'CLOCK_NOT_FOUND';
    return at === 'advancing' && verb !== 'cancelAdvance' ? 'CLOCK_ADVANCING' : null;
  };
  return firstOf(cell, [scope, state] as readonly Rule<Cell<'clock'>>[]);
}
