// Messages between a worker and the child process of its processors, which travel as JSON, and what the child hands to its watchdog.
import type { AbortCause } from '../run-invocation.ts';

export type ToChild =
  | {
      readonly type: 'run';
      /** Names the invocation in later messages. */
      readonly n: number;
      readonly processor: string;
      readonly event: unknown;
      readonly execution: unknown;
    }
  | { readonly type: 'abort'; readonly n: number; readonly cause: AbortCause }
  | { readonly type: 'ping' };

export type FromChild =
  | { readonly type: 'ready'; readonly processors: readonly { readonly name: string; readonly description: string }[] }
  | { readonly type: 'unloadable'; readonly error: string }
  /** `result` is JSON; null for none. */
  | { readonly type: 'done'; readonly n: number; readonly result: string | null }
  | { readonly type: 'failed'; readonly n: number; readonly error: string; readonly permanent: boolean }
  | { readonly type: 'pong'; readonly rssBytes: number };

export const MEBIBYTE = 1024 * 1024;

export interface WatchdogData {
  readonly parent: number;
  readonly memoryBytes: number;
}
