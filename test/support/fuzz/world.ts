// A small world to ask about, made anew for every round: what one round cancels, closes and pauses is not the next one's.
import type { TestApi } from '../../api/api.ts';
import type { World } from './requests.ts';

const ACCOUNTS = 10;
const PAYMENTS = 60;

export async function makeWorld(api: TestApi, round: number): Promise<World> {
  const must = async (request: string, body?: unknown) => {
    const answer = await api.send(request, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${request} answered ${answer.text}`);
    return answer;
  };
  for (const pause of (await must('GET /pauses')).list('data') as { id: string }[])
    await must(`DELETE /pauses/${pause.id}`);
  const refs = Array.from({ length: ACCOUNTS }, (_none, at) => `fuzz-${round}-${at}`);
  const ids: string[] = [];
  for (const ref of refs) {
    ids.push((await must('POST /accounts', { ref })).word('id'));
    await must(`POST /accounts/${ref}/deposits`, { amount: '1000000', asset: 'USD/2' });
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
  return {
    secret: api.secret,
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
}
