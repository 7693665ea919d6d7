// The loop `emails`: a worker of jobs for the built-in processor `email`, with its own slots: a mail server that hangs delays no message to operators,
// and no webhook. Without settings of the operator this process sends none, and executions wait for one that does.
import type { Database } from '../../db/index.ts';
import type { JobLoopOptions, JobWorker } from '../../jobs/index.ts';
import { jobsLoop } from '../../jobs/index.ts';
import type { Secrets } from '../../secrets/index.ts';
import type { Mailer, SmtpSettings } from '../../outbound/index.ts';
import { emailProcessor } from './processor.ts';

export interface EmailLoopOptions extends Omit<
  JobLoopOptions,
  'name' | 'waitsForJob' | 'processors' | 'host' | 'limits' | 'presenter'
> {
  readonly secrets: Secrets;
  /** Null: nothing is sent. */
  readonly smtp: (Pick<SmtpSettings, 'from' | 'publicUrl' | 'perDay'> & { readonly mailer: Mailer }) | null;
  readonly drainMs?: number | undefined;
}

/** Twice the connections to the mail server; a tenant has at most four of them. */
const KEPT_FREE = 2;
const LIMITS = { concurrency: 10, tenantConcurrency: 4 };

export function emailsLoop(db: Database, options: EmailLoopOptions): JobWorker {
  const { secrets, smtp, drainMs, onNotice, ...loop } = options;
  const worker = jobsLoop(db, {
    ...loop,
    name: 'emails',
    waitsForJob: true,
    onNotice,
    processors: smtp ? [emailProcessor({ db, secrets, onNotice, ...smtp })] : [],
    keptFree: KEPT_FREE,
    limits: { ...LIMITS, ...(drainMs === undefined ? {} : { drainMs }) },
  });
  return {
    name: worker.name,
    pollMs: worker.pollMs,
    add: (one) => worker.add(one),
    announce: () => worker.announce(),
    get processors() {
      return worker.processors;
    },
    runOnce: (signal, resident, woken) => worker.runOnce(signal, resident, woken),
    async stop() {
      await worker.stop?.();
      smtp?.mailer.close();
    },
  };
}
