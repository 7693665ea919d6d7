import pg from 'pg';
import { expect, test } from 'vitest';
import { open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();

test('a month of history on another disk is as good as before, and still grows', async () => {
  const superuser = new pg.Client({ connectionString: store.ownerUrl });
  await superuser.connect();
  const name = `slow_disk_${process.pid}`;
  const month = new Date().toISOString().slice(0, 7).replace('-', '_');
  const move = (to: string) => superuser.query(`alter table usance.transfers_${month} set tablespace ${to}`);
  try {
    await open(store.tenant, { ann: 100 });
    await superuser.query('set allow_in_place_tablespaces = on');
    await superuser.query(`create tablespace ${name} location ''`);
    await move(name);
    await open(store.tenant, { ben: 100 });
    expect(await store.tenant.transfers('ann')).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  } finally {
    await move('pg_default');
    await superuser.query(`drop tablespace ${name}`);
    await superuser.end();
  }
});
