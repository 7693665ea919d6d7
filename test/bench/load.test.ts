// The client that benches load a server with: a server that hangs ends the run, and not the patience of who waits for it.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { sendAll } from '../../bench/load.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A server that says so much to each request on a connection, in turn, and then nothing any more. */
async function startServer(...says: string[]): Promise<{ url: string; isLeft: () => Promise<unknown> }> {
  const server = createServer((socket) => {
    const left = [...says];
    socket.on('data', () => socket.write(left.shift() ?? '')).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // It is closed when the last connection is.
  return { url: `http://127.0.0.1:${port}`, isLeft: () => once(server.close(), 'close') };
}

const order = (url: string, requests: number) => ({
  url,
  secret: 'usk_test',
  atOnce: 3,
  requests: Array.from({ length: requests }, () => ({ method: 'GET', path: '/v1/assets' }) as const),
  status: 200,
  timeoutMs: 300,
});

test.each([
  ['says nothing at all', []],
  ['stops in the middle of an answer', [ANSWER.slice(0, -1)]],
  ['stops after the first answer of each connection', [ANSWER]],
])('a server that %s is given up, and no connection is left', async (_title, says) => {
  const { url, isLeft } = await startServer(...says);
  await expect(sendAll(order(url, 9))).rejects.toThrow('nothing was heard for 300 ms');
  await isLeft();
});

test('a server that answers is measured, every request of it', async () => {
  const { url, isLeft } = await startServer(...Array.from({ length: 9 }, () => ANSWER));
  const { waits, ms } = await sendAll({ ...order(url, 9), timeoutMs: 60_000 });
  expect(waits).toHaveLength(9);
  expect(ms).toBeGreaterThanOrEqual(Math.max(...waits));
  await isLeft();
});
