// `usance notifications`, on one database, without a worker.
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { executionIdOf } from '../../src/jobs/index.ts';
import { fromTypeId, toTypeId } from '../../src/kernel/index.ts';
import { isWebhookSecret } from '../../src/webhooks/index.ts';
import { order } from '../jobs/matcher.ts';
import { contents } from '../support/contents.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) =>
  usanceHere(folder, ['notifications', ...args], { DATABASE_URL: world.runtimeUrl, USANCE_ENCRYPTION_KEY: TEST_KEY });
const URL = 'https://hooks.slack.com/services/T000/B000/planted';
const CREATE = ['create', 'slack', '--name', 'on call', '--url', URL];
const only = async () => (await world.tenant.notificationChannels())[0] ?? expect.fail('there is no channel');

test('a channel is created after a dry run that changes nothing, and its URL is printed by neither', async () => {
  const before = await contents(world.owner);
  const dry = await run(...CREATE, '--dry-run', '--json');
  expect(dry.json()).toMatchObject({
    dryRun: true,
    result: { name: 'on call', targetHost: 'hooks.slack.com', secret: null },
    events: ['job.created', 'notification_channel.created'],
  });
  expect(await contents(world.owner)).toEqual(before);

  const made = await run(...CREATE, '--topics', 'freezes, dead_letters', '--max-per-minute', '5', '--send-test-events');
  expect(made.out).toMatch(/^Done: notification channel nch_[0-9a-z]{26} \(on call\) created\.\n$/);
  expect(dry.out + made.out).not.toContain('planted');
  expect(await only()).toMatchObject({
    kind: 'slack',
    topics: ['dead_letters', 'freezes'],
    maxPerMinute: 5,
    sendTestEvents: true,
    enabled: true,
    createdBy: `cli:${userInfo().username}`,
  });
});

test('channels are listed with the host of their URL, and shown as documents with the fields of the library', async () => {
  const id = toTypeId('notificationChannel', (await only()).id);
  expect((await run()).out).toMatch(
    new RegExp(
      `^id +name +kind +host +topics +status\\n${id}  on call  slack  hooks\\.slack\\.com  dead_letters,freezes  enabled\\n$`,
    ),
  );
  expect((await run('get', id)).out).toMatch(
    /status +enabled\ntopics +dead_letters, freezes; also events of a test tenant\nper minute +at most 5, and one summary of the others\n/,
  );
  const shown = await run('get', id, '--json');
  expect(shown.json()).toMatchObject({ id, jobId: id.replace('nch_', 'job_'), enabled: true });
  expect(shown.out).not.toContain('planted');
});

test('a channel is changed, disabled, enabled, tested and deleted', async () => {
  const key = (await only()).id;
  const id = toTypeId('notificationChannel', key);
  const changed = await run(
    'update',
    id,
    '--topics',
    'reviews',
    '--no-send-test-events',
    '--url',
    'https://hooks.slack.com/services/other',
  );
  expect(changed.out).toContain('(on call) updated.');
  expect(await only()).toMatchObject({ topics: ['reviews'], sendTestEvents: false, maxPerMinute: 5 });
  expect((await run('disable', id)).out).toContain('disabled.');
  expect((await run('list')).out).toMatch(/disabled\n$/);
  expect((await run('test', id)).err).toContain('NOTIFICATION_CHANNEL_DISABLED');
  expect((await run('enable', id)).out).toContain('enabled.');
  const tested = (await run('test', id, '--json')).json() as { eventId: string; executionId: string };
  await order(world.usance);
  const [event] = await world.tenant.events({ type: 'notification_channel.tested' });
  expect(tested.eventId).toBe(toTypeId('event', event?.id ?? ''));
  expect(fromTypeId('execution', tested.executionId)).toBe(executionIdOf(key, event?.id ?? ''));
  expect((await run('delete', id, '--dry-run')).out).toMatch(/^Dry run, nothing was changed: .* deleted\.\n$/);
  expect((await only()).id).toBe(key);
  expect((await run('delete', id)).out).toContain('deleted.');
  expect((await run('list')).out).toBe('No notification channel. Create one with "usance notifications create".\n');
});

test('the secret of a channel of the kind webhook is printed once, and replaced', async () => {
  const secretOf = (out: string): string => /\nSecret: (whsec_\S+)\n/.exec(out)?.[1] ?? expect.fail(out);
  const made = await run('create', 'webhook', '--name', 'own', '--url', 'https://ops.example.com/hook', '--disabled');
  const id = toTypeId('notificationChannel', (await only()).id);
  expect((await run('get', id)).out).not.toContain('whsec_');
  const dry = await run('rotate-secret', id, '--dry-run');
  expect(dry.out).toContain('has a new secret.');
  expect(dry.out).not.toContain('whsec_');
  const rotated = await run('rotate-secret', id);
  for (const { out } of [made, rotated]) expect(isWebhookSecret(secretOf(out))).toBe(true);
  expect(secretOf(rotated.out)).not.toBe(secretOf(made.out));
  expect(await only()).toMatchObject({ kind: 'webhook', enabled: false });
});

test.each([
  [['update', 'nch_01jd3mzk4qe0rvb1rj4yj6d3zt'], 2, 'name a change'],
  [['create', 'teams', '--name', 'x', '--url', URL], 2, 'slack, discord, webhook'],
  [['create', 'slack', '--name', 'x'], 2, '--url'],
  [[...CREATE, '--max-per-minute', 'many'], 2, 'a whole number'],
  [[...CREATE, '--topics', 'everything'], 1, 'FIELD_INVALID'],
  [['get', 'nch_01jd3mzk4qe0rvb1rj4yj6d3zt'], 1, 'NOTIFICATION_CHANNEL_NOT_FOUND'],
  [['create', 'slack', '--name', 'x', '--url', 'https://10.0.0.1/planted'], 1, 'URL_REFUSED'],
])('%j ends with %i', async (args, code, words) => {
  const ended = await run(...args);
  expect(ended.code, ended.err).toBe(code);
  expect(ended.err).toContain(words);
  expect(ended.err).not.toContain('planted');
});

test('a command that is refused the URL says how a receiver on this machine is admitted, for one on this machine only', async () => {
  const create = (url: string) => run('create', 'webhook', '--name', 'refused', '--url', url);
  expect((await create('http://localhost:9000/')).err).toContain('set USANCE_OUTBOUND_LOOPBACK=1');
  expect((await create('http://example.com/')).err).toMatch(/^usance: url must begin with https:.* \(URL_REFUSED\)\n$/);
});
