// Encryption keys as an operator meets them: printed, set, wrong, rotated, and judged by the doctor.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine, newSecretKey, parseSecretKey } from '../../src/engine.ts';
import { useDatabase } from '../support/database.ts';
import { startUsance, useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const store = useDatabase();
const [A, B] = [newSecretKey(), newSecretKey()];
const ENCRYPT = ['worker', '--only', 'encrypt', '--once'];
const idOf = (key: string): string => parseSecretKey('key', key).id;

test('encryption-key prints a new key each time, and opens no store', async () => {
  const { code, out } = await usanceHere(folder, ['encryption-key'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  expect(code).toBe(0);
  expect(idOf(out)).toMatch(/^[0-9a-f]{8}$/);
  const { key, id } = (await usanceHere(folder, ['encryption-key', '--json'])).json<{ key: string; id: string }>();
  expect(id).toBe(idOf(key));
  expect(key).not.toBe(out.trim());
});

test('an embedded store makes its own key, and the doctor finds it', async () => {
  expect((await usanceHere(folder, ['migrate'])).code).toBe(0);
  const file = join(folder, '.usance', 'encryption-key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const id = idOf(await readFile(file, 'utf8'));
  const { out } = await usanceHere(folder, ['doctor'], { PORT: '0' });
  expect(out).toContain(`0 stored values are encrypted with the key ${id}`);
});

describe('On a database of your own', () => {
  let engine: Engine;
  const variables = { DATABASE_URL: store.runtimeUrl, PORT: '0' };
  const doctor = async (more: Record<string, string>): Promise<unknown> => {
    const ended = await usanceHere(elsewhere, ['doctor', '--json'], { ...variables, ...more });
    const { findings } = ended.json<{ findings: { name: string }[] }>();
    return findings.find(({ name }) => name === 'encryption');
  };
  const elsewhere = useFolder();
  beforeAll(async () => {
    engine = await createEngine({ databaseUrl: store.runtimeUrl, encryption: { key: A } });
  });
  afterAll(() => engine.close());

  test('nothing is made, and contacts are refused', async () => {
    expect((await usanceHere(elsewhere, ['verify'], variables)).code).toBe(0);
    expect(existsSync(join(elsewhere, '.usance', 'encryption-key'))).toBe(false);
    expect(await doctor({})).toMatchObject({ level: 'ok', says: expect.stringContaining('is not set: contacts') });
  });

  test('a command with the wrong key, or without one, does not start and says why', async () => {
    const tenant = await engine.createTenant({ name: 'shop' });
    await tenant.openAccount({ ref: 'alice', contact: { email: 'alice@example.com' } });
    for (const [more, says] of [
      [{}, `encrypted with the key ${idOf(A)}, and there is no key: set USANCE_ENCRYPTION_KEY`],
      [{ USANCE_ENCRYPTION_KEY: B }, `and the key is ${idOf(B)}: set USANCE_ENCRYPTION_KEY`],
      [{ USANCE_ENCRYPTION_KEY: 'short' }, 'USANCE_ENCRYPTION_KEY must be 32 random bytes'],
      [
        { USANCE_ENCRYPTION_KEY_PREVIOUS: A },
        'USANCE_ENCRYPTION_KEY_PREVIOUS is set, but USANCE_ENCRYPTION_KEY is not',
      ],
    ] as const) {
      const { code, err } = await usanceHere(elsewhere, ENCRYPT, { ...variables, ...more });
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(says) });
      expect(err).not.toContain(B);
    }
    expect((await usanceHere(elsewhere, ENCRYPT, { ...variables, USANCE_ENCRYPTION_KEY: A })).code).toBe(0);
  });

  test('a command that reads no contact starts without a key, and not with a wrong one', async () => {
    for (const command of [['processor', '--once'], ['scheduler', '--once'], ['verify'], ['migrate']]) {
      const owner = { ...variables, DATABASE_OWNER_URL: store.ownerUrl };
      expect((await usanceHere(elsewhere, command, owner)).code, command[0]).toBe(0);
      expect((await usanceHere(elsewhere, command, { ...owner, USANCE_ENCRYPTION_KEY: B })).code, command[0]).toBe(3);
    }
  });

  test('no command starts with a wrong key, resident or not', { timeout: 60_000 }, async () => {
    const owner = { ...variables, DATABASE_OWNER_URL: store.ownerUrl };
    const says = `are encrypted with the key ${idOf(A)}, and the key is ${idOf(B)}: set USANCE_ENCRYPTION_KEY`;
    const commands = [
      ['api'],
      ['worker'],
      ['scheduler'],
      ['processor'],
      ['dev', '--no-demo'],
      ['worker', '--only', 'webhooks,notifications,emails', '--once'],
      ['webhooks', 'create', '--url', 'https://shop.example.com/hooks', '--events', '*'],
    ];
    const ended = await Promise.all(
      commands.map((command) => usanceHere(elsewhere, command, { ...owner, USANCE_ENCRYPTION_KEY: B })),
    );
    for (const [n, { code, err }] of ended.entries())
      expect({ code, err }, commands[n]?.join(' ')).toEqual({ code: 3, err: expect.stringContaining(says) });
  });

  test('nothing that sends starts without the key of what it would send, e-mail too', { timeout: 60_000 }, async () => {
    const smtp = {
      USANCE_SMTP_URL: 'smtp://127.0.0.1:1?tls=none',
      USANCE_EMAIL_FROM: 'pay@example.com',
      USANCE_PUBLIC_URL: 'http://localhost:3001',
    };
    const says = `contacts of accounts (1) are encrypted with the key ${idOf(A)}, and there is no key: set USANCE_ENCRYPTION_KEY`;
    const commands = [['api'], ['worker', '--once'], ['worker', '--only', 'emails', '--once']];
    const ended = await Promise.all(
      commands.map((command) => usanceHere(elsewhere, command, { ...variables, ...smtp })),
    );
    for (const [n, { code, err }] of ended.entries())
      expect({ code, err }, commands[n]?.join(' ')).toEqual({ code: 3, err: expect.stringContaining(says) });
  });

  test('the doctor says which key is missing, and during a rotation how much is left', async () => {
    const [KEY, PREVIOUS] = ['USANCE_ENCRYPTION_KEY', 'USANCE_ENCRYPTION_KEY_PREVIOUS'];
    expect(await doctor({})).toMatchObject({
      level: 'fail',
      says: expect.stringContaining(`1 with the key ${idOf(A)}`),
    });
    expect(await doctor({ [KEY]: B })).toMatchObject({ level: 'fail', todo: expect.stringContaining(PREVIOUS) });
    expect(await doctor({ [KEY]: 'short' })).toMatchObject({ level: 'fail' });
    expect(await doctor({ [KEY]: A })).toMatchObject({
      level: 'ok',
      says: `1 stored values are encrypted with the key ${idOf(A)}`,
    });
    const rotation = { [KEY]: B, [PREVIOUS]: A };
    expect(await doctor(rotation)).toMatchObject({
      level: 'warn',
      says: `0 stored values are encrypted with the key ${idOf(B)}, 1 still with the previous key ${idOf(A)}`,
    });
    const worker = await usanceHere(elsewhere, ENCRYPT, { ...variables, ...rotation });
    expect(worker.code).toBe(0);
    expect(await doctor(rotation)).toMatchObject({
      level: 'ok',
      says: expect.stringContaining('USANCE_ENCRYPTION_KEY_PREVIOUS is not needed any more'),
    });
    expect((await usanceHere(elsewhere, ENCRYPT, { ...variables, [KEY]: B })).code).toBe(0);
  });

  test('"usance dev" makes a key in its folder, which the other commands there use', async () => {
    const own = useOwn();
    const { child, ended } = await startUsance(own.folder, ['dev', '--no-demo'], 'Ctrl-C', own.variables);
    child.kill('SIGINT');
    await ended;
    expect((await stat(join(own.folder, '.usance', 'encryption-key'))).mode & 0o777).toBe(0o600);
    const { out } = await usanceHere(own.folder, ['doctor'], own.variables);
    expect(out).toContain('stored values are encrypted with the key');
  });
});

const another = useDatabase();
const anotherFolder = useFolder();
const useOwn = () => ({
  folder: anotherFolder,
  variables: { DATABASE_URL: another.runtimeUrl, DATABASE_OWNER_URL: another.ownerUrl, PORT: '0' },
});
