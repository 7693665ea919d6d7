// A page for each error code, from the catalogue: for /docs and for docs/reference/errors. The example is rendered by the code that
// answers requests, with example values for the fields of its sentence.
import type { Code, Entry, FieldValue, Fields, IdKind } from '../../kernel/index.ts';
import { CATALOGUE, ID_PREFIX, Refusal } from '../../kernel/index.ts';
import type { Problem } from '../../contract/index.ts';
import { problemOf } from '../problem.ts';

export interface ErrorPage {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly remedy: string;
  /** The sentence of each reason, with its fields in braces; one without a name where the code has one sentence. */
  readonly sentences: readonly { readonly reason: string | null; readonly sentence: string }[];
  readonly example: Problem;
}

const REQUEST_ID = 'req_01k9zt3q8sxa4e6r1t9v2w5y7z';
const UUID = '0199ffa1-dd19-7a8c-86f1-8b4a6e0c5f3a';

export const errorPages = (): ErrorPage[] => Object.entries<Entry>(CATALOGUE).map(([code, entry]) => page(code, entry));

function page(code: string, entry: Entry): ErrorPage {
  const { title, status, retryable, cause, remedy } = entry;
  const sentences = sentencesOf(entry);
  const [first] = sentences;
  const fields = exampleFields(code, first?.sentence ?? '');
  const refused = { code: code as Code, fields, detail: '', ...(first?.reason ? { reason: first.reason } : {}) };
  return {
    code,
    title,
    status,
    retryable,
    cause,
    remedy,
    sentences: sentences.map(({ reason, sentence }) => ({ reason, sentence: withoutKinds(sentence) })),
    example: problemOf(new Refusal(refused), REQUEST_ID),
  };
}

function sentencesOf({ detail }: Entry): { reason: string | null; sentence: string }[] {
  if (typeof detail === 'object') return Object.entries(detail).map(([reason, sentence]) => ({ reason, sentence }));
  return [{ reason: null, sentence: detail }];
}

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;
const withoutKinds = (sentence: string): string => sentence.replaceAll(PLACEHOLDER, (_, name: string) => `{${name}}`);

function exampleFields(code: string, sentence: string): Fields {
  return Object.fromEntries(
    [...sentence.matchAll(PLACEHOLDER)].map(([, name = '', kind]) => [name, exampleOf(code, name, kind)]),
  );
}

/** The field of a request that the example of a code is about. */
const PARAMS: Readonly<Record<string, string>> = {
  APPROVAL_TERMS_CHANGED: 'terms_version',
  ASSET_INVALID: 'asset',
  AUTH_INVALID: 'Authorization',
  CURSOR_INVALID: 'cursor',
  DELAY_INVALID: 'execute_at',
  DELAY_OUT_OF_RANGE: 'execute_at',
  FIELD_UNKNOWN: 'ammount',
  ID_INVALID: 'id',
  IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key',
  IDEMPOTENCY_KEY_MISSING: 'Idempotency-Key',
  ISSUER_EXISTS: 'audience',
  LEGS_INVALID: 'legs',
  PLAN_INVALID: 'name',
  REQUEST_MALFORMED: 'Host',
  RETRY_INVALID: 'retry',
  RULE_INVALID: 'rule',
  ZONE_UNKNOWN: 'zone',
};

const LISTS: Readonly<Record<string, readonly string[]>> = {
  allowed: ['GET', 'HEAD', 'POST'],
  examples: ['"pay_01jd…"'],
  presets: ['hold', 'subscription', 'allowance'],
};

/** Fields whose usual example would make a nonsense of the code's sentence. */
const OF_CODE: Readonly<Record<string, Fields>> = {
  AMOUNT_TOO_LARGE: { max: 2n ** 63n - 1n },
  API_KEYS_TOO_MANY: { max: 1_000 },
  APPROVAL_TERMS_CHANGED: { current: 3, seen: 2 },
  ASSET_EXISTS: { existing: 'USD/2', scale: 3 },
  BACKFILL_TOO_LARGE: { max: 100 },
  BULK_TOO_LARGE: { max: 1_000 },
  BUSY: { seconds: 5 },
  CLOCK_TOO_FAR: { maxDays: 731 },
  CLOCK_TOO_MANY_STEPS: { maxSteps: 100_000 },
  HEADERS_TOO_LARGE: { max: 16 },
  JSON_TOO_COMPLEX: { max: 10_000 },
  PAUSES_TOO_MANY: { active: 100, max: 100 },
  PAYMENT_COUNT_MISMATCH: { found: 12, expected: 10 },
  PAYMENT_STATE_CONFLICT: { status: 'settled', verb: 'cancelled' },
  PLAN_INVALID: { min: 1, max: 200 },
  SCHEDULE_OF_SUBSCRIPTION: { verb: 'paused' },
  SCHEDULE_STATE_CONFLICT: { kind: 'schedule', status: 'cancelled', verb: 'resumed', allowed: ['active', 'paused'] },
  STATEMENT_TOO_LONG: { max: 10_000 },
};

function exampleOf(code: string, name: string, kind: string | undefined): FieldValue {
  const own = OF_CODE[code]?.[name];
  if (own !== undefined) return own;
  if (name === 'param') return PARAMS[code] ?? 'amount';
  if (kind === 'amount') return { amount: name === 'available' ? 5_000n : 100_000n, asset: 'USD/2' };
  if (kind === 'instant') return new Date('2026-11-15T09:30:00Z');
  if (kind === 'field') return name === 'meant' ? 'amount' : 'execute_at';
  if (kind === 'list' || kind === 'fields') return LISTS[name] ?? ['first', 'second'];
  if (name === 'account') return 'alice';
  if (kind !== undefined && kind in (ID_PREFIX satisfies Record<IdKind, string>)) return UUID;
  return EXAMPLES[name] ?? 10;
}

/** Text, where a number would read badly. */
const EXAMPLES: Readonly<Record<string, string>> = {
  asset: 'USD/2',
  current: '"8c1f',
  end: '2026-01-31',
  error: 'The payment failed with an unexpected internal error',
  explanation: 'An operator failed the payment',
  guardian: 'maria',
  junior: 'kim',
  key: 'order-1001',
  method: 'GET',
  name: 'shop',
  path: '/v1/payment',
  ref: 'alice',
  reference: 'order-1001',
  request: REQUEST_ID,
  scope: 'payments:write',
  start: '2026-02-01',
  status: 'suspended',
  tenant: 'shop',
  zone: 'Berlin',
};
