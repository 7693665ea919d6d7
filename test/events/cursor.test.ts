// Cursors certify themselves: after a failover that lost commits a consumer is told, and does not miss events silently.
import { describe, expect, test } from 'vitest';
import type { Answer } from '../api/api.ts';
import { useApi } from '../api/api.ts';
import { problemIn } from '../api/problem.ts';

const store = useApi();
const list = (query: string): Promise<Answer> => store.send(`GET /events?${query}`);
const told = async (...assets: string[]): Promise<void> => {
  for (const asset of assets) await store.tenant.createAsset(asset);
  await store.run('sequencer');
};
/** Loses the last blocks with their events, as a server does that takes over without them. */
const loseBlocks = async (count: number): Promise<void> => {
  const last = `select block_id from usance.event_blocks order by first_position desc limit ${count}`;
  await store.owner.query(
    `begin; set local session_replication_role = replica; create temp table lost on commit drop as ${last};
     delete from usance.events where usance.block_of(id) in (select block_id from lost);
     delete from usance.event_blocks where block_id in (select block_id from lost); commit`,
  );
};

describe('a cursor', () => {
  test('is the seq and a piece of the hash of its block, of every event and of every page', async () => {
    await told('AAA/2', 'BBB/2', 'CCC/2');
    const all = await list('limit=100');
    const events = all.list('data') as { seq: number; cursor: string; id: string }[];
    for (const { seq, cursor } of events) expect(cursor).toMatch(new RegExp(`^${seq}-[0-9a-f]{8}$`));
    for (const { seq, cursor } of events) {
      const rest = (await list(`limit=100&after=${cursor}`)).list('data') as { seq: number }[];
      expect(rest.map((event) => event.seq)).toEqual(events.slice(seq).map((event) => event.seq));
    }
    const page = await list('limit=1');
    expect((await list(`limit=1&cursor=${page.word('next_cursor')}`)).get('data.0.seq')).toBe(2);
  });

  test('beyond the end is refused, in a list and in a stream', async () => {
    const end = await store.tenant.lastEventSeq();
    expect((await list(`after=${end}`)).status).toBe(200);
    const beyond = await list(`after=${end + 1n}`);
    expect(beyond.status).toBe(409);
    expect(problemIn(beyond).code).toBe('CURSOR_DIVERGED');
    expect(beyond.word('detail')).toContain(`which is ${end}`);
    const stream = await store.send('GET /events/stream', { headers: { 'last-event-id': `${end + 1n}` } });
    expect(problemIn(stream).code).toBe('CURSOR_DIVERGED');
  });

  test('of commits that were lost is refused once other events took their numbers', async () => {
    await told('DDD/2', 'EEE/2');
    const events = (await list('limit=100')).list('data') as { seq: number; cursor: string }[];
    const [kept, lost] = [events.at(-2)?.cursor ?? '', events.at(-1)?.cursor ?? ''];
    await loseBlocks(1);
    expect(problemIn(await list(`after=${lost}`)).code).toBe('CURSOR_DIVERGED');
    await told('FFF/2', 'GGG/2');
    const refused = await list(`after=${lost}`);
    expect(problemIn(refused).code).toBe('CURSOR_DIVERGED');
    const stream = await store.send('GET /events/stream', { headers: { 'last-event-id': lost } });
    expect(problemIn(stream).code).toBe('CURSOR_DIVERGED');
    const rest = (await list(`after=${kept}`)).list('data') as { type: string }[];
    expect(rest.map(({ type }) => type)).toEqual(['asset.created', 'asset.created']);
    // A bare number is only compared with the end.
    expect((await list(`after=${lost.split('-')[0]}`)).status).toBe(200);
  });

  test.each([
    ['none took their numbers yet', ['GGG/2']],
    ['others took their numbers', ['GGG/2', 'HHH/2', 'III/2', 'JJJ/2', 'KKK/2']],
  ])('of commits that were lost ends an open stream: %s', async (_, newer) => {
    const own = (name: string): string => name.replace('/', `${newer.length}/`);
    const headers = { authorization: `Bearer ${store.secret}` };
    const answer = await fetch(`${store.url}/v1/events/stream?after=${await store.tenant.lastEventSeq()}`, { headers });
    const reader = answer.body?.getReader();
    let text = '';
    const readOn = async (): Promise<boolean> => {
      const part = await reader?.read().catch(() => null);
      text += new TextDecoder().decode(part?.value);
      return part?.value !== undefined;
    };
    await told(...['DDD/2', 'EEE/2', 'FFF/2'].map(own));
    while (!text.includes(own('FFF/2'))) await readOn();
    const read = /.*^id: (\S+)$/ms.exec(text)?.[1] ?? '';
    // The three are lost, and found to be, between two looks of the stream.
    await loseBlocks(3);
    await told(...newer.map(own));
    while (await readOn());
    for (const asset of newer) expect(text).not.toContain(own(asset));
    expect(problemIn(await list(`after=${read}`)).code).toBe('CURSOR_DIVERGED');
  });

  test.each(['x', '-1', '1-', '1-xyz', '1-0123456', '1.5'])('that reads %s is refused', async (after) => {
    expect((await list(`after=${after}`)).status).toBe(400);
  });
});
