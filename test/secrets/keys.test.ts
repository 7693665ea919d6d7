// The keys of processes and those of the store: first starts, wrong keys, rotations, and the loop that encrypts again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { asNumber, asText, only } from '../../src/db/index.ts';
import type { Engine, EngineOptions, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { ENCRYPTED_CONTACTS } from '../../src/ledger/index.ts';
import { SetupError, newId } from '../../src/kernel/index.ts';
import {
  aboutRow,
  createSecrets,
  encryptLoop,
  matchKeys,
  newSecretKey,
  writingSecrets,
} from '../../src/secrets/index.ts';
import { useDatabase } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { useFolder } from '../cli/cli.ts';

const [A, B, C] = [newSecretKey(), newSecretKey(), newSecretKey()];
const idOf = (key: string): string => createSecrets({ key }).keyId ?? '';

function useKeys() {
  const database = useDatabase();
  const open: Engine[] = [];
  const start = async (
    encryption: EngineOptions['encryption'] = {},
    options: EngineOptions = {},
  ): Promise<{ usance: Engine; tenant: TenantHandle }> => {
    const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, encryption, ...options });
    open.push(usance);
    const [existing] = await usance.tenants();
    return {
      usance,
      tenant: existing ? await usance.tenant(existing.id) : await usance.createTenant({ name: 'shop' }),
    };
  };
  afterEach(async () => {
    for (const usance of open.splice(0)) await usance.close();
  });
  const keys = async (): Promise<string[]> =>
    (await database.owner.query('select id from usance.encryption_keys order by current_since desc')).map((row) =>
      asText(row['id']),
    );
  const counts = async (): Promise<Record<string, number>> => {
    const rows = await database.owner.query(
      `select coalesce(contact_key, 'plain') as key, count(*)::int as count from usance.accounts
       where contact_key is not null or contact is not null group by 1`,
    );
    return Object.fromEntries(rows.map((row) => [asText(row['key']), asNumber(row['count'])]));
  };
  const contact = (ref: string) => ({ ref, contact: { email: `${ref}@example.com` } });
  const encrypt = async (usance: Engine): Promise<number> => {
    const loop = usance.loops.find(({ name }) => name === 'encrypt');
    let encrypted = 0;
    for (;;) {
      const run = await loop?.runOnce();
      encrypted += run?.counts['encrypted'] ?? 0;
      if (!run?.more) return encrypted;
    }
  };
  return { database, start, keys, counts, contact, encrypt };
}

describe('A wrong key', () => {
  const { database, start, keys, contact } = useKeys();

  test('is noticed at the start, with what to do', async () => {
    const { tenant } = await start({ key: A });
    await tenant.openAccount(contact('alice'));
    await expect(start({ key: B })).rejects.toThrow(
      new SetupError(
        `contacts of accounts (1) are encrypted with the key ${idOf(A)}, and the key is ${idOf(B)}: set USANCE_ENCRYPTION_KEY (encryption.key in the library) to the key ${idOf(A)}, or USANCE_ENCRYPTION_KEY_PREVIOUS (encryption.previousKey) during a rotation`,
      ),
    );
    await expect(start()).rejects.toThrow(
      /and there is no key: set USANCE_ENCRYPTION_KEY \(encryption\.key in the library\) to that key/,
    );
    expect(await keys()).toEqual([idOf(A)]);
    await start({ key: A });
  });

  test('that cannot be read is refused before anything is open', async () => {
    await expect(start({ key: 'short' })).rejects.toThrow(/USANCE_ENCRYPTION_KEY must be 32 random bytes/);
    await expect(start({ key: A, previousKey: 'short' })).rejects.toThrow(/USANCE_ENCRYPTION_KEY_PREVIOUS must be/);
  });

  test('with the id of another is noticed by its check value', async () => {
    await database.owner.query(`update usance.encryption_keys set check_value = decode(repeat('00', 16), 'hex')`);
    await expect(start({ key: A })).rejects.toThrow(/another encryption key with the id/);
  });
});

describe('A key in the file of a data folder', () => {
  const { database, start, keys, contact } = useKeys();
  const folder = useFolder();
  const keyFile = (): string => join(folder, 'encryption-key');

  test('is replaced by a key that is set only as the previous one, also while nothing is encrypted', async () => {
    const own = await start({ keyFile: keyFile(), makesKey: true });
    const kept = (await readFile(keyFile(), 'utf8')).trim();
    const refused = `the store uses the encryption key ${idOf(kept)} in ${keyFile()}, and USANCE_ENCRYPTION_KEY is ${idOf(B)}: unset it`;
    for (const isOptional of [false, true])
      await expect(start({ key: B, keyFile: keyFile(), isOptional })).rejects.toThrow(refused);
    await own.tenant.openAccount(contact('alice'));
    await expect(start({ key: B, keyFile: keyFile(), isOptional: true })).rejects.toThrow(refused);
    expect(await keys()).toEqual([idOf(kept)]);
    const next = await start({ key: B, previousKey: kept, keyFile: keyFile() });
    expect((await next.tenant.account('alice')).contact).toEqual({ email: 'alice@example.com' });
    await next.tenant.openAccount(contact('bob'));
    // Back to the key of the folder: the other one can be given as the previous key, alone.
    await expect(start({ keyFile: keyFile() })).rejects.toThrow(
      `are encrypted with the key ${idOf(B)}, and the key is ${idOf(kept)}`,
    );
    const back = await start({ keyFile: keyFile(), previousKey: B });
    expect((await back.tenant.account('bob')).contact).toEqual({ email: 'bob@example.com' });
  });

  test('that is not the key of stored values lets commands without secrets delete them, and write none', async () => {
    await database.owner.query('update usance.accounts set contact_encrypted = null, contact_key = null');
    const { tenant } = await start({ key: A });
    const { endpoint } = await tenant.createWebhookEndpoint({ url: 'https://shop.example.com/', eventPattern: '*' });
    const notices: string[] = [];
    const command = await start({ keyFile: keyFile(), isOptional: true }, { onNotice: (line) => notices.push(line) });
    expect(notices).toEqual([expect.stringContaining(`are encrypted with the key ${idOf(A)}`)]);
    expect(await refusalOf(command.tenant.rotateWebhookSecret(endpoint.id))).toBe('ENCRYPTION_KEY_MISSING');
    await command.tenant.deleteWebhookEndpoint(endpoint.id);
    await start({ keyFile: keyFile() });
    expect(await keys()).not.toContain(idOf(A));
  });
});

describe('A key that nothing is encrypted with', () => {
  const { database, start, keys, contact } = useKeys();

  test('gives way to another, and the process that still has it can write nothing with it', async () => {
    const old = await start({ key: A });
    expect(await keys()).toEqual([idOf(A)]);
    const notices: string[] = [];
    const next = await start({ key: B }, { onNotice: (line) => notices.push(line) });
    expect(await keys()).toEqual([idOf(B)]);
    expect(notices).toContain(
      `the encryption key ${idOf(A)} was removed: nothing is encrypted with it, and this process has ${idOf(B)}`,
    );
    expect(await refusalOf(old.tenant.openAccount(contact('bob')))).toBe('ENCRYPTION_KEY_UNKNOWN');
    await old.tenant.openAccount({ ref: 'carol' });
    expect(await refusalOf(old.tenant.editAccount('carol', contact('carol')))).toBe('ENCRYPTION_KEY_UNKNOWN');
    await next.tenant.openAccount(contact('bob'));
    expect(await refusalOf(old.tenant.account('bob').then((bob) => bob.contact))).toBe('ENCRYPTION_KEY_UNKNOWN');
    expect(await refusalOf(old.tenant.suspendAccount('bob', 'asked'))).toBe('ENCRYPTION_KEY_UNKNOWN');
    expect((await next.tenant.account('bob')).status).toBe('active');
    expect((await old.tenant.account('carol')).contact).toBeNull();
  });

  test('stays while another transaction writes with it, and the process that would replace it does not start', async () => {
    await database.owner.query('update usance.accounts set contact_encrypted = null, contact_key = null');
    const writer = await start({ key: B });
    await writer.tenant.openAccount({ ref: 'dave' });
    const hold = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const writing = writer.usance.db.transaction(async (tx) => {
      const { value, key } = encryptedFor(await writer.tenant.account('dave'), B);
      await tx.query(
        `update usance.accounts set contact_encrypted = decode($1::text, 'hex'), contact_key = $2::text where ref = 'dave'`,
        [value, key],
      );
      written.resolve();
      await hold.promise;
    });
    await written.promise;
    const starting = start({ key: C });
    starting.catch(() => undefined);
    await waitingOn(database.owner);
    hold.resolve();
    await writing;
    await expect(starting).rejects.toThrow(SetupError);
    expect(await keys()).toEqual([idOf(B)]);
  });
});

const encryptedFor = (account: { tenantId: string; id: string }, key: string): { value: string; key: string } => {
  const secrets = createSecrets({ key });
  const about = { tenantId: account.tenantId, purpose: 'account.contact', id: account.id };
  return { value: secrets.encrypt('{"email":"d@example.com"}', about).toString('hex'), key: secrets.keyId ?? '' };
};

async function waitingOn(owner: ReturnType<typeof useDatabase>['owner']): Promise<void> {
  for (;;) {
    const row = only(
      await owner.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from usance.encryption_keys%'`,
      ),
    );
    if (asNumber(row['count']) > 0) return;
  }
}

describe('Processes that start at once', () => {
  const { database, keys } = useKeys();
  test('with one key register it once', async () => {
    const engines = await Promise.all(
      Array.from({ length: 8 }, () =>
        createEngine({ databaseUrl: database.runtimeUrl, migrate: false, encryption: { key: A } }),
      ),
    );
    for (const engine of engines) await engine.close();
    expect(await keys()).toEqual([idOf(A)]);
  });
});

describe('A rotation', () => {
  const { database, start, keys, counts, contact, encrypt } = useKeys();

  test('re-encrypts in batches, keeps every contact readable, and ends without the old key', async () => {
    const first = await start({ key: A });
    for (let n = 0; n < 30; n += 1) await first.tenant.openAccount(contact(`a${n}`));
    // Every process learns of the next key first, so that none meets a value that it cannot read.
    const prepared = await start({ key: A, previousKey: B });
    expect(await keys()).toEqual([idOf(A)]);
    const rotating = await start({ key: B, previousKey: A });
    expect(await keys()).toEqual([idOf(B), idOf(A)]);
    await rotating.tenant.openAccount(contact('b'));
    expect((await prepared.tenant.account('b')).contact).toEqual({ email: 'b@example.com' });
    // A worker whose key is not the latest encrypts nothing again.
    expect(await encrypt(prepared.usance)).toBe(0);
    await expect(start({ key: B })).rejects.toThrow(`contacts of accounts (30) are encrypted with the key ${idOf(A)}`);
    expect(await encrypt(rotating.usance)).toBe(30);
    expect(await counts()).toEqual({ [idOf(B)]: 31 });
    expect(await encrypt(rotating.usance)).toBe(0);
    const last = await start({ key: B });
    expect(await keys()).toEqual([idOf(B)]);
    for (let n = 0; n < 30; n += 1)
      expect((await last.tenant.account(`a${n}`)).contact).toEqual({ email: `a${n}@example.com` });
    // The one that was forgotten.
    expect(await refusalOf(prepared.tenant.openAccount(contact('late')))).toBe('ENCRYPTION_KEY_UNKNOWN');
  });

  test('can be undone', async () => {
    const back = await start({ key: A, previousKey: B });
    expect(await keys()).toEqual([idOf(A), idOf(B)]);
    expect(await encrypt(back.usance)).toBe(31);
    await start({ key: A });
    expect(await keys()).toEqual([idOf(A)]);
    expect(await counts()).toEqual({ [idOf(A)]: 31 });
  });

  test('leaves a value that was changed in the database, reports it once, and does the rest', async () => {
    await database.owner.query(
      `update usance.accounts set contact_encrypted = set_byte(contact_encrypted, 20, get_byte(contact_encrypted, 20) # 1)
       where ref = 'a7'`,
    );
    const notices: string[] = [];
    const { usance } = await start({ key: C, previousKey: A }, { onNotice: (line) => notices.push(line) });
    expect(await encrypt(usance)).toBe(30);
    expect(await encrypt(usance)).toBe(0);
    expect(await counts()).toEqual({ [idOf(A)]: 1, [idOf(C)]: 30 });
    expect(notices.filter((line) => line.includes('was set aside'))).toHaveLength(1);
    expect(notices.join()).not.toMatch(/example\.com/);
    await database.owner.query(
      `update usance.accounts set contact_encrypted = null, contact_key = null where ref = 'a7'`,
    );
  });

  test('makes remembered answers with a contact unreadable, and no request is done twice', async () => {
    const { tenant } = await start({ key: C, previousKey: A });
    const request = { key: newId(), fingerprint: 'x' };
    const work = () => Promise.resolve({ contact: { email: 'r@example.com' } });
    await tenant.idempotently(request, work);
    const next = await start({ key: B, previousKey: C });
    expect(await next.tenant.idempotently(request, work)).toMatchObject({ replayed: true });
    await encrypt(next.usance);
    const last = await start({ key: B });
    expect(await refusalOf(last.tenant.idempotently(request, work))).toBe('IDEMPOTENCY_RESPONSE_ERASED');
  });
});

describe('Contacts from before encryption', () => {
  const { database, start, counts, encrypt } = useKeys();

  test('are encrypted in the background, and read the same before and after', async () => {
    const before = await start();
    for (let n = 0; n < 1_203; n += 1) await before.tenant.openAccount({ ref: `a${n}` });
    await database.owner.query(
      `update usance.accounts set contact = jsonb_build_object('email', ref || '@example.com') where ref like 'a%'`,
    );
    const { usance, tenant } = await start({ key: A });
    expect((await tenant.account('a7')).contact).toEqual({ email: 'a7@example.com' });
    // A row that a transaction holds is done later, and holds up no other.
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = database.owner.transaction(async (tx) => {
      await tx.query(`select 1 from usance.accounts where ref = 'a9' for update`);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    expect(await encrypt(usance)).toBe(1_202);
    held.resolve();
    await holding;
    // Edited meanwhile: its contact is encrypted, or stays for the loop.
    await tenant.editAccount('a9', { name: 'Nine' });
    expect(await encrypt(usance)).toBe(1);
    expect(await counts()).toEqual({ [idOf(A)]: 1_203 });
    for (const ref of ['a7', 'a9', 'a1202'])
      expect((await tenant.account(ref)).contact).toEqual({ email: `${ref}@example.com` });
    // A process of an older version wrote one: it is the later.
    await database.owner.query(`update usance.accounts set contact = '{"email":"new@example.com"}' where ref = 'a7'`);
    expect((await tenant.account('a7')).contact).toEqual({ email: 'new@example.com' });
    expect(await encrypt(usance)).toBe(1);
    expect((await tenant.account('a7')).contact).toEqual({ email: 'new@example.com' });
  });

  test('are encrypted by two workers at once, each row once', async () => {
    await database.owner.query(
      `update usance.accounts set contact = jsonb_build_object('email', ref || '@example.com'), contact_encrypted = null,
       contact_key = null where ref like 'a%'`,
    );
    const workers = await Promise.all([start({ key: A }), start({ key: A })]);
    const done = await Promise.all(workers.map(({ usance }) => encrypt(usance)));
    const rest = await encrypt(workers[0].usance);
    expect(done.reduce((sum, one) => sum + one, 0) + rest).toBe(1_203);
    expect(await counts()).toEqual({ [idOf(A)]: 1_203 });
  });
});

describe('The loop beside changes of the same contacts', () => {
  const { database, start, counts } = useKeys();

  test('encrypts in the background, a bounded number at a time, and loses no change', async () => {
    const before = await start();
    const all = 240;
    for (let n = 0; n < all; n += 1) await before.tenant.openAccount({ ref: `a${n}` });
    await database.owner.query(
      `update usance.accounts set contact = jsonb_build_object('email', ref || '@old.example.com') where ref like 'a%'`,
    );
    const { tenant } = await start({ key: A });
    const encrypted: number[] = [];
    const secrets = createSecrets({ key: A });
    const loop = encryptLoop(database.db, secrets, [ENCRYPTED_CONTACTS], { batchSize: 20 });
    const ending = new AbortController();
    const { signal } = ending;
    const background = (async () => {
      while (!signal.aborted) encrypted.push((await loop.runOnce(signal, true)).counts['encrypted'] ?? 0);
    })();
    // Every fourth is changed, every fourth cleared and every fourth given another name, while the loop goes over them.
    for (let n = 0; n < all; n += 1) {
      if (n % 4 === 0) await tenant.editAccount(`a${n}`, { contact: { email: `a${n}@new.example.com` } });
      if (n % 4 === 1) await tenant.editAccount(`a${n}`, { contact: null });
      if (n % 4 === 2) await tenant.editAccount(`a${n}`, { name: `Account ${n}` });
    }
    ending.abort();
    await background;
    for (let more = true; more;) more = (await loop.runOnce(signal, false)).more ?? false;
    expect(Math.max(...encrypted)).toBeLessThanOrEqual(20);
    expect(encrypted.filter((some) => some > 0).length).toBeGreaterThan(1);
    expect(await counts()).toEqual({ [idOf(A)]: (all * 3) / 4 });
    for (let n = 0; n < all; n += 1) {
      const host = n % 4 === 0 ? 'new' : 'old';
      const expected = n % 4 === 1 ? null : { email: `a${n}@${host}.example.com` };
      expect((await tenant.account(`a${n}`)).contact, `a${n}`).toEqual(expected);
    }
  });
});

describe('A table of another module', () => {
  const { database } = useKeys();
  const [old, next] = [createSecrets({ key: A }), createSecrets({ key: B, previousKey: A })];
  const column = {
    table: 'endpoints',
    column: 'secret',
    keyColumn: 'secret_key',
    keyIsGenerated: true,
    purpose: 'endpoint.secret',
    nouns: 'secrets of endpoints',
  } as const;

  test('is encrypted again beside accounts, with a generated key column', async () => {
    const { db, owner } = database;
    await owner.query(`create table usance.endpoints (
      tenant_id uuid not null, id uuid not null, secret bytea not null,
      secret_key text generated always as (usance.encryption_key_of(secret)) stored
        constraint endpoints_secret_encryption_key references usance.encryption_keys (id),
      primary key (tenant_id, id))`);
    await owner.query('grant select, insert, update on usance.endpoints to usance_runtime');
    await matchKeys(db, old, [column]);
    // The same id in two tenants, on both sides of the end of a batch.
    const rows = Array.from({ length: 9 }, (_, index) => ({ tenantId: newId(), id: newId(), index }));
    const fourth = rows[3];
    const twin = { tenantId: newId(), id: fourth?.id ?? '', index: 9 };
    for (const row of [...rows, twin]) {
      const value = old.encrypt(`secret ${row.index}`, aboutRow(column, row)).toString('hex');
      await db.query(`insert into usance.endpoints values ($1::uuid, $2::uuid, decode($3::text, 'hex'))`, [
        row.tenantId,
        row.id,
        value,
      ]);
    }
    await expect(matchKeys(db, createSecrets({ key: B }), [column])).rejects.toThrow(
      `secrets of endpoints (10) are encrypted with the key ${idOf(A)}`,
    );
    await matchKeys(db, next, [column]);
    const loop = encryptLoop(db, next, [column], { batchSize: 4 });
    const signal = new AbortController().signal;
    let encrypted = 0;
    for (let runs = 0; runs < 8; runs += 1) encrypted += (await loop.runOnce(signal, false)).counts['encrypted'] ?? 0;
    expect(encrypted).toBe(10);
    await matchKeys(db, createSecrets({ key: B }), [column]);
    const stored = await db.query(`select tenant_id, id, encode(secret, 'hex') as secret from usance.endpoints`);
    const plain = stored.map((row) => {
      const about = aboutRow(column, { tenantId: asText(row['tenant_id']), id: asText(row['id']) });
      return next.decrypt(Buffer.from(asText(row['secret']), 'hex'), about).toString();
    });
    expect(new Set(plain)).toEqual(new Set([...rows, twin].map(({ index }) => `secret ${index}`)));
    const value = old.encrypt('late', aboutRow(column, rows[0] ?? twin)).toString('hex');
    const writing = db.query(`update usance.endpoints set secret = decode($1::text, 'hex')`, [value]);
    expect(await refusalOf(writingSecrets(writing))).toBe('ENCRYPTION_KEY_UNKNOWN');
  });
});
