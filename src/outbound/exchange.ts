// One request and its response on one connection.
import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { OutboundFailure, codeOf } from './failure.ts';

export interface ExchangeOrder {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
  readonly maxResponseBytes: number;
  /** The connection of this moment, to count what is read from it. */
  readonly socket: () => Socket | null;
}

/** Beside the body: headers, chunk lengths and their extensions, trailers and informational responses. */
const MOST_BESIDE_THE_BODY = 64 * 1024;
const MOST_INFORMATIONAL = 10;

export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  readonly truncated: boolean;
  /** From the moment the request was written to the first byte of the response. */
  readonly firstByteMs: number;
}

/** Belong to the connection, or would contradict the body that is sent. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a caller can set a header: a token (RFC 9110) that does not belong to the connection or to a proxy. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return /^[!#$%&'*+.^_`|~a-z0-9-]{1,100}$/.test(lower) && !OF_THE_CONNECTION.has(lower) && !lower.startsWith('proxy-');
}

/** Whether a header can have this value: visible ASCII, spaces and tabs, so that no line can be added to the request. */
export const isHeaderValue = (value: string): boolean => /^[\t -~]{0,4096}$/.test(value);

/** Rejects as soon as the signal ends, with its reason, whatever the connection does. */
export async function exchange(client: Client, order: ExchangeOrder, signal: AbortSignal): Promise<Exchanged> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const chunks: Buffer[] = [];
  let length = 0;
  let sentAt = performance.now();
  let firstByteMs = 0;
  let status: number | null = null;
  let headers: Exchanged['headers'] = {};
  let controller: Dispatcher.DispatchController | null = null;
  let isOver = false;
  let informational = 0;
  let stopCounting = (): void => undefined;

  const done = (truncated: boolean): void => {
    isOver = true;
    const body = Buffer.concat(chunks, Math.min(length, order.maxResponseBytes));
    resolve({ status: status ?? 0, headers, body, truncated, firstByteMs });
  };
  const fail = (error: unknown): void => {
    isOver = true;
    reject(error);
  };
  const giveUp = (message: string): void => {
    const failure = new OutboundFailure('BAD_RESPONSE', message, status);
    fail(failure);
    controller?.abort(failure);
  };
  const count = (socket: Socket): void => {
    const before = socket.bytesRead;
    const onReadable = (): void => {
      if (!isOver && socket.bytesRead - before > order.maxResponseBytes + MOST_BESIDE_THE_BODY)
        giveUp('the response is longer than its bound');
    };
    socket.on('readable', onReadable);
    stopCounting = () => void socket.off('readable', onReadable);
  };
  const onAbort = (): void => {
    const { reason } = signal;
    const { code, message } = reason instanceof OutboundFailure ? reason : new OutboundFailure('ABORTED', 'aborted');
    fail(new OutboundFailure(code, message, status));
    controller?.abort(reason as Error);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort);
  client.dispatch(
    {
      path: order.path,
      method: order.method,
      headers: Object.fromEntries(
        Object.entries(order.headers).filter(([name, value]) => isOwnHeader(name) && isHeaderValue(value)),
      ),
      body: order.body,
    },
    {
      onRequestStart(started) {
        controller = started;
        sentAt = performance.now();
        // It ended while the connection was opened.
        if (isOver) return started.abort(signal.reason as Error);
        const socket = order.socket();
        if (socket) count(socket);
      },
      onResponseStart(_controller, code, given) {
        if (code < 200) {
          informational += 1;
          if (informational > MOST_INFORMATIONAL && !isOver)
            giveUp('the destination sent too many informational responses');
          return;
        }
        status = code;
        headers = given;
        firstByteMs = performance.now() - sentAt;
      },
      onResponseData(started, chunk) {
        if (isOver) return;
        length += chunk.length;
        chunks.push(chunk);
        if (length <= order.maxResponseBytes) return;
        done(true);
        started.abort(new OutboundFailure('ABORTED', 'the response is longer than its bound'));
      },
      onResponseEnd() {
        if (!isOver) done(false);
      },
      onResponseError(_controller, error) {
        if (!isOver) fail(failureOf(error, status));
      },
    },
  );
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    stopCounting();
  });
}

/** Parser errors have a code of llhttp, or none. */
const isMalformed = (error: unknown, code: string, status: number | null): boolean =>
  code.startsWith('HPE_') ||
  code === 'UND_ERR_HEADERS_OVERFLOW' ||
  (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && status === null) ||
  (error instanceof Error && error.name === 'HTTPParserError');

function failureOf(error: unknown, status: number | null): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  if (isMalformed(error, code, status)) {
    return new OutboundFailure('BAD_RESPONSE', `the response is not valid HTTP/1.1 (${code})`, status);
  }
  const when = status === null ? 'before it answered' : 'in the middle of its response';
  return new OutboundFailure('RESET', `the destination closed the connection ${when} (${code})`, status);
}
