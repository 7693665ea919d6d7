// The child process of a worker: it loads a module that exports processors, and runs what its parent sends. It knows nothing of the database.
// Exceptions that a processor does not catch end it, as they end every Node.js process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorText, isPermanent, storableResult } from '../result.ts';
import { InvocationAborted } from '../run-invocation.ts';
import { siblingFile } from '../sibling-file.ts';
import type { FromChild, ToChild, WatchdogData } from './messages.ts';
import { MEBIBYTE } from './messages.ts';
import type { LoadedProcessor } from './read-module.ts';
import { loadingError, readModule } from './read-module.ts';
import { FailureReport } from './report.ts';

const [given = '', memoryMb = '0'] = process.argv.slice(2);
const file = resolve(given);

// The parent decides when it ends: Ctrl-C reaches the whole group of processes, and what runs is to finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

const workerData: WatchdogData = { parent: process.ppid, memoryBytes: Number(memoryMb) * MEBIBYTE };
new Worker(siblingFile('watchdog', import.meta.url), { workerData, execArgv: [] }).unref();

const send = (message: FromChild): void => void process.send?.(message);
const running = new Map<number, AbortController>();
const report = new FailureReport((text) => process.stderr.write(`${text}\n`));
let processors: ReadonlyMap<string, LoadedProcessor> = new Map();

process.on('message', (message: ToChild) => {
  if (message.type === 'run') void run(message);
  else if (message.type === 'abort') running.get(message.n)?.abort(new InvocationAborted(message.cause));
  else send({ type: 'pong', rssBytes: process.memoryUsage.rss() });
});

async function run({
  n,
  processor: name,
  event,
  execution,
  tenantId,
}: Extract<ToChild, { type: 'run' }>): Promise<void> {
  const controller = new AbortController();
  running.set(n, controller);
  try {
    const result = await processors.get(name)?.processor(event, execution, { signal: controller.signal, tenantId });
    send({ type: 'done', n, result: storableResult(result) });
  } catch (error) {
    // An aborted attempt is expected to throw.
    if (!controller.signal.aborted) report.failed(name, idOf(execution), error);
    send({ type: 'failed', n, error: errorText(error), permanent: isPermanent(error) });
  } finally {
    running.delete(n);
  }
}

const idOf = (execution: unknown): string => (execution as { readonly id: string }).id;

try {
  const loaded = readModule(await import(pathToFileURL(file).href));
  processors = new Map(loaded.map((one) => [one.name, one]));
  send({ type: 'ready', processors: loaded.map(({ name, description }) => ({ name, description })) });
} catch (error) {
  process.send?.({ type: 'unloadable', error: loadingError(error, file) } satisfies FromChild, () => process.exit(1));
}
