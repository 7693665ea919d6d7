// A thread of the child process that ends it when its parent is gone, or when it uses too much memory: its event loop may be unable to.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogData } from './messages.ts';
import { MEBIBYTE } from './messages.ts';

const LOOK_EVERY_MS = 250;
const { parent, memoryBytes } = workerData as WatchdogData;

setInterval(() => {
  const rssBytes = process.memoryUsage.rss();
  if (rssBytes > memoryBytes) {
    const [used, most] = [rssBytes, memoryBytes].map((bytes) => Math.round(bytes / MEBIBYTE));
    writeSync(2, `usance: the process of the processors uses ${used} MiB, more than ${most} MiB: it is ended\n`);
  } else if (process.ppid === parent) return;
  process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
