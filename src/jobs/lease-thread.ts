// The thread that keeps the lease of a worker: it renews it every second over its own connection, also while a processor blocks the event
// loop of the main thread. The connection holds an advisory lock, which the server frees as soon as the process is gone.
//
// It loads the driver and the statements below, and nothing else of usance.
//
//   the row is gone               lost: another process has taken everything back
//   no renewal for a lease        lost: another process may have
//   the connection breaks         it connects again; the main thread renews meanwhile
//   the event loop is blocked     reported once. Beyond the deadline of an invocation that runs it also stops renewing, and
//                                 frees the lock: the execution is taken back and tried elsewhere
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { Row, Sql, Value } from '../db/index.ts';
import type { FromThread, LeaseThreadData, ToThread } from './lease.ts';
import { LeaseMemory, monotonicMs } from './lease-memory.ts';
import { lockWorker, renewLease, unlockWorker } from './heartbeat-store.ts';

const data = workerData as LeaseThreadData;
const { workerId, schema, tables, usesLock, beatMs, leaseMs, blockedMs, patienceMs } = data;
const memory = new LeaseMemory(data.memory);
const CONNECT_MS = 5_000;
const RECONNECT_MS = 100;

const stopping = new AbortController();
let { url } = data;
let renewedAtMs = monotonicMs();
let hasReported = false;
let hasWarned = false;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'url') url = message.url;
  else stopping.abort();
});

/** The event loop of the main thread has not run for so long. */
const blockedForMs = (): number => Math.max(0, monotonicMs() - memory.tickedAtMs);

/** Something that the main thread runs is past its deadline, and the main thread cannot abort it. */
const isStuck = (): boolean => {
  const overdueMs = monotonicMs() - memory.deadlineMs;
  return overdueMs > patienceMs && blockedForMs() > patienceMs;
};

function report(): void {
  const ms = blockedForMs();
  if (ms < blockedMs) {
    hasReported = false;
    hasWarned = false;
    return;
  }
  const { label, isInside } = memory.last;
  if (!hasReported) post({ type: 'blocked', forMs: ms, label, isInside });
  hasReported = true;
  // The main thread may never read that message.
  if (isStuck() && !hasWarned) {
    hasWarned = true;
    const last = label === '' ? '' : `; the last processor called was ${label}`;
    writeSync(2, `usance: the event loop is blocked beyond a time limit, and the worker gives up its lease${last}\n`);
  }
}

async function session(): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `usance worker ${schema}`.slice(0, 63),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
  });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  client.on('error', end);
  client.on('end', end);
  const sql: Sql = {
    query: async <R extends Row>(text: string, values: readonly Value[] = []) =>
      (await client.query<R>(text.replaceAll('usance.', tables), [...values])).rows,
  };
  const signal = AbortSignal.any([stopping.signal, ended.signal]);
  try {
    await client.connect();
    let hasLock = usesLock && (await lockWorker(sql, workerId));
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      report();
      if (isStuck()) {
        if (hasLock) await unlockWorker(sql, workerId);
        hasLock = false;
      } else {
        if (!hasLock && usesLock) hasLock = await lockWorker(sql, workerId);
        const sentAtMs = monotonicMs();
        if (!(await renewLease(sql, workerId, hasLock, leaseMs))) lose('its row is gone');
        renewedAtMs = sentAtMs;
      }
      if (isFirst) post({ type: 'ready' });
      await pause(beatMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

function lose(why: string): void {
  post({ type: 'lost', why });
  stopping.abort();
}

while (!stopping.signal.aborted) {
  await session().catch(() => undefined);
  if (stopping.signal.aborted) break;
  post({ type: 'disconnected' });
  report();
  if (monotonicMs() - renewedAtMs > leaseMs && !isStuck()) {
    lose('the database did not answer');
    break;
  }
  await pause(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
}
post({ type: 'ended' });
// A connection that is still being closed does not keep the thread.
process.exit(0);
