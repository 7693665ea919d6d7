// Processors that behave badly, for tests of child processes. A file for each execution says what it does.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Context {
  readonly signal: AbortSignal;
  readonly tenantId: string;
}

/** `exit`, `throw`, `spin`, `leak`, `fail`, `ignore`, `wait`, `once`, `tenant`, `send`; anything else is done at once. */
const planOf = (id: string): string => join(process.env['USANCE_TEST_PLANS'] ?? '', id);

async function processor(_event: unknown, execution: { id: string }, { signal, tenantId }: Context): Promise<object> {
  const what = readFileSync(planOf(execution.id), 'utf8');
  if (what === 'exit') process.exit(7);
  if (what === 'throw')
    setTimeout(() => {
      throw new Error('nothing catches this');
    }, 1);
  if (what === 'spin') for (;;);
  if (what === 'leak') {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
  }
  if (what === 'fail') throw Object.assign(new Error('no such order'), { retryable: false });
  if (what === 'ignore' || what === 'throw') return new Promise(() => undefined);
  if (what === 'wait')
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 200);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  if (what === 'once') {
    writeFileSync(planOf(execution.id), 'done');
    process.exit(8);
  }
  if (what === 'tenant') return { tenantId };
  // Code that was written to run under another parent, such as a process manager.
  if (what === 'send') for (const message of [null, 'ready', 7, [], { type: 'done', n: 'x' }]) process.send?.(message);
  return { pid: process.pid };
}

/** One for each test: they run at the same time, and a worker runs what it can. */
export const processors = Array.from({ length: 12 }, (_, n) => ({
  name: `rough-${n}`,
  description: 'behaves as it is planned to',
  processor,
}));
