// One starter at a time. PostgreSQL alone is not enough where a killed server has left its postmaster.pid: of two
// servers that start at once both may find the file dead, and the slower one then removes the file that the quicker one
// has just written. (Its check of shared memory still saves the data, but the survivor runs without a file, and nobody
// can find it.) Programs that bring a killed server back together do just that, so they take turns.
//
// The lock is the kernel's and ends with its holder, however that ends: on Linux a name in the abstract socket
// namespace, which is no file and leaves none; elsewhere an open file that is locked as it is opened. Node has no call
// for file locks.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { reason } from './files.ts';

export interface StartLock {
  release(): Promise<void>;
}

/** Null when another program holds it. */
export function tryStartLock(pgdata: string): Promise<StartLock | null> {
  return process.platform === 'linux' ? tryName(pgdata) : tryFile(pgdata);
}

function tryName(pgdata: string): Promise<StartLock | null> {
  const name = createHash('sha256').update(pgdata).digest('hex').slice(0, 32);
  return new Promise((resolve, reject) => {
    const holder = createServer();
    holder.once('error', (error) => (reason(error) === 'EADDRINUSE' ? resolve(null) : reject(error)));
    holder.listen({ path: `\0usance-start-${name}` }, () => {
      resolve({ release: () => new Promise((released) => holder.close(() => released())) });
    });
  });
}

/** O_EXLOCK of macOS and the BSDs, which Node passes on but does not name. */
const LOCK_ON_OPEN = 0x20;

async function tryFile(pgdata: string): Promise<StartLock | null> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | LOCK_ON_OPEN;
  try {
    const holder = await open(join(dirname(pgdata), 'start.lock'), flags, 0o600);
    return { release: () => holder.close() };
  } catch (error) {
    if (['EAGAIN', 'EWOULDBLOCK'].includes(reason(error))) return null;
    throw error;
  }
}
