// Every background loop of every process, and what its runs work on: `processed_count` of `cron_runs` is the sum of these counts.
export const PROCESSED: Readonly<Record<string, readonly string[]>> = {
  scheduler: ['made'],
  sequencer: ['ordered'],
  matcher: ['matched'],
  jobs: ['claimed'],
  webhooks: ['claimed'],
  notifications: ['claimed'],
  emails: ['claimed'],
  rescuer: ['rescued', 'missing', 'cancelled'],
  'seal-check': ['checked'],
  anchors: ['anchored'],
  integrity: ['checked'],
  clocks: ['steps'],
  forecast: ['looked'],
  partitions: ['made'],
  retention: ['keys', 'spend', 'runs', 'archived', 'executions', 'attempts', 'bodies', 'ownCounts', 'erased'],
  encrypt: ['encrypted'],
  health: ['measured'],
  treasury: ['compared'],
  alerts: ['checked'],
  metrics: ['kept'],
  processor: ['claimed'],
  payouts: ['claimed'],
  confirmations: ['claimed'],
  'key-usage': ['touched'],
  'sign-ins': ['accepted', 'refused'],
};

/** These run where the API is served: they write what its requests noted. */
const OF_THE_API = ['key-usage', 'sign-ins'];

/** Values of `cron_runs.job_name`. */
export const JOB_NAMES: readonly string[] = Object.keys(PROCESSED);

/** The loops of the engine, any of which a worker can run. */
export const LOOP_NAMES: readonly string[] = JOB_NAMES.filter((name) => !OF_THE_API.includes(name));
