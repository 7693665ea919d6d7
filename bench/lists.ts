// Defends: every list, filter and search that the pages of the dashboard send takes at most 3 times as long in a tenant with 1,000,000
// payments as in one with 1,000. Two databases of one server, each behind its own process of usance's HTTP API, in turns, one request at a
// time; the ratio is of the medians, the worst of the reads.
//
// Buffers per read (pages of tables and indexes that its statements touched, as pg_stat_statements counts them) show the same without the
// clock. A filter for which there is no index and which fits little is defended too: it scans 5,000 payments for a page, and says where to go on.
// What counts up to a bound (an overview, a chart) is printed and not defended: few payments are far below the bound.
import { createEngine } from '../src/engine.ts';
import { toTypeId } from '../src/kernel/index.ts';
import { asNumber, asText, only } from '../src/db/index.ts';
import type { Bench, BenchResult, Size } from './bench.ts';
import { rounded } from './bench.ts';
import { addPayments, openBooks } from './books.ts';
import type { RunningServer } from './http-server.ts';
import { startServer } from './http-server.ts';
import { sendAll } from './load.ts';
import { median, quantile } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase, BenchServer } from './server.ts';
import { openServer } from './server.ts';
import { setStates } from './states.ts';
import { apiKey } from './tenant.ts';

/** Payments, few and many; requests of a read in a round; rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number, number, number]>> = {
  full: [1_000, 1_000_000, 20, 9],
  quick: [1_000, 100_000, 20, 3],
  smoke: [1_000, 2_000, 10, 1],
};

const AT_MOST = 3;
const SCHEDULES = 200;
/** Payments whose ids and references the requests of a read take in turn. */
const SAMPLE = 20;
/** What is scheduled is due in the next 30 days. */
const AHEAD = `now() + interval '1 hour' + random() * interval '30 days'`;

/** `bounded`: it counts up to a bound, and is not defended. */
type Kind = 'list' | 'bounded';

interface Read {
  readonly name: string;
  readonly kind: Kind;
  readonly paths: readonly string[];
}

interface Place {
  readonly payments: number;
  readonly database: BenchDatabase;
  readonly server: RunningServer;
  readonly secret: string;
  readonly reads: readonly Read[];
  /** By read. */
  readonly waits: Map<string, number[]>;
  readonly buffers: Map<string, number>;
}

export const lists: Bench = {
  name: 'lists',
  defends: 'lists, filters and searches/s with 1,000,000 payments ÷ those with 1,000, the worst of them',
  async run({ size, say }): Promise<BenchResult> {
    const [few, many, requests, rounds] = SIZES[size];
    const server = await openServer({ shared_preload_libraries: 'pg_stat_statements' });
    try {
      const small = await prepare(server, 'few', few, say);
      const large = await prepare(server, 'many', many, say);
      const places = [small, large];
      for (let round = 0; round <= rounds; round += 1) {
        say(round === 0 ? 'warming up' : `round ${round}`);
        for (const { name } of small.reads) {
          for (const place of round % 2 === 0 ? places : places.toReversed()) {
            const waits = await send(place, name, requests);
            // The first one is for warming up, and not counted.
            if (round > 0) place.waits.set(name, [...(place.waits.get(name) ?? []), ...waits]);
          }
        }
      }
      for (const place of places) {
        for (const { name } of place.reads) place.buffers.set(name, await buffersOf(place, name, requests));
        await place.server.stop();
      }
      const ms = (place: Place, name: string): number => median(place.waits.get(name) ?? []);
      const ratioOf = ({ name }: Read): number => rounded(ms(large, name) / ms(small, name));
      const worst = (kind: Kind): number => Math.max(...small.reads.filter((read) => read.kind === kind).map(ratioOf));
      return {
        ratio: rounded(1 / worst('list')),
        atLeast: rounded(1 / AT_MOST),
        claims: [
          {
            what: `ms with ${many} payments ÷ ms with ${few}, the worst list, filter or search`,
            is: worst('list'),
            atMost: AT_MOST,
          },
          { what: 'the same, the worst read that counts up to a bound', is: worst('bounded') },
        ],
        table: small.reads.map((read) => ({
          read: read.name,
          kind: read.kind,
          [`ms with ${few}`]: rounded(ms(small, read.name)),
          [`ms with ${many}`]: rounded(ms(large, read.name)),
          ratio: ratioOf(read),
          [`p99 with ${many}`]: rounded(quantile(large.waits.get(read.name) ?? [], 0.99)),
          [`buffers with ${few}`]: small.buffers.get(read.name) ?? NaN,
          [`buffers with ${many}`]: large.buffers.get(read.name) ?? NaN,
        })),
        details: { few, many, requests, rounds },
        troubles: [...(await troublesOf(small.database)), ...(await troublesOf(large.database))],
      };
    } finally {
      await server.close();
    }
  },
};

async function prepare(
  server: BenchServer,
  name: string,
  payments: number,
  say: (line: string) => void,
): Promise<Place> {
  const database = await server.database(name);
  await openBooks(database);
  // Skewed, so that one account is in very many of them.
  await addPayments(database, { count: payments, spread: 'skewed', dueAt: AHEAD });
  await addSchedules(database);
  // Also orders and seals the events of the schedules.
  await setStates(database);
  await database.owner.query('create extension pg_stat_statements');
  const secret = await apiKey(database);
  const running = await startServer({ is: 'usance', databaseUrl: database.runtimeUrl });
  say(`${payments} payments are there`);
  const reads = await readsOf(database, async (path) => ask(running.url, secret, path));
  return {
    payments,
    database,
    server: running,
    secret,
    reads,
    waits: new Map<string, number[]>(),
    buffers: new Map<string, number>(),
  };
}

async function addSchedules(database: BenchDatabase): Promise<void> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  try {
    const tenant = await usance.tenant('bench');
    for (let number = 1; number <= SCHEDULES; number += 1)
      await tenant.createSchedule({
        from: `account-${number}`,
        to: `account-${number + 1}`,
        asset: 'USD/2',
        amount: 100,
        rule: { frequency: 'DAILY' },
        reference: `schedule-${number}`,
        idempotencyKey: `schedule-${number}`,
      });
  } finally {
    await usance.close();
  }
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

async function ask(url: string, secret: string, path: string): Promise<Page> {
  const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${secret}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Page;
}

const STATUSES = ['scheduled', 'settled', 'failed', 'cancelled', 'expired', 'review'] as const;

/** The reads of the pages in web/src/pages, and of the search in web/src/app. */
async function readsOf({ owner }: BenchDatabase, read: (path: string) => Promise<Page>): Promise<Read[]> {
  const rows = await owner.query(
    `select id, number::text as number from bench.states where status = 'settled' order by random() limit ${SAMPLE}`,
  );
  const ids = rows.map((row) => toTypeId('payment', asText(row['id'])));
  const references = rows.map((row) => `order-${asText(row['number'])}`);
  const ordinary = Array.from({ length: SAMPLE }, (_, at) => `account-${60_000 + at}`);
  const tomorrow = new Date(Date.now() + 86_400_000);
  const dayAfter = new Date(tomorrow.getTime() + 86_400_000);
  const day = `execute_from=${tomorrow.toISOString()}&execute_before=${dayAfter.toISOString()}`;
  const first = await read('/payments?limit=50');
  const middle = only(
    await owner.query('select id from bench.states where number = (select count(*) / 2 from bench.states)'),
  );
  const reads: Read[] = [];
  const add = (name: string, kind: Kind, ...paths: readonly string[]): void => void reads.push({ name, kind, paths });
  add('payments, first page', 'list', '/payments?limit=50');
  add('payments, next page', 'list', `/payments?limit=50&cursor=${first.next_cursor}`);
  add('payments, a page in the middle', 'list', `/payments?limit=50&cursor=${cursorAt(asText(middle['id']))}`);
  for (const status of STATUSES) add(`payments, ${status}`, 'list', `/payments?limit=50&status=${status}`);
  add('payments, await approval', 'list', '/payments?limit=50&approval=awaited&status=scheduled');
  add('payments of a busy account', 'list', '/payments?limit=50&account=account-1');
  add('payments of an account', 'list', ...ordinary.map((ref) => `/payments?limit=50&account=${ref}`));
  add('payments by reference', 'list', ...references.map((one) => `/payments?limit=50&reference=${one}`));
  add('payment by id', 'list', ...ids.map((id) => `/payments/${id}`));
  add('why of a payment', 'list', ...ids.map((id) => `/payments/${id}/why`));
  add('timeline of a payment', 'list', ...ids.map((id) => `/payments/${id}/timeline?limit=100`));
  add('search by id', 'list', ...ids.map((id) => `/search?q=${id}`));
  add('search by reference', 'list', ...references.map((one) => `/search?q=${one}`));
  add('search by account', 'list', ...ordinary.map((ref) => `/search?q=${ref}`));
  add('search that finds nothing', 'list', '/search?q=nothing-is-called-this');
  add('accounts', 'list', '/accounts?limit=50');
  add('dead letters', 'list', '/dead-letters?limit=50');
  add('dead letters of a cause', 'list', '/dead-letters?limit=50&kind=payment&code=FUNDS_INSUFFICIENT&asset=USD/2');
  add('schedules', 'list', '/schedules?limit=50');
  add('schedules, active', 'list', '/schedules?limit=50&status=active');
  add('schedules by reference', 'list', '/schedules?limit=50&reference=schedule-7');
  add('events', 'list', '/events?limit=50');
  add('events by type', 'list', '/events?limit=50&type=payment.failed');
  add('events of a payment', 'list', ...ids.map((id) => `/events?limit=50&resource_id=${id}`));
  add('payments due on one day', 'list', `/payments?limit=50&${day}`);
  add('failed payments of a busy account', 'list', '/payments?limit=50&account=account-1&status=failed');
  add('a filter that fits nothing', 'list', '/payments?limit=50&approval=given');
  add('dead letters by cause', 'bounded', '/dead-letters/groups');
  add('overview', 'bounded', '/overview');
  add('next 24 hours', 'bounded', '/overview/upcoming?hours=24');
  add('series of a day', 'bounded', '/overview/series?period=day');
  // A page that is empty answers soon, and compares with nothing.
  const mayBeEmpty = [
    'payments, await approval',
    'payments of an account',
    'search that finds nothing',
    'payments due on one day',
    'failed payments of a busy account',
    'a filter that fits nothing',
  ];
  for (const { name, paths } of reads.filter(({ kind }) => kind === 'list')) {
    for (const path of mayBeEmpty.includes(name) ? [] : paths) {
      const { data } = await read(path);
      if (Array.isArray(data) && data.length === 0) throw new Error(`${name}: nothing is found by ${path}`);
    }
  }
  return reads;
}

/** As src/contract/cursor.ts writes it: what the page before would have answered. */
const cursorAt = (id: string): string => Buffer.from(`c1:${id}`).toString('base64url');

async function send({ server, secret, reads }: Place, name: string, requests: number): Promise<readonly number[]> {
  const paths = reads.find((read) => read.name === name)?.paths ?? [];
  const { waits } = await sendAll({
    url: server.url,
    secret,
    atOnce: 1,
    status: 200,
    requests: Array.from({ length: requests }, (_, at) => ({
      method: 'GET',
      path: `/v1${paths[at % paths.length] ?? ''}`,
    })),
  });
  return waits;
}

/** Of all statements that one request sends, planning left out. */
async function buffersOf(place: Place, name: string, requests: number): Promise<number> {
  const { owner, runtimeUrl } = place.database;
  await owner.query('select pg_stat_statements_reset()');
  await send(place, name, requests);
  const row = only(
    await owner.query(
      `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and userid = $1::regrole`,
      [new URL(runtimeUrl).username],
    ),
  );
  return Math.round(asNumber(row['buffers']) / requests);
}
