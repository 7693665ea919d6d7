// The work of `usance worker --only webhooks`, as a process of a test, with loopback admitted. It prints its memory when it has started, and twice a second.
import { createEngine } from '../../../src/engine.ts';
import { wirePresenterOf } from '../../../src/library/present.ts';

const [url = '', key = '', concurrency = '100'] = process.argv.slice(2);
const engine = await createEngine({
  databaseUrl: url,
  migrate: false,
  encryption: { key },
  outbound: { loopback: true },
  webhooks: { presenter: wirePresenterOf, concurrency: Number(concurrency) },
  onNotice: (notice) => process.stderr.write(`${notice}\n`),
});
engine.start(['webhooks']);
const report = (): void => void process.stdout.write(`${process.memoryUsage().rss}\n`);
report();
setInterval(report, 500);
