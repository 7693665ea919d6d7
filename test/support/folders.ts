// Where the tests put what they throw away.
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const PLENTY_BYTES = 4 * 2 ** 30;

/**
 * In memory where there is plenty of it. A new database is some six hundred small files, and a disk takes ten times as long
 * to make them. Nothing may be run from there: some machines forbid it.
 */
export function quickFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > PLENTY_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
