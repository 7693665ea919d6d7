// What the causes of codes share: an API with an end user or two, and a few ways to ask.
import { connect } from 'node:net';
import { inSeconds, shared, token } from '../access/tokens.ts';
import type { Answer, TestApi } from '../api/api.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import type { IdKind } from '../../src/kernel/index.ts';

/**
 * The shortest way to bring a code about: the answer that has it, or the code itself where it is no answer to a request but
 * what the library throws, or what is told of a payment afterwards.
 */
export type Cause = (store: TestApi) => Promise<Answer | string>;

export const SECRET = 'the-secret-of-the-environment-0123456789';

export const tokenOf = (sub: string): string => token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) });

/** An id that nothing has. */
export const nobodys = (kind: IdKind): string => toTypeId(kind, newId());

let names = 0;
export const fresh = (what: string): string => `${what}-${(names += 1)}`;

export const HOLD = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '1h' };

export const hold =
  (change: object): Cause =>
  (store) =>
    store.send('POST /holds', { body: { ...HOLD, ...change } });

export const made = async (store: TestApi, request: string, body: object): Promise<string> =>
  (await store.send(request, { body })).word('id');

/** An account of its own, with that much money. */
export async function funded(store: TestApi, amount = 1_000): Promise<string> {
  const ref = fresh('account');
  await store.send('POST /accounts', { body: { ref } });
  await store.send(`POST /accounts/${ref}/deposit`, { body: { asset: 'USD/2', amount } });
  return ref;
}

/** A payment that is due at once, tried once by the processor. */
export async function tried(store: TestApi, change: object = {}): Promise<string> {
  const id = await made(store, 'POST /payments', { ...HOLD, delay: '0s', ...change });
  await store.run('processor');
  return id;
}

/** The code of the problem that comes back on a bare socket before the server hangs up. */
export function spoken(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => (heard += data.toString()));
    socket.on('error', reject).on('close', () => resolve(/"code":"([A-Z_]+)"/.exec(heard)?.[1] ?? heard));
  });
}
