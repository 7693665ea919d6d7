import { beforeAll, describe, expect, test } from 'vitest';
import { readAnchors, sealCheckLoop, verifyChains } from '../../src/audit/index.ts';
import type { Database, Transaction } from '../../src/db/index.ts';
import { appendEvents, createSequencer, orderEvents } from '../../src/events/index.ts';
import type { Uuid } from '../../src/kernel/index.ts';
import { LIBRARY, newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { foundAfter, sealAnew } from './tamper.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

const BLOCKS = 4;

describe('the chain of the audit log', () => {
  const store = useUsance();
  const tell = (tenantId: Uuid, count = 1): Promise<unknown> =>
    store.db.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, (_, n) => ({
          ...LIBRARY,
          ip: '192.0.2.1',
          reason: n === 0 ? 'agreed by phone' : null,
          tenantId,
          type: 'account.updated' as const,
          resource: 'account',
          resourceId: newId(),
          data: { n, note: 'ü "quoted" \\ 💶', big: 9007199254740993n },
          occurredAt: new Date('2026-03-01T12:00:00.123Z'),
        })),
      ),
    );
  const broken = async (): Promise<unknown> => (await verifyChains(store.db)).flatMap(({ offenders }) => offenders);
  const chains = (): Promise<Record<string, unknown>[]> =>
    store.owner.query(
      `select tenant_id, count(*)::int as links, max(number)::int as last, max(last_seq)::int as events, sum(events)::int as counted
       from usance.event_blocks group by 1 order by 1`,
    );

  beforeAll(async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    for (let n = 0; n < BLOCKS; n += 1) {
      await tell(store.tenant.id, 2);
      await tell(other.id);
    }
    await orderAll(store.db);
  });

  test('has every event in one link, without gaps, a chain for every tenant', async () => {
    const found = await chains();
    expect(found).toHaveLength(2);
    for (const { links, last, events, counted } of found) expect([last, counted]).toEqual([links, events]);
    const [rest] = await store.owner.query(
      `select (select count(*) from usance.events) - (select sum(events) from usance.event_blocks) as rest`,
    );
    expect(rest).toEqual({ rest: '0' });
    expect(await broken()).toEqual([]);
    expect(await orderEvents(store.db)).toMatchObject({ blocks: 0 });
  });

  test('is made once by twenty sequencers at once, while events are appended', async () => {
    const [before] = await chains();
    const telling = Array.from({ length: 10 }, async () => {
      for (let n = 0; n < 5; n += 1) await tell(store.tenant.id, 3);
    });
    const order = async (): Promise<void> => {
      const sequencer = createSequencer(store.db, 7);
      for (let n = 0; n < 5; n += 1) await sequencer.order();
    };
    await Promise.all([...telling, ...Array.from({ length: 20 }, order)]);
    await orderAll(store.db);
    const links = Number(before?.['links']) + 50;
    expect((await chains())[0]).toMatchObject({ links, last: links, events: Number(before?.['events']) + 150 });
    expect(await broken()).toEqual([]);
  });

  test('continues where it was, whenever a sequencer dies', async () => {
    let lost = 0;
    for (let survives = 0; ; survives += 1) {
      await tell(store.tenant.id, 3);
      let sent = 0;
      const dying = store.pool({
        maxConnections: 1,
        onStatement: () => {
          if ((sent += 1) > survives) throw new Error('killed');
        },
      });
      const ordered = await orderEvents(dying).catch(() => null);
      expect(await broken()).toEqual([]);
      if (ordered !== null) break;
      lost += 1;
    }
    // Begin, lock, end, take, paths, write, commit.
    expect(lost).toBeGreaterThanOrEqual(6);
    await orderAll(store.db);
    expect(await broken()).toEqual([]);
  });

  test.each([
    'update usance.event_blocks set hash = digest',
    'delete from usance.event_blocks',
    `update usance.events set actor = 'x'`,
    `update usance.events set data = '{"erased":true}'`,
    'delete from usance.events',
  ])('cannot be changed by the engine: %s', async (text) => {
    await expect(store.db.query(text)).rejects.toMatchObject({ code: '42501' });
  });

  test.each([
    'update usance.event_blocks set hash = digest',
    'update usance.event_blocks_0 set last_seq = last_seq + 1000',
    'delete from usance.event_blocks',
    'delete from usance.event_blocks_0',
    'truncate usance.event_blocks',
    `update usance.events set actor = 'x'`,
    `update usance.events set data = '{}'`,
    `update usance.events set data = '{"erased":true}', ip = null, user_agent = null, request_id = null,
       trace_context = null, reason = null, salt = null, details = sha256('x')`,
    `update usance.events set data = '{"erased":true}', ip = null, user_agent = null, request_id = null,
       trace_context = null, salt = null, actor = 'x',
       details = usance.details_digest(salt, data::text, ip, user_agent, request_id, trace_context)`,
    `update usance.events set data = '{"erased":true}', ip = null, user_agent = null, request_id = null,
       trace_context = null, salt = null,
       details = usance.details_digest(salt, data::text, ip, user_agent, request_id, trace_context, reason)`,
    `update usance.events set data = '{"erased":true}', ip = null, user_agent = null, request_id = null,
       trace_context = null, reason = null, salt = null,
       details = usance.details_digest(salt, data::text, ip, user_agent, request_id, trace_context)`,
    `update usance.events set reason = null`,
    'delete from usance.events',
    'truncate usance.events',
  ])('nor by the owner: %s', async (text) => {
    await expect(store.owner.query(text)).rejects.toMatchObject({ code: '23001' });
  });

  describe('changed by an attacker with every right', () => {
    const owner = (): Database => store.owner;
    const SHOP = `(select id from usance.tenants where name = 'shop')`;
    /** The third block of the shop has two events or more. */
    const BLOCK = `(select block_id from usance.event_blocks where tenant_id = ${SHOP} and events = 2 order by number limit 1)`;
    const IN_BLOCK = `tenant_id = ${SHOP} and block_id = ${BLOCK}`;
    const ONE = `tenant_id = ${SHOP} and id = ${BLOCK}`;
    const COLUMNS = 'type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt';
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
      ['what it told, by a space', `data = (data::text || ' ')::json`],
      ['from where', `ip = '203.0.113.9'`],
      ['for which request', `request_id = 'another'`],
      ['why', `reason = 'nobody asked'`],
      ['that there was a reason', 'reason = null'],
      ['why, in the place of the request', 'request_id = reason, reason = null'],
      ['the version of what it told', 'version = 2'],
      ['its salt', 'salt = gen_random_uuid()'],
      ['when, by a microsecond', `recorded_at = recorded_at + interval '1 microsecond'`],
      ['when it happened, by a microsecond', `occurred_at = occurred_at + interval '1 microsecond'`],
    ])('an edited event is found: %s', async (_what, change) => {
      const found = await foundAfter(owner(), all(`update usance.events set ${change} where ${ONE}`));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^events-are-as-sealed: .*changed/);
    });

    test('a reason that is added to an event without one is found', async () => {
      const second = `tenant_id = ${SHOP} and reason is null and usance.block_of(id) = ${BLOCK}`;
      const found = await foundAfter(owner(), all(`update usance.events set reason = 'agreed' where ${second}`));
      expect(found).toEqual([expect.stringMatching(/^events-are-as-sealed: .*changed/)]);
    });

    test.each([
      ['a removed event', [`delete from usance.events where ${ONE}`]],
      [
        'a removed event and its block',
        [`delete from usance.events where ${ONE}`, `delete from usance.event_blocks where ${IN_BLOCK}`],
      ],
      [
        'a whole block with its link',
        [
          `delete from usance.events where tenant_id = ${SHOP} and usance.block_of(id) = ${BLOCK}`,
          `delete from usance.event_blocks where ${IN_BLOCK}`,
        ],
      ],
      ['a removed link', [`delete from usance.event_blocks where ${IN_BLOCK}`]],
      ['an edited link', [`update usance.event_blocks set hash = digest where ${IN_BLOCK}`]],
      ['an edited digest', [`update usance.event_blocks set digest = hash where ${IN_BLOCK}`]],
      ['another block to skip to', [`update usance.event_blocks set skip_seq = skip_seq + 1 where ${IN_BLOCK}`]],
      [
        'fewer events than it had',
        [`update usance.event_blocks set events = 1, last_seq = last_seq - 1 where ${IN_BLOCK}`],
      ],
      ['another number', [`update usance.event_blocks set number = number + 1000 where ${IN_BLOCK}`]],
      ['the beginning', [`delete from usance.event_blocks where tenant_id = ${SHOP} and number = 1`]],
      [
        'two blocks in each other’s place',
        [
          `create temp table two as select * from usance.event_blocks where tenant_id = ${SHOP} and number in (3, 4)`,
          `delete from usance.event_blocks where tenant_id = ${SHOP} and number in (3, 4)`,
          `insert into usance.event_blocks
             (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, digest, skip_seq, hash)
           select a.first_position, a.tenant_id, a.last_seq, a.number, b.block_id, b.events, b.recorded_at, b.digest, a.skip_seq, a.hash
           from two a join two b on a.number <> b.number`,
        ],
      ],
      [
        'a block that was ordered twice',
        [
          'drop index usance.event_blocks_0_block',
          `insert into usance.event_blocks
             (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, digest, skip_seq, hash)
           select (select max(first_position + events) from usance.event_blocks), tenant_id,
                  (select max(last_seq) from usance.event_blocks where tenant_id = ${SHOP}) + events, 1000, block_id, events, recorded_at,
                  digest, skip_seq, hash from usance.event_blocks where ${IN_BLOCK}`,
        ],
      ],
      [
        'two events in each other’s place',
        [
          `update usance.events set id = usance.block_of(id) where false`,
          `create temp table pair as select * from usance.events where tenant_id = ${SHOP} and usance.block_of(id) = ${BLOCK}`,
          `delete from usance.events where tenant_id = ${SHOP} and usance.block_of(id) = ${BLOCK}`,
          `insert into usance.events (tenant_id, id, ${COLUMNS})
           select a.tenant_id, a.id, b.type, b.version, b.resource, b.resource_id, b.data, b.actor, b.occurred_at, b.recorded_at, b.salt
           from pair a join pair b on a.id <> b.id`,
        ],
      ],
      [
        'an event that was slipped in behind its block',
        [
          `insert into usance.events (tenant_id, id, ${COLUMNS})
           select tenant_id, (left(id::text, 32) || '0100')::uuid, ${COLUMNS} from usance.events where ${ONE}`,
        ],
      ],
      [
        'an event without a block',
        [
          `insert into usance.events (tenant_id, id, ${COLUMNS})
           select tenant_id, '01900000-0000-7000-8000-000000000001', ${COLUMNS} from usance.events where ${ONE}`,
        ],
      ],
      [
        'what was erased without a word',
        [
          `update usance.events set details = usance.details_digest(salt, data::text, ip, user_agent, request_id, trace_context, reason),
             data = '{"erased":true}', ip = null, user_agent = null, request_id = null, trace_context = null, reason = null, salt = null
           where ${ONE}`,
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
        await tx.query(`update usance.events set actor = 'somebody else' where ${ONE}`);
        await sealAnew(tx);
      };
      expect(await foundAfter(owner(), deed)).toEqual([]);
      const found = await foundAfter(owner(), deed, anchors);
      expect(found.every((line) => line.startsWith('anchors-hold: ') && line.includes('another hash'))).toBe(true);
      expect(found.length).toBeGreaterThan(0);
      expect(await foundAfter(owner(), async () => undefined, anchors)).toEqual([]);
    });

    test('an end that was cut off, events and links, is found only by an anchor', async () => {
      await tell(store.tenant.id, 3);
      await orderAll(store.db);
      const anchors = await readAnchors(store.db, new Date());
      const last = '(select block_id from usance.event_blocks order by first_position desc limit 1)';
      const deed = all(
        `delete from usance.events where usance.block_of(id) = ${last}`,
        `delete from usance.event_blocks where block_id = ${last}`,
      );
      expect(await foundAfter(owner(), deed)).toEqual([]);
      expect((await foundAfter(owner(), deed, anchors))[0]).toMatch(/^anchors-hold: .*the chain ends at/);
    });

    test('a change between append and order is found', async () => {
      await tell(store.tenant.id, 1);
      const waiting = '(select block_ids[1] from usance.event_inbox order by n desc limit 1)';
      const found = await foundAfter(owner(), async (tx) => {
        await tx.query(`update usance.events set actor = 'somebody else' where id = ${waiting}`);
        await orderEvents({ ...owner(), ...tx, transaction: (work) => work(tx) });
      });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^events-are-as-sealed: .*the event was changed/);
    });

    test('of what is not ordered yet, a removed event is found, and one removed with its inbox row is not', async () => {
      await orderAll(store.db);
      await tell(store.tenant.id, 1);
      const here = (tx: Transaction): Database => ({ ...owner(), ...tx, transaction: (work) => work(tx) });
      const event = 'delete from usance.events where id = (select block_ids[1] from usance.event_inbox)';
      const gone = await foundAfter(owner(), async (tx) => {
        await tx.query(event);
        await orderEvents(here(tx));
      });
      expect(gone[0]).toMatch(/^events-are-as-sealed: .*the event is gone/);
      const row = await foundAfter(owner(), all('delete from usance.event_inbox'));
      expect(row[0]).toMatch(/^events-are-ordered: /);
      expect(await foundAfter(owner(), all(event, 'delete from usance.event_inbox'))).toEqual([]);
      await orderAll(store.db);
    });

    test('a tenant whose chain is gone is missed by its anchors', async () => {
      const anchors = await readAnchors(store.db, new Date());
      const deed = all(
        'delete from usance.event_blocks',
        'delete from usance.events',
        'delete from usance.event_inbox',
      );
      expect(await foundAfter(owner(), deed)).toEqual([]);
      expect(await foundAfter(owner(), deed, anchors)).toHaveLength(2);
    });

    test('a changed event is reported by the loop that compares new blocks', async () => {
      const seen: unknown[] = [];
      const undone = owner().transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query(`update usance.events set actor = 'somebody else' where ${ONE}`);
        const here: Database = { ...owner(), ...tx, transaction: (work) => work(tx) };
        const loop = sealCheckLoop(here, async (tenantId, details) => void seen.push({ tenantId, ...details }));
        const { counts } = await loop.runOnce(new AbortController().signal, false);
        expect(counts['faults']).toBe(1);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(seen).toMatchObject([{ tenantId: store.tenant.id, found: expect.stringContaining('was changed') }]);
    });
  });
});
