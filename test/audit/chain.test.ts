import { beforeAll, describe, expect, test } from 'vitest';
import { readAnchors, sealEvents, verifyChains } from '../../src/audit/index.ts';
import type { Database, Transaction } from '../../src/db/index.ts';
import { appendEvents, placeEvents } from '../../src/events/index.ts';
import type { Uuid } from '../../src/kernel/index.ts';
import { LIBRARY, newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { foundAfter, sealAnew } from './tamper.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const EVENTS = 8;

describe('the chain of the record', () => {
  const store = useUsance();
  const tell = (tenantId: Uuid, count = 1): Promise<void> =>
    store.db.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, (_, n) => ({
          ...LIBRARY,
          ip: '192.0.2.1',
          tenantId,
          type: 'account.updated' as const,
          resource: 'account',
          resourceId: newId(),
          data: { n, note: 'ü "quoted" \\ 💶', big: 9007199254740993n },
          occurredAt: new Date('2026-03-01T12:00:00.123Z'),
        })),
      ),
    );
  const placeAll = async (): Promise<void> => {
    while (((await placeEvents(store.db, FIRST))?.count ?? 1) > 0);
  };
  const sealAll = async (): Promise<void> => {
    await placeAll();
    while ((await sealEvents(store.db)) !== 0);
  };
  const broken = async (): Promise<unknown> => (await verifyChains(store.db)).flatMap(({ offenders }) => offenders);
  const links = (): Promise<Record<string, unknown>[]> =>
    store.owner.query(
      `select tenant_id, count(*)::int as links, min(seq)::int as first, max(seq)::int as last from usance.seals group by 1 order by 1`,
    );

  beforeAll(async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    for (let n = 0; n < EVENTS / 2; n += 1) {
      await tell(store.tenant.id, 2);
      await tell(other.id);
    }
    await sealAll();
  });

  test('has a link for every event, without gaps, a chain for every tenant', async () => {
    const chains = await links();
    expect(chains).toHaveLength(2);
    for (const { links: count, first, last } of chains) expect([first, last]).toEqual([1, count]);
    const [counted] = await store.owner.query(
      `select (select count(*) from usance.events) - (select count(*) from usance.seals) as rest`,
    );
    expect(counted).toEqual({ rest: '0' });
    expect(await broken()).toEqual([]);
    expect(await sealEvents(store.db)).toBe(0);
  });

  test('is made once by twenty sealers at once, while events are told', async () => {
    const [before] = await links();
    const telling = Array.from({ length: 10 }, async () => {
      for (let n = 0; n < 5; n += 1) await tell(store.tenant.id, 3);
    });
    const seal = async (): Promise<void> => {
      for (let n = 0; n < 5; n += 1) {
        await placeEvents(store.db, FIRST);
        await sealEvents(store.db, 7);
      }
    };
    await Promise.all([...telling, ...Array.from({ length: 20 }, seal)]);
    await sealAll();
    expect((await links())[0]).toMatchObject({ links: Number(before?.['links']) + 150, first: 1 });
    expect(await broken()).toEqual([]);
  });

  test('goes on where it was, whenever a sealer dies', async () => {
    let lost = 0;
    for (let survives = 0; ; survives += 1) {
      await tell(store.tenant.id, 3);
      await placeAll();
      let sent = 0;
      const dying = store.pool({
        maxConnections: 1,
        onStatement: () => {
          if ((sent += 1) > survives) throw new Error('killed');
        },
      });
      const sealed = await sealEvents(dying).catch(() => null);
      expect(await broken()).toEqual([]);
      if (sealed !== null) break;
      lost += 1;
    }
    // Begin, lock, look, read, heads, write, commit.
    expect(lost).toBeGreaterThanOrEqual(6);
    await sealAll();
    expect(await broken()).toEqual([]);
  });

  test.each([
    'update usance.seals set hash = previous',
    'update usance.seals set salt = null',
    'delete from usance.seals',
    `update usance.events set actor = 'x'`,
    `update usance.events set data = '{"erased": true}'`,
    'delete from usance.events',
  ])('cannot be changed by the engine: %s', async (text) => {
    await expect(store.db.query(text)).rejects.toMatchObject({ code: '42501' });
  });

  test.each([
    'update usance.seals set hash = previous',
    'update usance.seals set seq = seq + 1000',
    'update usance.seals set salt = null, hash = previous',
    'delete from usance.seals',
    'truncate usance.seals',
    `update usance.events set actor = 'x'`,
    `update usance.events set data = '{}'`,
    `update usance.events set data = '{"erased": true}', ip = null, user_agent = null, actor = 'x'`,
    'delete from usance.events',
    'truncate usance.events',
  ])('nor by the owner: %s', async (text) => {
    await expect(store.owner.query(text)).rejects.toMatchObject({ code: '23001' });
  });

  describe('changed by somebody who can change everything', () => {
    const owner = (): Database => store.owner;
    const nth = (n: number): string =>
      `(select event_id from usance.seals where tenant_id = (select id from usance.tenants where name = 'shop') and seq = ${n})`;
    const event = (n: number): string => `id = ${nth(n)}`;
    const order = (n: number): string => `event_id = ${nth(n)}`;
    const all =
      (...texts: string[]) =>
      async (tx: Transaction): Promise<void> => {
        for (const text of texts) await tx.query(text);
      };

    test.each([
      ['who', `actor = 'somebody else'`],
      ['what', `type = 'thing.else'`],
      ['to what', 'resource_id = gen_random_uuid()'],
      ['what it told', `data = '{"n": 7}'`],
      ['from where', `ip = '203.0.113.9'`],
      ['for which request', `request_id = 'another'`],
      ['when, by a microsecond', `recorded_at = recorded_at + interval '1 microsecond'`],
    ])('an edited event is found: %s', async (_what, change) => {
      const found = await foundAfter(owner(), all(`update usance.events set ${change} where ${event(3)}`));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^events-are-as-sealed: .*"seq":"3".*changed/);
    });

    test.each([
      ['a removed event', [`delete from usance.events where ${event(3)}`]],
      [
        'with its place',
        [`delete from usance.events where ${event(3)}`, `delete from usance.event_order where ${order(3)}`],
      ],
      [
        'with its place and its link',
        [
          `delete from usance.events where ${event(3)}`,
          `delete from usance.event_order where ${order(3)}`,
          'delete from usance.seals where seq = 3',
        ],
      ],
      ['a removed link', [`delete from usance.seals where seq = 3`]],
      ['an edited link', [`update usance.seals set hash = digest where seq = 3`]],
      ['a link cut off from the one before', [`update usance.seals set previous = digest where seq = 3`]],
      ['another salt', [`update usance.seals set salt = decode(repeat('00', 16), 'hex') where seq = 3`]],
      ['the beginning', ['delete from usance.seals where seq = 1']],
      [
        'two events in each other’s place',
        [
          `update usance.seals set seq = seq + 1000, place = place + 1000 where seq in (3, 4)`,
          `update usance.seals s set seq = case when s.seq = 1003 then 4 else 3 end, place = s.place - 1000 where s.seq > 1000`,
        ],
      ],
      [
        'two places exchanged',
        [
          `create temp table two as select seq, event_id from usance.event_order where event_id in (${nth(3)}, ${nth(4)})`,
          `delete from usance.event_order where seq in (select seq from two)`,
          `insert into usance.event_order (seq, tenant_id, event_id)
           select a.seq, (select id from usance.tenants where name = 'shop'), b.event_id from two a join two b on a.seq <> b.seq`,
        ],
      ],
      [
        'an event that was slipped in',
        [
          `insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, occurred_at)
           select tenant_id, gen_random_uuid(), type, resource, resource_id, data, actor, occurred_at from usance.events where ${event(3)}`,
        ],
      ],
      [
        'one that pushed the others along',
        [
          `insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, occurred_at)
           select tenant_id, '01900000-0000-7000-8000-000000000001', type, resource, resource_id, data, actor, occurred_at from usance.events where ${event(3)}`,
          `create temp table later as select * from usance.event_order where seq >= (select seq from usance.event_order where ${order(3)})`,
          `delete from usance.event_order where seq in (select seq from later)`,
          `insert into usance.event_order (seq, tenant_id, event_id) select seq + 1, tenant_id, event_id from later`,
          `insert into usance.event_order (seq, tenant_id, event_id)
           select min(seq), (select id from usance.tenants where name = 'shop'), '01900000-0000-7000-8000-000000000001' from later`,
          `update usance.sequencer set last_seq = last_seq + 1`,
        ],
      ],
      [
        'what was erased without a word',
        [
          `update usance.events set data = '{"erased": true}', ip = null, user_agent = null where ${event(3)}`,
          `update usance.seals set salt = null where ${order(3)}`,
        ],
      ],
    ])('is found: %s', async (_what, texts) => {
      const found = await foundAfter(owner(), async (tx) => {
        for (const text of texts) await tx.query(text);
      });
      expect(found.length).toBeGreaterThan(0);
    });

    test('a chain that was rebuilt over an edited event is found only by an anchor', async () => {
      const anchors = await readAnchors(store.db, new Date());
      const deed = async (tx: Transaction): Promise<void> => {
        await tx.query(`update usance.events set actor = 'somebody else' where ${event(3)}`);
        await sealAnew(tx);
      };
      expect(await foundAfter(owner(), deed)).toEqual([]);
      const found = await foundAfter(owner(), deed, anchors);
      expect(found.every((line) => line.startsWith('anchors-hold: ') && line.includes('another hash'))).toBe(true);
      expect(found.length).toBeGreaterThan(0);
      expect(await foundAfter(owner(), async () => undefined, anchors)).toEqual([]);
    });

    test('an end that was cut off, events, places and links, is shown by an anchor alone', async () => {
      await tell(store.tenant.id, 3);
      await sealAll();
      const anchors = await readAnchors(store.db, new Date());
      const gone = `(select event_id from usance.event_order order by seq desc limit 3)`;
      const deed = all(
        `delete from usance.seals where event_id in ${gone}`,
        `delete from usance.events where id in ${gone}`,
        `delete from usance.event_order where event_id in ${gone}`,
        `update usance.sequencer set last_seq = last_seq - 3`,
      );
      expect(await foundAfter(owner(), deed)).toEqual([]);
      expect((await foundAfter(owner(), deed, anchors))[0]).toMatch(/^anchors-hold: .*the chain ends at/);
    });

    test('of what is not sealed yet, a removed event is found by its place, and one removed with its place is not', async () => {
      await tell(store.tenant.id, 1);
      await placeAll();
      const last = '(select event_id from usance.event_order order by seq desc limit 1)';
      const removed = `delete from usance.events where id = ${last}`;
      expect((await foundAfter(owner(), all(removed)))[0]).toMatch(/^places-have-events: .*missing event/);
      const whole = all(
        removed,
        `delete from usance.event_order where event_id = ${last}`,
        'update usance.sequencer set last_seq = last_seq - 1',
      );
      expect(await foundAfter(owner(), whole)).toEqual([]);
    });

    test('a tenant whose chain is gone is missed by its anchors', async () => {
      const anchors = await readAnchors(store.db, new Date());
      const deed = all(
        'delete from usance.seals',
        'delete from usance.events',
        'delete from usance.event_order',
        'update usance.sequencer set last_seq = 0',
        'delete from usance.event_inbox',
      );
      expect(await foundAfter(owner(), deed)).toEqual([]);
      expect(await foundAfter(owner(), deed, anchors)).toHaveLength(2);
    });
  });
});
