// One request: something that the document would allow, then up to three things done to it that nobody would do on purpose.
import type { Operation } from './operations.ts';
import type { Random } from './random.ts';
import { bent, fitting, nasty, nastyText } from './values.ts';

/** What there is to ask for. The same seed picks the same places in it. */
export interface World {
  readonly secret: string;
  readonly accounts: readonly string[];
  readonly payments: readonly string[];
  /** Ids of other kinds, and of nothing. */
  readonly others: readonly string[];
  readonly cursors: readonly string[];
  /** By the path of the list that showed them. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Different in each round: a key remembers. */
  readonly round: number;
}

export interface FuzzRequest {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  readonly hangsUp: boolean;
  /** The server may hang up on it without a word: what was sent ends in the middle. */
  readonly mayBeIgnored: boolean;
}

interface Draft {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
  value: unknown;
  hangsUp: boolean;
  mayBeIgnored: boolean;
  /** Content-Length and the like are written by whoever changed the body on purpose. */
  framed: boolean;
}

export function requestOf(operation: Operation, world: World, random: Random): FuzzRequest {
  const draft = sound(operation, world, random);
  const times = random.pick([0, 1, 1, 1, 2, 3]);
  for (let time = 0; time < times; time += 1) random.pick(TRICKS)(draft, operation, world, random);
  const { method, target, headers, body, hangsUp, mayBeIgnored } = draft;
  if (!draft.framed && body !== null) headers.push(['content-length', String(body.length)]);
  const head = `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]),
    method,
    target,
    hangsUp,
    mayBeIgnored,
  };
}

function sound(operation: Operation, world: World, random: Random): Draft {
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(idFor(operation, world, random)));
  const pairs = operation.query
    .filter(() => random.chance(0.4))
    .map(({ name, schema, example }) => {
      if (name === 'cursor') return [name, random.pick(world.cursors)];
      if (name === 'account') return [name, random.pick(world.accounts)];
      return [name, String(example !== undefined && random.chance(0.5) ? example : fitting(schema, random))];
    });
  const query = new URLSearchParams(pairs).toString();
  const value = operation.body && located(bodyFor(operation.body, random), world, random);
  return {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: [
      ['host', 'localhost'],
      ['authorization', `Bearer ${world.secret}`],
      ...(operation.takesKey ? [keyHeader(world, random)] : []),
      ...(value === null ? [] : [['content-type', 'application/json'] as [string, string]]),
    ],
    value,
    body: value === null ? null : Buffer.from(JSON.stringify(value) ?? ''),
    hangsUp: false,
    mayBeIgnored: false,
    framed: false,
  };
}

function bodyFor(
  body: { schema: Record<string, unknown>; example: unknown } | NonNullable<Operation['body']>,
  random: Random,
): unknown {
  return random.chance(0.5) ? structuredClone(body.example) : fitting(body.schema, random);
}

function idFor(operation: Operation, world: World, random: Random): string {
  if (random.chance(0.1)) return random.pick(world.others);
  if (/\/accounts\//.test(operation.path)) return random.pick(world.accounts);
  if (/\/(holds|payments)\//.test(operation.path)) return random.pick(world.payments);
  const shown = world.ids[operation.path.slice(0, operation.path.indexOf('/{'))];
  return random.pick(shown ?? world.others);
}

/** Names of the examples become names of this world. */
export function located(value: unknown, world: Pick<World, 'accounts'>, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => located(item, world, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) =>
      /^(from|to|to_user|account|guardian)$/.test(name) && typeof field === 'string'
        ? [name, random.pick(world.accounts)]
        : [name, located(field, world, random)],
    ),
  );
}

/** Mostly a new one; now and then one that another request of this round has too. */
const keyHeader = (world: World, random: Random): [string, string] => [
  'idempotency-key',
  `fuzz ${world.round} ${random.chance(0.15) ? random.int(5) : random.int(2 ** 31)}`,
];

type Trick = (draft: Draft, operation: Operation, world: World, random: Random) => void;

const setHeader = (draft: Draft, name: string, value: string | null): void => {
  draft.headers = draft.headers.filter(([other]) => other !== name);
  if (value !== null) draft.headers.push([name, value]);
};

/** What a header can carry at all: no line ends, one byte a character. */
const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');

const bendBody: Trick = (draft, _operation, _world, random) => {
  draft.value = draft.value === null ? nasty(random) : bent(draft.value, random);
  draft.body = Buffer.from(JSON.stringify(draft.value) ?? 'null');
  setHeader(draft, 'content-type', 'application/json');
};

const ODD_NUMBERS = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '1.0',
  '1e2',
  '-0',
  '0.1e-999',
  '123456789012345678901234567890',
];

/** Changes the text, where JSON.stringify would not go. */
const bendText: Trick = (draft, _operation, _world, random) => {
  const text = draft.body?.toString('utf8') ?? '{}';
  const at = random.int(text.length + 1);
  const number = random.pick(ODD_NUMBERS);
  const ways = [
    text.slice(0, at),
    `${text.slice(0, at)}${random.pick(['\0', '"', '\\', '{', ']', ',', '\n', '/*', '\ufeff', 'é'])}${text.slice(at)}`,
    text.replace(/^\{/, '{"amount": "1", "amount": "2", '),
    text.replace(/"amount":("[^"]*"|[0-9]+)/, `"amount":${number}`),
    text.replace(/^\{/, `{"\\u0061mount": ${number}, `),
    text.replaceAll('"', "'"),
    `\ufeff${text}`,
    `${text}${text}`,
    text.replace(/\}$/, ',}'),
    '['.repeat(5_000),
    `{"a":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`,
    `{"metadata": {"x": "${'x'.repeat(random.pick([16_000, 17_000, 1_100_000]))}"}}`,
    '',
    ' ',
    number,
    '"\\ud800"',
    'nul',
  ];
  draft.body = Buffer.from(random.pick(ways));
  if (random.chance(0.1)) draft.body = Buffer.concat([draft.body, Buffer.from([0xff, 0xfe, 0xc0, 0x80])]);
  setHeader(draft, 'content-type', 'application/json');
};

const TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  '*/*',
  ';;;',
  'application/json, text/plain',
];

const bendType: Trick = (draft, _operation, _world, random) => {
  setHeader(draft, 'content-type', random.chance(0.2) ? null : random.pick(TYPES));
  if (random.chance(0.2)) draft.headers.push(['content-type', 'application/json']);
  if (random.chance(0.2)) setHeader(draft, 'content-encoding', random.pick(['gzip', 'identity', 'br', '']));
};

const QUERIES = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1e1',
  'limit=1&limit=2',
  'limit[]=1',
  'limit=%31',
  'limit=',
  'cursor=',
  'cursor=%00',
  'at=now',
  'from=x&to=y',
  'format=csv',
  'format=CSV',
  'a=b',
  '__proto__=1',
  'constructor=1',
  '&&&',
  '=',
  '%',
  '%zz',
  '%E0%A4%A',
  '%ff=%ff',
  '+=+',
  'status=settled',
  'status=COMPLETED',
  'type=*',
  'type=payment.*',
  'type=%25',
  'after=-1',
  'after=99999999999999999999',
  'resource_id=pay_0',
  `x=${'y'.repeat(4_000)}`,
  'account=%F0%9F%92%B6',
  'reference=%0a',
];

const bendQuery: Trick = (draft, operation, world, random) => {
  const mark = draft.target.includes('?') ? '&' : '?';
  const known = operation.query.length > 0 ? random.pick(operation.query).name : 'x';
  const added = random.chance(0.5)
    ? random.pick(QUERIES)
    : `${known}=${encodeURIComponent(nastyText(random).toWellFormed())}`;
  draft.target += mark + (random.chance(0.3) ? `cursor=${tampered(random.pick(world.cursors), random)}` : added);
};

function tampered(cursor: string, random: Random): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const at = random.int(cursor.length);
  const ways = [
    cursor.slice(0, at),
    cursor + cursor,
    cursor.slice(0, at) + random.pick(['A', '_', '-', '%3D', '.']) + cursor.slice(at + 1),
    Buffer.from(text.replace(/.$/, "'"), 'latin1').toString('base64url'),
    Buffer.from('c1:99999999999999999999').toString('base64url'),
    Buffer.from('c1:00000000-0000-0000-0000-000000000000').toString('base64url'),
    Buffer.from('c1:-1').toString('base64url'),
    Buffer.from('c2:1').toString('base64url'),
    encodeURIComponent(nastyText(random).toWellFormed()),
  ];
  return random.pick(ways);
}

const SEGMENTS = [
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%ff',
  '%',
  '%zz',
  '.',
  '',
  '%E2%80%AE',
  'me',
  '0',
  '-1',
  'null',
  "'",
  '%F0%9F%92%B6',
  '*',
  '{id}',
  ':id',
  'x'.repeat(601),
  'x'.repeat(9_000),
];

const bendPath: Trick = (draft, _operation, world, random) => {
  const [path = '', query] = draft.target.split('?');
  const segments = path.split('/');
  const at = 1 + random.int(segments.length);
  const bad = random.chance(0.7)
    ? random.pick(SEGMENTS)
    : encodeURIComponent(random.pick(world.others).slice(random.int(4)));
  const changed = random.chance(0.6)
    ? segments.with(Math.min(at, segments.length - 1), bad)
    : segments.toSpliced(at, 0, bad);
  const target = changed.join('/') + (query === undefined ? '' : `?${query}`);
  draft.target = random.chance(0.05) ? `http://elsewhere.example${target}` : target;
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECTX', 'get'];

const bendMethod: Trick = (draft, _operation, _world, random) => {
  draft.method = random.pick(METHODS);
};

const bendHeaders: Trick = (draft, _operation, world, random) => {
  const text = headerText(nastyText(random));
  const ways: (() => void)[] = [
    () => setHeader(draft, 'authorization', null),
    () =>
      setHeader(
        draft,
        'authorization',
        random.pick(['Bearer', 'Bearer ', 'Basic eDp5', `bearer  ${world.secret}`, `Bearer ${world.secret}x`, text]),
      ),
    () => void draft.headers.push(['authorization', 'Bearer other']),
    () => setHeader(draft, 'idempotency-key', random.pick(['', ' ', 'x'.repeat(255), 'x'.repeat(256), 'é', text])),
    () => setHeader(draft, 'idempotency-key', null),
    () => void draft.headers.push(['idempotency-key', 'second']),
    () => void draft.headers.push(['x-request-id', text]),
    () => void draft.headers.push(['x-padding', 'x'.repeat(random.pick([100, 8_000, 17_000]))]),
    () =>
      void draft.headers.push(
        ...Array.from({ length: 150 }, (_none, at): [string, string] => [`x-${at}`, text.slice(0, 20)]),
      ),
    () => void draft.headers.push(['accept', random.pick(['text/csv', '*/*', 'image/png', '', text])]),
    () => void draft.headers.push(['host', 'second.example']),
    () => setHeader(draft, 'host', null),
    () => void draft.headers.push(['origin', text]),
    () => void draft.headers.push(['user-agent', text]),
    () => void draft.headers.push(['x-forwarded-for', random.pick(['127.0.0.1', "'; drop", text])]),
    () =>
      void draft.headers.push([
        'traceparent',
        random.pick(['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', text]),
      ]),
    () => void draft.headers.push(['bad name', 'x']),
    () => void draft.headers.push(['if-none-match', '*'], ['range', 'bytes=0-1']),
  ];
  random.pick(ways)();
};

/** Lengths that do not fit, chunks, and bodies that never end. */
const bendFrame: Trick = (draft, _operation, _world, random) => {
  if (draft.framed) return;
  const body = draft.body ?? Buffer.from('{}');
  const { length } = body;
  const chunk = (text: string): Buffer => Buffer.concat([Buffer.from(text), body, Buffer.from('\r\n0\r\n\r\n')]);
  const ways: (() => void)[] = [
    () => {
      draft.headers.push(['transfer-encoding', 'chunked']);
      draft.body = chunk(`${length.toString(16)}\r\n`);
    },
    () => {
      draft.headers.push(['transfer-encoding', 'chunked']);
      draft.body = chunk('zz\r\n');
    },
    () => {
      draft.headers.push(['transfer-encoding', 'chunked'], ['content-length', String(length)]);
      draft.body = chunk(`${length.toString(16)}\r\n`);
    },
    () => {
      draft.headers.push(['content-length', String(length + 10)]);
      draft.body = body;
    },
    () => void draft.headers.push(['content-length', random.pick(['-1', 'x', '1e3', '99999999999999999999', ''])]),
    () => void draft.headers.push(['content-length', String(length)], ['content-length', String(length + 1)]),
    () =>
      void draft.headers.push(['content-length', String(length)], ['expect', random.pick(['100-continue', 'rubbish'])]),
  ];
  random.pick(ways)();
  draft.framed = true;
  draft.hangsUp = true;
  draft.mayBeIgnored = true;
};

const TRICKS: readonly Trick[] = [
  bendBody,
  bendBody,
  bendBody,
  bendBody,
  bendText,
  bendText,
  bendType,
  bendQuery,
  bendQuery,
  bendPath,
  bendPath,
  bendMethod,
  bendHeaders,
  bendHeaders,
  bendFrame,
];
