// The loop `encrypt` and the start of a process, interrupted at each of their statements.
import { expect, test } from 'vitest';
import { CommitUnknown, asNumber, asText, only } from '../../src/db/index.ts';
import type { Database } from '../../src/db/index.ts';
import { createEngine } from '../../src/engine.ts';
import { ENCRYPTED_CONTACTS } from '../../src/ledger/index.ts';
import { createSecrets, encryptLoop, matchKeys, newSecretKey } from '../../src/secrets/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const [A, B] = [newSecretKey(), newSecretKey()];
const [old, rotating] = [createSecrets({ key: A }), createSecrets({ key: B, previousKey: A })];
const COLUMNS = [ENCRYPTED_CONTACTS];

class Killed extends Error {}

/** A pool whose connections die at a statement. */
function dyingAt(point: number): Database {
  let sent = 0;
  return database.pool({
    onStatement() {
      sent += 1;
      if (sent >= point) throw new Killed();
    },
    maxConnections: 1,
  });
}

const leftOf = async (): Promise<number> =>
  asNumber(
    only(
      await database.owner.query(
        `select count(*)::int as count from usance.accounts where contact is not null or contact_key = $1::text`,
        [old.keyId ?? ''],
      ),
    )['count'],
  );

test('killed at any statement leaves every contact readable, and the next run does the rest', async () => {
  const engine = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, encryption: { key: A } });
  const tenant = await engine.createTenant({ name: 'shop' });
  const refs = Array.from({ length: 12 }, (_, index) => `a${index}`);
  for (const ref of refs) await tenant.openAccount({ ref, contact: { email: `${ref}@example.com` } });
  await engine.close();

  const signal = new AbortController().signal;
  const run = async (point: number): Promise<boolean> => {
    const pool = dyingAt(point);
    try {
      await matchKeys(pool, rotating, COLUMNS);
      const loop = encryptLoop(pool, rotating, COLUMNS, { batchSize: 4 });
      for (let more = true; more;) more = (await loop.runOnce(signal, false)).more ?? false;
      return true;
    } catch (error) {
      // A COMMIT that was not sent is unknown to the process.
      expect(error instanceof CommitUnknown ? error.cause : error).toBeInstanceOf(Killed);
      return false;
    }
  };

  const reader = await createEngine({
    databaseUrl: database.runtimeUrl,
    migrate: false,
    encryption: { key: A, previousKey: B },
  });
  const shop = await reader.tenant('shop');
  let point = 1;
  for (; ; point += 1) {
    // As it was: some of the key before, some from before encryption.
    await database.owner.transaction(async (tx) => {
      for (const ref of refs) {
        const { id, tenantId } = await shop.account(ref);
        const about = { tenantId, purpose: ENCRYPTED_CONTACTS.purpose, id };
        const json = JSON.stringify({ email: `${ref}@example.com` });
        const value = Number(ref.slice(1)) % 2 === 0 ? old.encrypt(json, about).toString('hex') : null;
        await tx.query(
          `update usance.accounts set contact = $2::jsonb, contact_encrypted = decode($3::text, 'hex'),
             contact_key = usance.encryption_key_of(decode($3::text, 'hex')) where ref = $1::text`,
          [ref, value === null ? json : null, value],
        );
      }
      await tx.query('delete from usance.encryption_keys where id = $1::text', [rotating.keyId ?? '']);
    });
    const finished = await run(point);
    for (const { ref, contact } of await shop.accounts())
      if (refs.includes(ref)) expect(contact).toEqual({ email: `${ref}@example.com` });
    // The server may still hold the locks of the session that was killed: its rows are done in a later run.
    do expect(await run(Infinity)).toBe(true);
    while ((await leftOf()) > 0);
    if (finished) break;
  }
  expect(point).toBeGreaterThan(20);
  await reader.close();
  const rows = await database.owner.query('select id from usance.encryption_keys order by id');
  expect(new Set(rows.map((row) => asText(row['id'])))).toEqual(new Set([old.keyId, rotating.keyId]));
});
