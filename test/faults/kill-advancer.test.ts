import { expect, test } from 'vitest';
import { useFolder } from '../cli/cli.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { killAdvancers } from './kill-advancers.ts';

const store = useUsance();
const folder = useFolder();

test('another process continues for a killed advancer, and nothing is lost or doubled', async () => {
  const { kills } = await killAdvancers(store, folder, { kills: 2, payments: 300, waits: false });
  expect(kills).toBeGreaterThan(0);
  expect(await troubles(store.usance)).toEqual([]);
});
