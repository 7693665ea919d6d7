// A server that answers in every way, over TLS under the name of its certificate, or without.
import type { Server as HttpServer, IncomingMessage, RequestListener } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll } from 'vitest';
import { createAuthority } from './certificates.ts';
import type { Certificate } from './certificates.ts';

export const NAME = 'sink.example';
export const authority = createAuthority();
/** Every name leads to this machine: with `loopback`, which the tests set. */
export const here = async (): Promise<readonly string[]> => ['127.0.0.1'];

export interface Sink {
  readonly port: number;
  /** With the certificate's name. */
  readonly url: string;
  /** Connections that were accepted. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface SinkOptions {
  /** Null: plain HTTP. Default: a good one. */
  readonly certificate?: Certificate | null;
  readonly onSocket?: (socket: Socket) => void;
}

/** Opens a sink, which is closed with the test file. */
export async function openSink(
  answer: RequestListener,
  { certificate = authority.issue([NAME]), onSocket }: SinkOptions = {},
): Promise<Sink> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server: HttpServer = certificate ? createHttps(certificate, answer) : createHttp(answer);
  server.on('connection', (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    onSocket?.(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sink: Sink = {
    port,
    url: `${certificate ? 'https' : 'http'}://${NAME}:${port}`,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  opened.push(sink);
  return sink;
}

const opened: Sink[] = [];

/** Call at the top of a file. */
export function useSinks(): void {
  afterAll(async () => {
    await Promise.all(opened.splice(0).map((sink) => sink.close()));
  });
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
