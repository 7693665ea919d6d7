// Pushes the metrics of a one-shot command, which cannot be scraped: to a file for node_exporter's textfile collector, a Pushgateway,
// or both. A failed push is a notice and does not change the exit code.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import { fetchForOperator } from '../engine.ts';
import { METRICS_TYPE, describeError } from '../kernel/index.ts';
import type { Screen } from './screen.ts';

const PATIENCE_MS = 5_000;

/** `command` becomes a label in the file, and the job in the gateway: files of several commands have no series in common. */
export async function pushMetrics(
  screen: Screen,
  { metricsFile, metricsPushUrl }: Pick<Config, 'metricsFile' | 'metricsPushUrl'>,
  command: string,
  engine: Engine,
): Promise<void> {
  if (metricsFile === null && metricsPushUrl === null) return;
  const text = withoutProcess(await engine.monitoring.metrics());
  const attempt = async (variable: string, to: string, push: () => Promise<void>): Promise<void> => {
    await push().catch((error: unknown) =>
      screen.notice(`usance: the metrics were not pushed to ${to} (${variable}): ${whyNot(error)}`),
    );
  };
  if (metricsFile !== null) {
    const path = named(metricsFile, command);
    await attempt('USANCE_METRICS_FILE', path, () => writeWhole(path, labelled(text, command)));
  }
  if (metricsPushUrl !== null) {
    const url = addressOf(metricsPushUrl, command);
    // Without the login, the path and the query, which may have secrets.
    await attempt('USANCE_METRICS_PUSH_URL', url.origin, () => put(url, text));
  }
}

/** fetch keeps the reason in its cause: the code of a connection, or of one of several that were tried. */
function whyNot(error: unknown): string {
  const reason = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  const first = reason instanceof AggregateError ? reason.errors[0] : reason;
  return describeError(first);
}

const named = (path: string, command: string): string => path.replaceAll('{command}', command);

/** The collector reads whole files only: written beside it, then renamed. */
async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { mode: 0o644, flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** The default path of the gateway; a path that already names a job is used unchanged. */
export function addressOf(base: string, command: string): URL {
  const url = new URL(named(base, command));
  if (!url.pathname.includes('/metrics/job/'))
    url.pathname = `${url.pathname.replace(/\/$/, '')}/metrics/job/usance_${command}`;
  return url;
}

/** PUT replaces the metrics of the last run of this job. */
async function put(url: URL, body: string): Promise<void> {
  const { username, password } = url;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  const answer = await fetchForOperator(url, {
    method: 'PUT',
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      'content-type': METRICS_TYPE,
      ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  await answer.body?.cancel();
  if (!answer.ok) throw Object.assign(new Error('refused'), { name: 'GatewayRefused', code: `HTTP_${answer.status}` });
}

/** A process that has ended has no memory or processor time, and node_exporter exports these names itself. */
function withoutProcess(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^(# \w+ )?(process|nodejs)_/.test(line))
    .join('\n');
}

function labelled(text: string, command: string): string {
  const label = `command="${command}"`;
  return text
    .split('\n')
    .map((line) =>
      line === '' || line.startsWith('#')
        ? line
        : line.replace(/^(\w+)(?:\{(.*)\})? /, (_all, name: string, labels?: string) =>
            labels === undefined ? `${name}{${label}} ` : `${name}{${label},${labels}} `,
          ),
    )
    .join('\n');
}
