// A processor as a program of its own, for the tests to start, stop dead and kill. Says each thing as one line of JSON;
// told "stop" it stops itself in the middle of its next batch, between two statements; leaves when its input ends.
import { createInterface } from 'node:readline';
import type { EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions;
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
let stopping = false;

const usance = await createEngine({
  ...options,
  migrate: false,
  onNotice: (notice) => say({ notice }),
  onStatement: (text) => {
    if (!stopping || !text.includes('insert into usance.transfers')) return;
    stopping = false;
    say({ stopped: true });
    process.kill(process.pid, 'SIGSTOP');
  },
  loops: {
    ran: (_loop, counts) => {
      if (counts['claimed']) say({ settled: counts['settled'] });
    },
    failed: (_loop, error) => say({ failed: String(error) }),
  },
});
usance.start(['processor']);
say({ ready: true });

const input = createInterface({ input: process.stdin });
input.on('line', () => (stopping = true));
input.on('close', () => {
  void usance.close().then(() => process.exit(0));
});
