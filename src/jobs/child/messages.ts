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
      readonly tenantId: string;
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
const FIELDS: Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => boolean>> = {
  ready: ({ processors }) => Array.isArray(processors),
  unloadable: ({ error }) => typeof error === 'string',
  done: ({ n, result }) => typeof n === 'number' && (result === null || typeof result === 'string'),
  failed: ({ n, error }) => typeof n === 'number' && typeof error === 'string',
  pong: ({ rssBytes }) => typeof rssBytes === 'number',
};

/** Null for anything else: the code of processors can use the same channel (`process.send`), for a parent that it expects. */
export function readFromChild(message: unknown): FromChild | null {
  if (typeof message !== 'object' || message === null || !('type' in message)) return null;
  const { type } = message;
  const isOurs = typeof type === 'string' && Object.hasOwn(FIELDS, type) && FIELDS[type]?.({ ...message });
  return isOurs ? (message as FromChild) : null;
}

export interface WatchdogData {
  readonly parent: number;
  readonly memoryBytes: number;
}
