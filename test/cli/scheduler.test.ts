// The scheduler and the calendar, as processes, on one database.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addOutage, dueSchedule } from '../support/schedules.ts';
import { startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (args: string[]) => usance(folder, args, { DATABASE_URL: world.runtimeUrl });

const due = (reference: string): Promise<string> => dueSchedule(world.owner, world.tenant, { reference });
const made = async (id: string): Promise<number> => (await world.tenant.occurrences(id)).length;

beforeAll(() => open(world.tenant, { alice: 10_000, bob: 0 }));

describe('scheduler --once', () => {
  test('makes what is due, says so, keeps a record of it, and the processor settles it', async () => {
    const id = await due('rent');
    const { code, out, err } = await run(['scheduler', '--once']);
    expect({ code, out, err }).toEqual({ code: 0, out: 'Looked at 1 due schedule: made 1.\n', err: '' });
    expect(await made(id)).toBe(1);
    expect((await run(['processor', '--once'])).out).toBe('Processed 1 payment: settled 1.\n');
    expect(await world.tenant.cronRuns()).toMatchObject([
      { jobName: 'processor', status: 'SUCCESS', processedCount: 1, errorMessage: null },
      { jobName: 'scheduler', status: 'SUCCESS', processedCount: 1, counts: { claimed: 1, made: 1 } },
    ]);
  });

  test('that finds nothing is on record too, and says the same to machines', async () => {
    expect((await run(['scheduler', '--once', '--json'])).json()).toMatchObject({ claimed: 0, made: 0 });
    const [newest] = await world.tenant.cronRuns({ jobName: 'scheduler' });
    expect(newest).toMatchObject({ status: 'SUCCESS', processedCount: 0 });
  });
});

test('scheduler stays, makes what falls due, and ends when asked to', async () => {
  const before = (await world.tenant.cronRuns()).length;
  const { child, ended } = await startUsance(folder, ['scheduler'], 'running', { DATABASE_URL: world.runtimeUrl });
  const id = await due('salary');
  await vi.waitUntil(async () => (await made(id)) === 1, 30_000);
  await vi.waitUntil(async () => (await world.tenant.cronRuns()).length === before + 1, 30_000);
  child.kill('SIGTERM');
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('outages shows what is held, and a person decides', async () => {
  const shown = toTypeId('outage', await addOutage(world.owner, world.tenant.id));
  expect((await run(['outages'])).out).toContain(`${shown}  waiting  due 2020-01-01T00:00:00.000Z to `);
  const { code, out } = await run(['outages', 'discard', shown, '--reason', 'paid in cash']);
  expect({ code, out }).toEqual({ code: 0, out: 'Done: 3 schedules, 3.00 USD discarded.\n' });
  expect((await run(['outages', 'release', shown])).code).toBe(1);
});

describe('upcoming', () => {
  test('is a calendar, in the time of each zone and in UTC', async () => {
    await world.tenant.createSchedule({
      from: 'alice',
      to: 'bob',
      asset: 'USD/2',
      amount: 12_50,
      rule: { frequency: 'DAILY', time: '23:30' },
      zone: 'Asia/Kolkata',
      reference: 'lunch',
      idempotencyKey: key(),
    });
    const { code, out } = await run(['upcoming', '--days', '3']);
    expect(code).toBe(0);
    expect(out).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]+ 20\d\d$/m);
    expect(out).toMatch(/23:30 Asia\/Kolkata {2}18:00Z {2}12\.50 USD {2}alice → bob {2}lunch/);
    expect(out).toMatch(/\d+ payments to come\.\n$/);
  });

  test('says so when nothing comes, and what it cannot do', async () => {
    await world.tenant.openAccount({ ref: 'carol' });
    expect((await run(['upcoming', '--account', 'carol'])).out).toBe(
      'No schedule pays anything in the next 14 days.\n',
    );
    expect((await run(['upcoming', '--days', '0'])).code).toBe(2);
    expect((await run(['upcoming', '--account', 'nobody'])).code).toBe(1);
    expect((await run(['upcoming', '--days', '3', '--json'])).json()).toMatchObject({ days: 3 });
  });
});
