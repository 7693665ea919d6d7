// `usance webhooks`, on one database, without a worker.
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { fromTypeId, toTypeId } from '../../src/kernel/index.ts';
import { isWebhookSecret } from '../../src/webhooks/index.ts';
import { matchAll, order } from '../jobs/matcher.ts';
import { contents } from '../support/contents.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { addExecution } from '../support/jobs.ts';
import { addEndpoint, deliver } from '../support/webhooks.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) =>
  usanceHere(folder, ['webhooks', ...args], { DATABASE_URL: world.runtimeUrl, USANCE_ENCRYPTION_KEY: TEST_KEY });
const CREATE = ['create', '--url', 'https://shop.example.com/hooks?token=planted', '--events', 'payment.*'];
const only = async () => (await world.tenant.webhookEndpoints())[0] ?? expect.fail('there is no endpoint');

test('an endpoint is created after a dry run that changes nothing, and its secret is printed once', async () => {
  const before = await contents(world.owner);
  const dry = await run(...CREATE, '--dry-run', '--json');
  expect(dry.json()).toMatchObject({
    dryRun: true,
    result: { secret: null },
    events: ['job.created', 'webhook_endpoint.created'],
  });
  expect(await contents(world.owner)).toEqual(before);

  const { code, out } = await run(
    ...CREATE,
    '--header',
    'X-Shop=a=b',
    '--ordered',
    '--payload',
    'thin',
    '--retry',
    'webhook-quick',
  );
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Done: webhook endpoint whe_[0-9a-z]{26} \(https:\/\/shop\.example\.com\/hooks\) created\.\nSecret: whsec_/,
  );
  expect(out).not.toContain('planted');
  const [secret = ''] = /whsec_\S+/.exec(out) ?? [];
  expect(isWebhookSecret(secret)).toBe(true);
  expect(await only()).toMatchObject({
    headerNames: ['x-shop'],
    ordered: true,
    payload: 'thin',
    retry: 'webhook-quick',
    createdBy: `cli:${userInfo().username}`,
  });
});

test('endpoints are listed without the query of their URL, and shown as documents with the fields of the library', async () => {
  const id = toTypeId('webhookEndpoint', (await only()).id);
  expect((await run()).out).toMatch(
    new RegExp(`^id +url +events +status\\n${id}  https://shop\\.example\\.com/hooks  payment\\.\\*  enabled\\n$`),
  );
  expect((await run('get', id)).out).toMatch(
    /headers +x-shop\norder +one after the other for each resource\nretry +webhook-quick\n/,
  );
  expect((await run('get', id, '--json')).json()).toMatchObject({
    id,
    jobId: id.replace('whe_', 'job_'),
    enabled: true,
  });
});

test('an endpoint is changed, disabled, enabled, rotated, tested and deleted', async () => {
  const key = (await only()).id;
  const id = toTypeId('webhookEndpoint', key);
  expect((await run('update', id, '--remove-headers', '--no-ordered', '--max-per-second', '5')).out).toContain(
    'updated.',
  );
  expect(await only()).toMatchObject({ headerNames: [], ordered: false, maxPerSecond: 5 });
  expect((await run('disable', id)).out).toContain('disabled.');
  expect((await run('list', '--disabled')).out).toMatch(/disabled\n$/);
  expect((await run('enable', id)).out).toContain('enabled.');
  expect((await run('rotate-secret', id, '--grace', '1h')).out).toMatch(
    /the previous one signs too until 2.*Z\.\nSecret: whsec_/,
  );
  const tested = (await run('test', id, '--json')).json() as { deliveryId: string };
  await deliver(world.usance);
  expect(await world.tenant.delivery(fromTypeId('execution', tested.deliveryId))).toMatchObject({ endpointId: key });
  expect((await run('delete', id)).out).toContain('deleted.');
  expect((await run('list')).out).toBe('No webhook endpoint. Create one with "usance webhooks create".\n');
});

test('deliveries are listed, shown with their attempts, and sent again', async () => {
  const endpoint = await addEndpoint(world.tenant);
  const [whe, failed] = [toTypeId('webhookEndpoint', endpoint.id), await addExecution(world.owner, endpoint, 'failed')];
  const id = toTypeId('execution', failed);
  expect((await run('deliveries', whe, '--status', 'failed')).out).toMatch(
    new RegExp(`^id +status.*\\n${id}  failed  3 +evt_\\w+ +2.*Z +PROCESSOR_FAILED\\n$`),
  );
  const { out } = await run('delivery', id);
  expect(out).toMatch(new RegExp(`endpoint +${whe}\\n`));
  expect(out).toMatch(/attempt 3 +2.*PROCESSOR_FAILED: the mail server did not answer\n$/);
  expect((await run('recover', whe, '--since', '2026-01-01T00:00:00Z', '--dry-run')).out).toContain(
    '1 failed delivery will be sent again, and 0 missed events, since ',
  );
  expect((await run('redeliver', id, '--reason', 'the receiver lost it')).out).toContain('will be sent again.');
  expect(await world.tenant.delivery(failed)).toMatchObject({ status: 'pending' });
});

test('the help of the commands has no argument that none of them takes', async () => {
  const { out } = await run('--help');
  expect(out).toMatch(/^  list \[options\] +list the endpoints of a tenant/m);
  expect((await run('list', '--help')).out).toContain('Usage: usance webhooks list [options]\n');
});

test('a pattern that nothing matches is stored, with a line that says so', async () => {
  const noticed = async (pattern: string) => {
    const { code, err } = await run('create', '--url', 'https://shop.example.com/', '--events', pattern, '--dry-run');
    expect(code).toBe(0);
    return err;
  };
  expect(await noticed('paymnt.*,payment.settled')).toBe(
    'usance: no event matches paymnt.* yet: did you mean payment.*?\n',
  );
  expect(await noticed('*.setled')).toContain('did you mean *.settled?');
  expect(await noticed('posts.published')).toBe(
    'usance: no event matches posts.published yet: it is no type of usance, and the tenant has no event like it\n',
  );
  for (const pattern of ['*', 'payment.*', 'payment.settled', '*.settled']) expect(await noticed(pattern)).toBe('');
  await world.tenant.appendEvent({ type: 'posts.published', resource: 'post', resourceId: '1', data: {} });
  await matchAll(world.usance);
  await order(world.usance);
  expect(await noticed('posts.*,posts.published')).toBe('');
  const id = toTypeId('webhookEndpoint', (await only()).id);
  expect((await run('update', id, '--events', 'paymnt.*')).err).toContain('did you mean payment.*?');
  expect(await only()).toMatchObject({ eventPattern: 'paymnt.*' });
});

const LOOPBACK = 'set USANCE_OUTBOUND_LOOPBACK=1';

test.each(['http://127.0.0.1:3000/', 'http://localhost:3000/', 'https://127.0.0.1/', 'http://[::1]:3000/'])(
  'a command that is refused %s says how a receiver on this machine is admitted',
  async (url) => {
    expect((await run('create', '--url', url, '--events', '*')).err).toContain(LOOPBACK);
    const id = toTypeId('webhookEndpoint', (await only()).id);
    expect((await run('update', id, '--url', url)).err).toContain(LOOPBACK);
  },
);

test.each([
  'http://example.com/',
  'http://10.0.0.1/',
  'https://192.168.0.1/',
  'https://user@example.com/',
  'localhost',
])('a command that is refused %s says why, and nothing of this machine', async (url) => {
  const { err } = await run('create', '--url', url, '--events', '*');
  expect(err).toMatch(/^usance: url .* \(URL_REFUSED\)\n$/);
});

test.each([
  [['update', 'whe_01jd3mzk4qe0rvb1rj4yj6d3zt'], 2, 'name a change'],
  [['update', 'whe_01jd3mzk4qe0rvb1rj4yj6d3zt', '--header', 'x'], 2, 'name=value'],
  [['get', 'whe_01jd3mzk4qe0rvb1rj4yj6d3zt'], 1, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  [['create', '--url', 'https://10.0.0.1/', '--events', '*'], 1, 'URL_REFUSED'],
  [['create', '--url', 'http://127.0.0.1:3000/', '--events', '*'], 1, 'set USANCE_OUTBOUND_LOOPBACK=1'],
  [['create', '--url', 'https://example.com/', '--events', 'payment settled'], 1, '--events must be an event type'],
  [['create', '--url', 'https://example.com/', '--events', 'payment.setled'], 1, 'did you mean payment.settled?'],
  [['create', '--url', 'https://example.com/', '--events', '*', '--secret', 'x'], 2, '--secret must be whsec_'],
  [['get', 'whe_01jd'], 2, '"whe_01jd" is not the whole id of an endpoint'],
  [['gett', 'whe_01jd'], 2, 'did you mean get?'],
  [['shw'], 2, 'there is no command "webhooks shw"'],
  [['lst'], 2, 'did you mean list?'],
])('%j ends with %i', async (args, code, words) => {
  const ended = await run(...args);
  expect(ended.code, ended.err).toBe(code);
  expect(ended.err).toContain(words);
});
