// A small world to ask about, a tenant of its own for every round: what one round closes, pauses or has to be approved is not
// the next one's.
import type { TestApi } from '../../api/api.ts';
import { sendTo } from '../../api/api.ts';
import type { Operation } from './operations.ts';
import { randomOf } from './random.ts';
import type { World } from './requests.ts';
import { located } from './requests.ts';

const ACCOUNTS = 10;
const PAYMENTS = 60;
/** The key that the fuzzer asks with: revoked, it could ask nothing more. */
const OWN_KEY = 'the fuzzer’s own';

export async function makeWorld(api: TestApi, operations: readonly Operation[], round: number): Promise<World> {
  const tenant = await api.usance.createTenant({ name: `fuzz-${round}` });
  await tenant.createAsset('USD/2');
  const { secret } = await tenant.createApiKey({ name: OWN_KEY, scopes: ['admin'] });
  const must = async (request: string, body?: unknown) => {
    const answer = await sendTo(api.url, secret, request, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${request} answered ${answer.text}`);
    return answer;
  };
  const refs = Array.from({ length: ACCOUNTS }, (_none, at) => `fuzz-${round}-${at}`);
  const ids: string[] = [];
  for (const ref of refs) {
    ids.push((await must('POST /accounts', { ref })).word('id'));
    await must(`POST /accounts/${ref}/deposit`, { amount: '1000000', asset: 'USD/2' });
  }
  const [from = '', to = ''] = refs;
  const payments: string[] = [];
  for (let at = 0; at < PAYMENTS; at += 1) {
    const made = await must('POST /holds', { from, to, asset: 'USD/2', amount: '100', delay: '1h' });
    payments.push(made.word('id'));
  }
  // Some of them over already.
  for (const id of payments.slice(0, 10)) await must(`POST /payments/${id}/run-now`);
  await api.run('processor');
  for (const id of payments.slice(10, 15)) await must(`POST /payments/${id}/fail`, { reason: 'for the world' });
  for (const id of payments.slice(15, 20)) await must(`POST /payments/${id}/cancel`);
  await api.run('sequencer');
  const pause = await must('POST /pauses', { scope: 'rail', value: 'ledger', reason: 'for an id' });
  await must(`DELETE /pauses/${pause.word('id')}`);
  const cursors = [];
  for (const list of ['/holds', '/payments', '/accounts', '/events', `/accounts/${from}/transfers`]) {
    cursors.push((await must(`GET ${list}?limit=1`)).word('next_cursor'));
  }
  const world = {
    secret,
    accounts: [...refs, ...ids],
    payments,
    others: [
      pause.word('id'),
      'pay_01jd3mzk4qe0rvb1rj4yj6d3zt',
      'acct_01jd3mzk4qe0rvb1rj4yj6d3zt',
      'pau_01jd3mzk4qe0rvb1rj4yj6d3zt',
      'key_01jd3mzk4qe0rvb1rj4yj6d3zt',
      'PAY_01JD3MZK4QE0RVB1RJ4YJ6D3ZT',
      'nobody',
      `fuzz-${round}-0\u0301`,
    ],
    cursors,
    round,
  };
  return { ...world, ids: await furnish(api, operations, world) };
}

/** One of everything else that the document knows how to make, and the ids that its lists then show. */
async function furnish(
  api: TestApi,
  operations: readonly Operation[],
  world: Omit<World, 'ids'>,
): Promise<World['ids']> {
  const plain = operations.filter(({ path }) => path.startsWith('/v1/') && !path.includes('{'));
  for (const { method, path, body } of plain) {
    if (method !== 'POST' || !body || /pauses|bulk|run-now/.test(path)) continue;
    // It may need what there is not; then there is none of it.
    await api.send(`POST ${path.slice('/v1'.length)}`, {
      body: located(body.example, world, randomOf(world.round, 0)),
    });
  }
  const ids: Record<string, string[]> = {};
  for (const { method, path } of plain.filter((one) => one.method === 'GET')) {
    const answer = await sendTo(api.url, world.secret, `${method} ${path.slice('/v1'.length)}`, {});
    const { data } = (answer.body ?? {}) as { data?: { id?: unknown; name?: unknown }[] };
    const shown = (data ?? []).flatMap(({ id, name }) => (typeof id === 'string' && name !== OWN_KEY ? [id] : []));
    if (shown.length > 0) ids[path] = shown;
  }
  return ids;
}
