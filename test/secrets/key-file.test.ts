import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SetupError } from '../../src/kernel/index.ts';
import { keptKey, parseSecretKey } from '../../src/secrets/index.ts';
import { useFolder } from '../cli/cli.ts';

const folder = useFolder();
let count = 0;
const fresh = (): string => join(folder, `${(count += 1)}`, 'encryption-key');

test('a key is made once, readable only by its owner, however many programs start at once', async () => {
  const file = fresh();
  expect(await keptKey(file, { make: false })).toBeNull();
  const keys = await Promise.all(Array.from({ length: 20 }, () => keptKey(file, { make: true })));
  expect(new Set(keys).size).toBe(1);
  expect(parseSecretKey('key', keys[0] ?? '').id).toMatch(/^[0-9a-f]{8}$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(file, '..'))).toEqual(['encryption-key']);
  expect(await keptKey(file, { make: false })).toBe(keys[0]);
});

test('a file that others can read is closed to them', async () => {
  const file = fresh();
  await keptKey(file, { make: true });
  await chmod(file, 0o644);
  await keptKey(file, { make: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a file that is not a key is refused, and not replaced', async () => {
  const file = fresh();
  await keptKey(file, { make: true });
  await writeFile(file, 'half a k');
  const kept = await keptKey(file, { make: true });
  expect(() => parseSecretKey('USANCE_ENCRYPTION_KEY', kept ?? '')).toThrow(SetupError);
  expect(await readFile(file, 'utf8')).toBe('half a k');
});

test('a folder that cannot be written is explained', async () => {
  const file = fresh();
  await keptKey(file, { make: true });
  await expect(keptKey(join(file, 'below', 'encryption-key'), { make: true })).rejects.toThrow(
    /cannot be read or made \(ENOTDIR\): correct the folder, or set USANCE_ENCRYPTION_KEY/,
  );
});
