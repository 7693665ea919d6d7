// A server that records the messages posted to it, and what drives channels: the order, the matcher, and one run of the loop.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import type { Counts } from '../../src/kernel/index.ts';
import { matchAll, order } from '../jobs/matcher.ts';
import { key } from '../support/books.ts';

export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a path answers; `hang`: nothing, until it is released. */
export type Answer = number | 'hang' | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** What the n-th request of a path is answered, from 1 on. */
export type Answers = Answer | ((nth: number) => Answer);

export interface Receiver {
  url(path: string): string;
  /** Default 200. */
  answers(path: string, answers: Answers): void;
  posted(path: string): Posted[];
  /** Resolves when the path has so many messages. */
  reached(path: string, count: number): Promise<void>;
  /** Answers what hangs, and everything from now on. */
  release(path: string): void;
}

/** Call at the top of a file. */
export async function useReceiver(): Promise<Receiver> {
  const posted: Posted[] = [];
  const answers = new Map<string, Answers>();
  const hanging: { readonly path: string; readonly response: ServerResponse }[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const text = Buffer.concat(chunks).toString();
      posted.push({ path, headers: request.headers, text, body: JSON.parse(text) as Posted['body'] });
      const given = answers.get(path) ?? 200;
      const answer = typeof given === 'function' ? given(posted.filter((one) => one.path === path).length) : given;
      for (const look of waiting) look();
      if (answer === 'hang') {
        hanging.push({ path, response });
        return;
      }
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
      response.writeHead(status, headers).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    answers: (path, answer) => answers.set(path, answer),
    posted: (path) => posted.filter((one) => one.path === path),
    reached: (path, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (posted.filter((one) => one.path === path).length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    release(path) {
      answers.set(path, 200);
      for (const one of hanging) if (one.path === path) one.response.end('ok');
    },
  };
}

/** Sends everything that is due: orders and matches events, and runs the loop until nothing is left. */
export async function sendAll(engine: Engine): Promise<Counts> {
  await order(engine);
  await matchAll(engine);
  const loop = engine.loops.find(({ name }) => name === 'notifications');
  if (!loop) throw new Error('there is no loop of notifications');
  return (await loop.runOnce()).counts;
}

/** Payments that fail for good, one event each. Returns their ids. */
export async function failPayments(tenant: TenantHandle, count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const made = await tenant.createPayment({
      from: 'alice',
      to: 'bob',
      asset: 'USD/2',
      amount: 1_050n,
      funding: 'at_execution',
      delay: '48h',
      idempotencyKey: key(),
    });
    await tenant.failPayment(made.id, 'not wanted: token=s3cret');
    ids.push(made.id);
  }
  return ids;
}
