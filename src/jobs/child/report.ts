// Reports on stderr where a processor failed: an execution keeps the message of an error, and not its stack. The message is left out here, as in
// every log, since it can quote data. An error that repeats is printed once a minute.
import { describeError, framesOf } from '../../kernel/index.ts';

const EVERY_MS = 60_000;
/** Errors that are remembered. */
const MOST = 100;

export class FailureReport {
  readonly #print: (text: string) => void;
  readonly #printedMs = new Map<string, number>();

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  failed(processor: string, execution: string, error: unknown, nowMs = performance.now()): void {
    const says = [describeError(error), framesOf(error)].filter((part) => part !== '').join('\n');
    const key = `${processor} ${says}`;
    if (nowMs - (this.#printedMs.get(key) ?? -Infinity) < EVERY_MS) return;
    if (this.#printedMs.size >= MOST) this.#printedMs.clear();
    this.#printedMs.set(key, nowMs);
    this.#print(`processor "${processor}" failed in ${execution}: ${says}`);
  }
}
