// Time is moved by hand.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createNotifier } from '../../src/queue/notifier.ts';
import type { WakeUp } from '../../src/queue/index.ts';

describe('a notifier', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const create = (notify: (kinds: readonly WakeUp[]) => Promise<void> = () => Promise.resolve()) => {
    const statements: string[] = [];
    const [onSent, onFailed] = [vi.fn<(kind: WakeUp) => void>(), vi.fn<(error: unknown) => void>()];
    const notifier = createNotifier(
      (kinds) => {
        statements.push(kinds.join(' '));
        return notify(kinds);
      },
      { onSent, onFailed },
    );
    return { notifier, statements, onSent, onFailed };
  };
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  test('sends the first wake-up at once, and those after it together 50 ms later, each kind once', async () => {
    const { notifier, statements, onSent } = create();
    notifier.send('payments_due');
    expect(statements).toEqual(['payments_due']);
    for (let n = 0; n < 100; n += 1) notifier.send('payments_due');
    notifier.send('events_appended');
    await pass(49);
    expect(statements).toHaveLength(1);
    await pass(1);
    expect(statements).toEqual(['payments_due', 'payments_due events_appended']);
    expect(onSent).toHaveBeenCalledTimes(3);
    await pass(1_000);
    expect(statements).toHaveLength(2);
    notifier.send('payments_due');
    expect(statements).toHaveLength(3);
  });

  test('sends 20 statements a second, however many wake-ups there are', async () => {
    const { notifier, statements } = create();
    for (let ms = 0; ms < 999; ms += 1) {
      notifier.send('events_appended');
      await pass(1);
    }
    expect(statements).toHaveLength(20);
  });

  test('does not send the next statement before the last one was answered', async () => {
    const answer = Promise.withResolvers<void>();
    const { notifier, statements } = create(() => answer.promise);
    notifier.send('payments_due');
    notifier.send('payments_due');
    await pass(10_000);
    expect(statements).toHaveLength(1);
    answer.resolve();
    await pass(0);
    expect(statements).toHaveLength(2);
  });

  test('goes on after a statement that failed', async () => {
    const { notifier, statements, onSent, onFailed } = create(() => Promise.reject(new Error('the server is away')));
    notifier.send('payments_due');
    await pass(50);
    notifier.send('payments_due');
    await pass(50);
    expect(statements).toHaveLength(2);
    expect(onFailed).toHaveBeenCalledTimes(2);
    expect(onSent).not.toHaveBeenCalled();
  });

  test('that is closed sends what waits, and then nothing', async () => {
    const { notifier, statements } = create();
    notifier.send('payments_due');
    notifier.send('events_appended');
    await notifier.close();
    notifier.send('events_ordered');
    await pass(1_000);
    expect(statements).toEqual(['payments_due', 'events_appended']);
  });

  test('that is closed does not wait for a server that is away', async () => {
    const { notifier } = create(() => new Promise(() => undefined));
    notifier.send('payments_due');
    const closing = notifier.close();
    await pass(1_000);
    await closing;
  });
});
