// The engine in a process of its own, delivering webhooks to this machine.
import { createEngine } from '../src/engine.ts';
import { wirePresenterOf } from '../src/library/present.ts';
import { reportNoOps } from './no-op-report.ts';

export interface WebhookWorkerOrder {
  readonly databaseUrl: string;
  readonly key: string;
  readonly loops: readonly string[];
  readonly concurrency: number;
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as WebhookWorkerOrder);

async function serve({ databaseUrl, key, loops, concurrency }: WebhookWorkerOrder): Promise<void> {
  const report = reportNoOps(1);
  const usance = await createEngine({
    databaseUrl,
    migrate: false,
    encryption: { key },
    outbound: { loopback: true },
    webhooks: { presenter: wirePresenterOf, concurrency },
    // Deliveries to a receiver that hangs end with the process.
    jobs: { drainMs: 0 },
    onNotice: report.trouble,
    loops: { failed: (_name, error) => report.trouble(String(error)) },
  });
  report.ready({
    start: () => Promise.resolve(usance.start(loops)),
    stop: () => usance.close(),
  });
}
