// Bytes to a server and back, over a bare socket: a real client would refuse to send half of what is tried here.
import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection at a time, kept open as long as the server does. Null: it hung up without an answer. */
export class Wire {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** `hangsUp`: closes our side after the last byte, for what would otherwise wait for more. */
  async send(bytes: Buffer, options: { isHead: boolean; hangsUp: boolean }): Promise<WireAnswer | null> {
    const socket = await this.#open();
    const heard: Buffer[] = [];
    return new Promise((resolve) => {
      const done = (answer: WireAnswer | null, stays: boolean): void => {
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error');
        socket.on('error', () => undefined);
        if (!stays) this.close();
        resolve(answer);
      };
      socket.on('data', (chunk: Buffer) => {
        heard.push(chunk);
        const answer = readAnswer(Buffer.concat(heard), options.isHead);
        if (answer) done(answer, answer.headers['connection'] !== 'close' && !options.hangsUp);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => done(readAnswer(Buffer.concat(heard), true), false));
      socket.write(bytes);
      if (options.hangsUp) socket.end();
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    socket.removeAllListeners('error');
    this.#socket = socket;
    return socket;
  }
}

/** Null while there is more to come. */
function readAnswer(bytes: Buffer, withoutBody: boolean): WireAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  // 100 Continue is not the answer yet.
  if (status === 100) return readAnswer(bytes.subarray(end + 4), withoutBody);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = bytes.subarray(end + 4);
  if (withoutBody || status === 204 || status === 304) {
    // A request whose length is too short is followed by bytes that are no request, and these have an answer too.
    const isNextAnswer = rest.toString('latin1', 0, 9) === 'HTTP/1.1 ';
    if (isNextAnswer) return { status, headers: { ...headers, connection: 'close' }, body: '' };
    return { status, headers, body: rest.toString('utf8') };
  }
  const length = Number(headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${first}`);
  return rest.length < length ? null : { status, headers, body: rest.toString('utf8', 0, length) };
}
