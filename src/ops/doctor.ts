// Checks everything that usance depends on, in the order in which it breaks: the machine, the connection, the server, the schema, the
// books. Checks that depend on a failed one are left out, so that the first failure on the screen is the one to fix. Nothing is
// changed, except that an embedded server is started for the checks.
import { stat } from 'node:fs/promises';
import type { Database } from '../db/index.ts';
import {
  createPool,
  explainUnreachable,
  explaining,
  openEmbedded,
  placeOf,
  requireMigrated,
  requireSupportedServer,
} from '../db/index.ts';
import { readWorkforce } from '../jobs/index.ts';
import { SetupError, describeError } from '../kernel/index.ts';
import { listFreezes } from '../ledger/index.ts';
import { backlog } from '../payments/index.ts';
import { listenerName, openProbed } from '../queue/index.ts';
import { chainVerbs } from '../rails/index.ts';
import { scheduleBacklog } from '../schedules/index.ts';
import type { SecretsOptions } from '../secrets/index.ts';
import { listTenants } from '../tenants/index.ts';
import type { WakeUpFacts } from './database.ts';
import {
  LONG_MINUTES,
  judgeBacklog,
  judgeChains,
  judgeClock,
  judgeConnections,
  judgeDurability,
  judgeFreezes,
  judgeJobs,
  judgeWebhooks,
  judgeLoops,
  judgePartitions,
  judgeRights,
  judgeScheduleBacklog,
  judgeTransactions,
  judgeWakeUps,
} from './database.ts';
import type { SmtpSettings } from '../outbound/index.ts';
import { examineEncryption } from './encryption.ts';
import { examineMail } from './mail.ts';
import type { Finding } from './finding.ts';
import { fail, ok, warn } from './finding.ts';
import {
  METRICS,
  examineBinaries,
  examineFolder,
  examineNode,
  examinePort,
  examineSpace,
  examineZones,
} from './machine.ts';
import { readLoops } from './loop-store.ts';
import {
  countSessions,
  readLongTransactions,
  readPartitions,
  readRights,
  readServerTime,
  readSettings,
} from './store.ts';
import { readEndpointHealth } from '../webhooks/index.ts';

export interface Patient {
  readonly databaseUrl: string | null;
  /** Null: as databaseUrl. `none`: no process listens. */
  readonly listenUrl?: string | null;
  readonly dataDir: string;
  readonly schema: string;
  readonly poolSize: number;
  readonly host: string;
  readonly port: number;
  /** Null: none is set. */
  readonly metricsPort?: number | null;
  readonly metricsHost?: string;
  readonly production?: boolean;
  /** Keys of stored secrets. */
  readonly encryption?: SecretsOptions & { readonly keyFile?: string | null };
  /** Problems of the environment: variables that keep a command from starting, and variables that nothing reads. */
  readonly environment?: { readonly problems: readonly string[]; readonly warnings: readonly string[] };
  /** Null or left out: no e-mail. */
  readonly notifications?: { readonly smtp?: SmtpSettings | null };
  readonly onNotice?: (line: string) => void;
}

export async function examine(
  patient: Patient,
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = (finding: Finding): void => {
    findings.push(finding);
    onFinding(finding);
  };
  const failed = (): boolean => findings.some((finding) => finding.level === 'fail');

  found(examineNode(process.versions.node));
  found(examineZones(process.versions['tz']));
  found(judgeEnvironment(patient.environment));
  if (patient.databaseUrl === null) {
    found(await examineFolder(patient.dataDir));
    found(await examineSpace(patient.dataDir));
    found(await examineBinaries());
  }
  // Asking would make a store where there is none.
  const made = patient.databaseUrl !== null || (await stat(patient.dataDir).catch(() => null)) !== null;
  if (!failed() && made) await examineStore(patient, found);
  else if (!made) found(ok('database', 'none yet: the first start creates it'));
  const smtp = patient.notifications?.smtp ?? null;
  if (smtp) found(await examineMail(smtp));
  found(await examineMetrics(patient));
  found(await examinePort(patient.host, patient.port));
  return findings;
}

function judgeEnvironment({ problems, warnings }: NonNullable<Patient['environment']> = NOTHING_WRONG): Finding {
  if (problems.length > 0)
    return fail('environment', [...problems, ...warnings].join('; '), 'set or correct these variables');
  // Each warning says what applies instead.
  if (warnings.length > 0) return warn('environment', warnings.join('; '), 'correct these variables, or unset them');
  return ok('environment', 'the configuration is complete for every command');
}

const NOTHING_WRONG = { problems: [], warnings: [] };

async function examineMetrics({ metricsPort = null, metricsHost, host, production }: Patient): Promise<Finding> {
  if (metricsPort !== null) return examinePort(metricsHost ?? host, metricsPort, METRICS);
  const says = 'METRICS_PORT is not set';
  return production
    ? warn('metrics port', `${says}: processors and workers cannot be scraped`, 'set METRICS_PORT')
    : ok('metrics port', `${says}: the API serves the metrics, only to this machine`);
}

type Found = (finding: Finding) => void;

async function examineStore(patient: Patient, found: Found): Promise<void> {
  try {
    if (patient.databaseUrl !== null) {
      await examineDatabase(patient, patient.databaseUrl, placeOf(patient.databaseUrl), found);
      return;
    }
    const { dataDir, onNotice } = patient;
    const server = await openEmbedded({ dataDir, ...(onNotice ? { onNotice } : {}) });
    try {
      await examineDatabase(patient, server.runtimeUrl, 'the embedded server', found);
    } finally {
      await server.release();
    }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    found(fail('database', error.message));
  }
}

async function examineDatabase(patient: Patient, url: string, place: string, found: Found): Promise<void> {
  const { schema } = patient;
  const db = createPool({ url, schema, maxConnections: 1, name: 'usance doctor' });
  try {
    const version = await explaining(url, () => requireSupportedServer(db));
    found(ok('database', `${place} answers, PostgreSQL ${version}`));
    const settings = await readSettings(db);
    found(judgeDurability(settings));
    found(judgeConnections(settings, patient.poolSize, patient.listenUrl !== 'none'));
    found(judgeWakeUps(await examineWakeUps(db, patient.listenUrl ?? url, schema)));
    found(await examineClock(db));
    found(judgeTransactions(await readLongTransactions(db, LONG_MINUTES)));
    if (await examineSchema(db, url, found)) {
      found(judgeRights(await readRights(db, schema)));
      found(await examineEncryption(db, patient.encryption ?? {}));
      found(judgePartitions(await readPartitions(db, schema)));
      const now = await readServerTime(db);
      found(judgeBacklog(await backlog(db, now), now));
      found(judgeScheduleBacklog(await scheduleBacklog(db, now), now));
      found(judgeJobs(await readWorkforce(db, now), now));
      found(judgeWebhooks(await readEndpointHealth(db)));
      found(judgeChains(await chainVerbs({ sql: db }).chains()));
      const tenants = await listTenants(db);
      found(judgeLoops(tenants.length === 0 ? null : await readLoops(db), now));
      const names = new Map(tenants.map((tenant) => [tenant.id, tenant.name]));
      found(judgeFreezes(await listFreezes(db, { activeOnly: true }), (id) => names.get(id) ?? id));
    }
  } finally {
    await db.close();
  }
}

const PROBE_MS = 2_000;

async function examineWakeUps(db: Database, url: string, schema: string): Promise<WakeUpFacts> {
  const listeners = await countSessions(db, listenerName(schema));
  if (url === 'none') return { listening: 'off', listeners };
  try {
    const notify = (channels: readonly string[]): Promise<void> => db.notify(channels);
    const { connection, arrives } = await openProbed({ url, schema, notify, probeMs: PROBE_MS });
    connection.close();
    return { listening: arrives === null ? 'not sent' : arrives ? 'arrives' : 'does not arrive', listeners };
  } catch (error) {
    const unreachable = explainUnreachable(error, url)?.message ?? describeError(error);
    return { listening: { unreachable }, listeners };
  }
}

async function examineClock(db: Database): Promise<Finding> {
  await db.query('select 1'); // So that opening the connection is not in the measure.
  const askedMs = wallClockMs();
  const server = await readServerTime(db);
  return judgeClock(askedMs, server.getTime(), wallClockMs());
}

/** This machine's own time is what is being looked at here. */
function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}

async function examineSchema(db: Database, url: string, found: Found): Promise<boolean> {
  try {
    const version = await explaining(url, () => requireMigrated(db));
    found(ok('schema', `version ${version}, as required by this program`));
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    found(fail('schema', error.message));
    return false;
  }
}
