// What an operator needs before approving: which payments await approval, of which terms, until when, and whose key made them.
import { beforeAll, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
let shown = '';
let maker = '';

beforeAll(async () => {
  await open(world.tenant, { alice: 1_000, bob: 0 });
  await world.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', delay: '1h' };
  await world.tenant.createPayment({ ...order, amount: 1, idempotencyKey: key() });
  const made = await world.tenant.createApiKey({ name: 'till', scopes: ['payments:write'], person: 'Jo Miller' });
  maker = toTypeId('apiKey', made.key.id);
  const found = await world.usance.authenticate(made.secret);
  const payment = await found?.handle.createPayment({ ...order, amount: 600, idempotencyKey: key() });
  shown = toTypeId('payment', payment?.id ?? '');
});

test('payments that await approval are listed by themselves, and marked among the others', async () => {
  const { out } = await run('payments', 'list', '--awaiting');
  expect(out.split('\n').filter((line) => line.startsWith('pay_'))).toEqual([
    expect.stringMatching(new RegExp(`^${shown} .* awaits approval$`)),
  ]);
  expect((await run('payments')).out.match(/awaits approval/g)).toHaveLength(1);
});

test('a payment shows its approval, until when, its terms, and the key that made it as keys list has it', async () => {
  const { out } = await run('payments', 'get', shown);
  expect(out).toMatch(/approval +awaited\n/);
  expect(out).toMatch(/approval until +\d{4}-.*Z\n/);
  expect(out).toMatch(/terms version +1\n/);
  expect(out).toMatch(new RegExp(`created by +${maker}\n`));
});

test('a key is listed with its person, its lineage and who created it', async () => {
  const rotated = await run('api-keys', 'rotate', maker, '--json');
  expect(rotated.code).toBe(0);
  const lines = (await run('api-keys', 'list')).out.split('\n').filter((line) => line.includes('till'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`person Jo Miller +lineage ${maker} +by cli:`));
  expect(lines[1]).toMatch(/person Jo Miller +by library$/);
});
