// The lines of a tick, as the design of the two crons prescribes them: `npm run scheduler` and `npm run processor`. The lines of a
// batch are printed after its commit, so every line is true. With LOG_FORMAT=json they have no emoji, and their values are fields.
import type { Config } from '../config.ts';
import type { Tried, Engine, Visited } from '../engine.ts';
import { retryPolicyOf } from '../engine.ts';
import { toTypeId } from '../kernel/index.ts';
import type { Fields, Log } from './log.ts';
import { createLog } from './log.ts';
import type { Screen } from './screen.ts';
import { counted, grouped } from './screen.ts';

type Level = keyof Log;
export type Say = (picture: string, words: string, fields?: Fields, level?: Level) => void;

/** If stdout is one JSON document, that document has everything. */
export function tellerOf(screen: Screen, config: Pick<Config, 'logFormat' | 'logLevel'>): Say {
  const log = createLog(screen, config, { bare: true });
  return (picture, words, fields = {}, level = 'info') => {
    if (!screen.json) log[level](config.logFormat === 'pretty' ? `${picture} ${words}` : words, fields);
  };
}

/** The lines of a scheduler's run: a paragraph for each batch when it is committed, so that nothing is buffered until the end. */
export function visitTeller(
  say: Say,
  engine: () => Engine,
): {
  visited(visited: readonly Visited[]): Promise<void>;
  end(): void;
} {
  let hasSaid = false;
  const sayFound = (subscriptions: number, others: number, jobs: number): void => {
    hasSaid = true;
    say('📊', `${counted(subscriptions, 'subscription')} found`);
    if (others > 0) say('📊', `${counted(others, 'other schedule')} found`);
    say('✅', `${counted(jobs, 'job')} scheduled successfully`);
  };
  return {
    async visited(visited) {
      const due = visited.filter(({ wasDue }) => wasDue);
      const told = visited.filter(({ made, refused }) => made.length + refused.length > 0);
      if (due.length + told.length === 0) return;
      const payers = told.map(({ schedule: { tenantId, payerId } }) => ({ tenantId, id: payerId }));
      // The work is committed: if the lookup fails, the lines show ids.
      const refs = await engine()
        .accountRefs(payers)
        .catch(() => new Map<string, string>());
      const subscriptions = due.filter(({ isSubscription }) => isSubscription).length;
      const jobs = visited.reduce((sum, { made }) => sum + made.length, 0);
      sayFound(subscriptions, due.length - subscriptions, jobs);
      for (const one of told) sayVisit(say, one, refs);
    },
    end() {
      if (!hasSaid) sayFound(0, 0, 0);
    },
  };
}

function sayVisit(
  say: Say,
  { schedule, isSubscription, made, refused }: Visited,
  refs: ReadonlyMap<string, string>,
): void {
  const what = nameOf(schedule.id, isSubscription);
  const payer = refs.get(schedule.payerId) ?? toTypeId('account', schedule.payerId);
  for (const payment of made) {
    say('📦', `Job created for ${what.words} (Payer: ${payer})`, { job: jobOf(payment.id), ...what.fields });
  }
  for (const { code, detail } of refused) {
    say('❌', `No job for ${what.words}: ${detail}`, { ...what.fields, code }, 'warn');
  }
}

/** Called by the processor after a batch. */
export function sayTried(say: Say, tried: readonly Tried[]): void {
  for (const one of tried) if (TOLD.has(one.outcome)) sayOne(say, one);
}

/** A payment that was set aside was not attempted. */
const TOLD = new Set<Tried['outcome']>(['settled', 'retrying', 'failed', 'expired']);

function sayOne(say: Say, { payment, outcome, nextAt }: Tried): void {
  const { maxAttempts } = retryPolicyOf(payment);
  const { attempts, lastCode, lastDetail, owner } = payment;
  const job = jobOf(payment.id);
  const what = owner && nameOf(owner.id, owner.kind === 'subscription');
  const about = { job, ...what?.fields };
  const reason = lastDetail ?? outcome;
  const cause = lastCode === null ? {} : { code: lastCode };
  const attempt = `attempt ${attempts}/${maxAttempts}`;
  say('📦', `Processing job ${job}${what ? ` for ${what.words}` : ''} (${attempt})`, { ...about, attempt: attempts });
  if (outcome === 'settled') return say('✅', `Job ${job} completed successfully`, about);
  say('❌', `Job ${job} failed: ${reason}`, { ...about, ...cause }, 'warn');
  if (outcome !== 'retrying') return say('💀', `Job ${job} permanently failed`, about, 'error');
  const at = nextAt?.toISOString() ?? '';
  say('🔄', `Job ${job} scheduled for retry ${attempts}/${maxAttempts - 1} at ${at}`, {
    ...about,
    retry: attempts,
    next_retry_at: at,
  });
}

/** The line that ends a processor's tick. */
export function summaryOf(counts: Readonly<Record<string, number>>): string {
  const { settled = 0, retrying = 0, failed = 0, expired = 0 } = counts;
  const parts = { Processed: settled + retrying + failed + expired, Success: settled, Retry: retrying };
  const all = { ...parts, Failed: failed + expired };
  return Object.entries(all)
    .map(([name, count]) => `${name}: ${grouped(count)}`)
    .join(' | ');
}

const jobOf = (id: string): string => toTypeId('payment', id);

function nameOf(id: string, isSubscription: boolean): { words: string; fields: Fields } {
  const kind = isSubscription ? 'subscription' : 'schedule';
  const name = toTypeId(kind, id);
  return { words: `${kind} ${name}`, fields: isSubscription ? { subscription: name } : { schedule: name } };
}
