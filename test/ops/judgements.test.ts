// What the doctor makes of facts that a test cannot wait for or bring about. The rest is in test/cli/doctor.test.ts.
import { describe, expect, test } from 'vitest';
import { judgeEncryption } from '../../src/ops/encryption.ts';
import {
  judgeBacklog,
  judgeClock,
  judgeConnections,
  judgeDurability,
  judgeJobs,
  judgeWebhooks,
  judgeLoops,
  judgePartitions,
  judgeRights,
  judgeScheduleBacklog,
  judgeTransactions,
  judgeWakeUps,
} from '../../src/ops/database.ts';
import { examineNode } from '../../src/ops/machine.ts';

const settings = {
  fsync: true,
  fullPageWrites: true,
  synchronousCommit: 'on',
  maxConnections: 100,
  reservedConnections: 3,
  usedConnections: 5,
};

describe('the doctor', () => {
  test('says whether wake-ups arrive, and what to do if they do not', () => {
    expect(judgeWakeUps({ listening: 'arrives', listeners: 1 })).toMatchObject({
      level: 'ok',
      says: 'notifications arrive; 1 process listens now',
    });
    expect(judgeWakeUps({ listening: 'off', listeners: 2 }).level).toBe('ok');
    const unusable = ['does not arrive', 'not sent', { unreachable: 'the host "db" is not known' }] as const;
    for (const listening of unusable)
      expect(judgeWakeUps({ listening, listeners: 0 })).toMatchObject({
        level: 'warn',
        says: expect.stringContaining('loops and event streams only poll'),
        todo: expect.stringContaining('USANCE_LISTEN_URL'),
      });
  });

  test('knows which Node is too old', () => {
    expect(['22.17.1', '20.20.2'].map((version) => examineNode(version).level)).toEqual(['fail', 'fail']);
    expect(['22.18.0', '24.0.0', '26.10.0'].map((version) => examineNode(version).level)).toEqual(['ok', 'ok', 'ok']);
  });

  test('warns of payments that are late, and not of those that are due', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const since = (seconds: number) => ({ due: 3, oldest: new Date(now.getTime() - seconds * 1_000) });
    expect(judgeBacklog({ due: 0, oldest: null }, now)).toMatchObject({ level: 'ok', says: 'nothing waits' });
    expect(judgeBacklog(since(59), now).level).toBe('ok');
    expect(judgeBacklog(since(61), now)).toMatchObject({
      level: 'warn',
      says: '3 due, the oldest for 61 s: payments are late',
    });
  });

  test('warns of schedules whose slots no scheduler creates', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const since = (seconds: number) => ({ due: 2, oldest: new Date(now.getTime() - seconds * 1_000) });
    expect(judgeScheduleBacklog({ due: 0, oldest: null }, now)).toMatchObject({ level: 'ok', says: 'none is due' });
    expect(judgeScheduleBacklog(since(59), now).level).toBe('ok');
    expect(judgeScheduleBacklog(since(3_600), now)).toMatchObject({
      level: 'warn',
      says: '2 due, the oldest for 3600 s: their payments are late',
    });
  });

  test('warns where executions wait for a processor that no worker has, and where no worker runs', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const waits = (seconds: number) => [{ name: 'send-receipt', dueSince: new Date(now.getTime() - seconds * 1_000) }];
    expect(judgeJobs({ jobs: 0, workers: 0, unserved: [] }, now)).toMatchObject({ level: 'ok' });
    expect(judgeJobs({ jobs: 2, workers: 1, unserved: waits(59) }, now)).toMatchObject({ level: 'ok' });
    expect(judgeJobs({ jobs: 2, workers: 0, unserved: [] }, now)).toMatchObject({
      level: 'warn',
      says: 'there are jobs, and no worker runs',
    });
    const deliveries = [{ name: 'webhook-delivery', dueSince: new Date(now.getTime() - 90_000) }];
    expect(judgeJobs({ jobs: 2, workers: 1, unserved: deliveries }, now).todo).toContain('USANCE_ENCRYPTION_KEY');
    expect(judgeWebhooks({ failing: [], disabled: 0 })).toMatchObject({ level: 'ok' });
    expect(judgeWebhooks({ failing: ['one'], disabled: 2 })).toMatchObject({
      level: 'warn',
      says: 'endpoints: 1 failing, 2 disabled after a 410 or failures over five days',
    });
    expect(judgeJobs({ jobs: 2, workers: 1, unserved: waits(90) }, now)).toMatchObject({
      level: 'warn',
      says: 'executions wait for send-receipt since 90 s, which no running worker has',
    });
  });

  test('warns where nothing orders, seals, checks or cleans up', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
    const all = ['sequencer', 'seal-check', 'integrity', 'partitions', 'retention'];
    const seen = (hours: number) => all.map((name) => [name, hoursAgo(hours)] as const);
    expect(judgeLoops(null, now).level).toBe('ok');
    expect(judgeLoops(new Map(seen(24)), now).level).toBe('ok');
    const processorAlone = new Map([['sequencer', hoursAgo(1)] as const, ['seal-check', hoursAgo(26)] as const]);
    expect(judgeLoops(processorAlone, now)).toMatchObject({
      level: 'warn',
      says: 'no process ran seal-check, integrity, partitions, retention within 25 hours',
    });
  });

  test('allows the clock the time the question took, and a second', () => {
    expect(judgeClock(1_000, 1_400, 5_000).level).toBe('ok');
    expect(judgeClock(1_000, 6_000, 5_000).level).toBe('ok');
    expect(judgeClock(1_000, 6_001, 5_000)).toMatchObject({
      level: 'warn',
      says: 'this machine is 1.0 s behind the database',
    });
    expect(judgeClock(9_000, 1_000, 9_001)).toMatchObject({
      level: 'warn',
      says: 'this machine is 8.0 s ahead of the database',
    });
  });

  test('fails what can lose payments, and warns of what can tear a page', () => {
    expect(judgeDurability(settings).level).toBe('ok');
    expect(judgeDurability({ ...settings, synchronousCommit: 'remote_apply' }).level).toBe('ok');
    expect(judgeDurability({ ...settings, synchronousCommit: 'off' })).toMatchObject({
      level: 'fail',
      todo: 'set synchronous_commit = on on the server',
    });
    expect(judgeDurability({ ...settings, fullPageWrites: false }).level).toBe('warn');
  });

  test('counts what a pool leaves for others', () => {
    expect(judgeConnections(settings, 92).level).toBe('ok');
    expect(judgeConnections(settings, 93).level).toBe('warn');
    expect(judgeConnections(settings, 98).level).toBe('fail');
  });

  test('warns of a transaction left open, and says what it may not see', () => {
    const none = { count: 0, oldestMinutes: 0, oldest: null, hidden: 2 };
    expect(judgeTransactions(none)).toMatchObject({ level: 'ok', says: expect.stringContaining('2 of other users') });
    const open = { count: 1, oldestMinutes: 61, oldest: 'process 42', hidden: 0 };
    expect(judgeTransactions(open)).toMatchObject({ level: 'warn', says: expect.stringContaining('61: process 42') });
  });

  test('warns of every right over history', () => {
    const rights = { name: 'app', superuser: false, owner: false, mayRewrite: false };
    expect(judgeRights(rights).level).toBe('ok');
    for (const right of ['superuser', 'owner', 'mayRewrite'] as const) {
      expect(judgeRights({ ...rights, [right]: true }).level, right).toBe('warn');
    }
  });

  test('warns of rows in a default partition', () => {
    const strayed = [{ table: 'transfers', hasNextMonth: true, defaultHasRows: true }];
    expect(judgePartitions(strayed)).toMatchObject({
      level: 'warn',
      says: expect.stringContaining('transfers_default'),
    });
  });

  test('of encryption names the key that is missing, and what a rotation has left', () => {
    const facts = { keyId: 'aaaaaaaa', previousKeyId: null, values: new Map([['aaaaaaaa', 3]]), plain: 0 };
    expect(judgeEncryption(facts)).toMatchObject({
      level: 'ok',
      says: '3 stored values are encrypted with the key aaaaaaaa',
    });
    expect(judgeEncryption({ ...facts, plain: 2 })).toMatchObject({
      level: 'warn',
      says: expect.stringContaining('2 not at all'),
    });
    expect(judgeEncryption({ ...facts, keyId: 'bbbbbbbb' })).toMatchObject({ level: 'fail' });
    expect(judgeEncryption({ ...facts, keyId: null })).toMatchObject({
      level: 'fail',
      says: expect.stringContaining('no key is set'),
    });
    const rotating = { ...facts, keyId: 'bbbbbbbb', previousKeyId: 'aaaaaaaa' };
    expect(judgeEncryption(rotating)).toMatchObject({
      level: 'warn',
      todo: expect.stringContaining('_PREVIOUS until then'),
    });
    expect(judgeEncryption({ ...rotating, values: new Map([['bbbbbbbb', 3]]) })).toMatchObject({
      level: 'ok',
      says: expect.stringContaining('not needed'),
    });
    const none = { ...facts, keyId: null, values: new Map<string, number>() };
    expect(judgeEncryption(none)).toMatchObject({ level: 'ok' });
    expect(judgeEncryption({ ...none, plain: 1 })).toMatchObject({
      level: 'warn',
      todo: expect.stringContaining('usance encryption-key'),
    });
  });
});
