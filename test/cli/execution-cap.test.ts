// The cap on executions by command.
import { expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, ...env });

test('usance execution-cap shows, sets and removes the cap of a tenant', async () => {
  expect(await run(['execution-cap'])).toMatchObject({ code: 0, out: 'tenant shop: no cap on executions.\n' });
  expect(await run(['execution-cap', 'set', '50', '--tenant', 'shop'])).toMatchObject({
    code: 0,
    out: 'Done: tenant shop: at most 50 payments per second.\n',
  });
  expect(await world.tenant.executionCap()).toMatchObject({ perSecond: 50, appliesPerSecond: 50 });
  expect((await run(['execution-cap', 'remove', '--json'], { USANCE_EXECUTIONS_PER_SECOND: '7' })).json()).toEqual({
    tenant: 'shop',
    perSecond: null,
    defaultPerSecond: 7,
    appliesPerSecond: 7,
  });
  expect((await run(['execution-cap'], { USANCE_EXECUTIONS_PER_SECOND: '7' })).out).toBe(
    'tenant shop: at most 7 payments per second, the default of USANCE_EXECUTIONS_PER_SECOND.\n',
  );
  expect(await run(['execution-cap', 'set', '0'])).toMatchObject({ code: 2 });
});
