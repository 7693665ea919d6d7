// Many who connect and then hardly say a word. They cost a socket each until their time is up; nobody else waits for them.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import { sendTo, useApi } from './api.ts';

const SLOW = 2_000;
const AT_ONCE = 100;

const BEGINNINGS = [
  'GET /v1/assets HTTP/1.1\r\nHost: usance\r\nX-Slow: ',
  'POST /v1/holds HTTP/1.1\r\nHost: usance\r\nContent-Type: application/json\r\nContent-Length: 500\r\n',
  'G',
  '',
];

const store = useApi();

describe('thousands of slow sockets', () => {
  const state: { api?: Api; url?: string } = {};
  const sockets: Socket[] = [];
  const closed = { count: 0 };
  const open = (port: number, beginning: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(beginning);
        resolve();
      });
      socket.once('error', reject).once('close', () => (closed.count += 1));
      socket.resume();
      sockets.push(socket);
    });

  beforeAll(async () => {
    state.api = createApi(store.usance, {
      host: '127.0.0.1',
      port: 0,
      maxConnectionsPerAddress: 0,
      headersTimeoutMs: 2_000,
      requestTimeoutMs: 2_500,
    });
    state.url = (await state.api.listen()).url;
    const port = Number(new URL(state.url).port);
    for (let n = 0; n < SLOW; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => open(port, BEGINNINGS[i % BEGINNINGS.length] ?? '')));
    }
  }, 60_000);
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await state.api?.close();
  });

  test('do not stop a request', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => sendTo(state.url ?? '', store.secret, 'GET /assets', {})),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('are closed at their timeout, and other clients are served meanwhile', async () => {
    const asking = async (): Promise<number> => (await sendTo(state.url ?? '', store.secret, 'GET /assets', {})).status;
    await expect
      .poll(async () => [await asking(), closed.count], { timeout: 45_000, interval: 250 })
      .toEqual([200, SLOW]);
  }, 60_000);
});

test('more connections than were allowed are closed as they come', async () => {
  const api = createApi(store.usance, { host: '127.0.0.1', port: 0, maxConnections: 2 });
  const port = Number(new URL((await api.listen()).url).port);
  const held = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const third = connect(port, '127.0.0.1');
  third.on('error', () => undefined);
  await new Promise((resolve) => third.once('close', resolve));
  for (const socket of held) socket.destroy();
  await api.close();
});
