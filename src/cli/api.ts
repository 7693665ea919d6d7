// `usance api`: serves only HTTP; payments wait until a processor runs. If it is the first command that runs on a new store (outside
// production), it creates the same demo and the same key as `usance dev`.
import type { Command } from 'commander';
import type { Api } from '../api/index.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import { patiently, servesUsance } from '../engine.ts';
import { SetupError } from '../kernel/index.ts';
import { bold } from './screen.ts';
import type { Screen } from './screen.ts';
import { ensureBootstrapKey } from './bootstrap.ts';
import { ensureDemo } from './demo.ts';
import type { Log } from './log.ts';
import { createLog, logAnswer, logTrouble } from './log.ts';
import { openMonitor } from './monitor.ts';
import { aborted } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import { EXIT } from './trouble.ts';

export function addApi(program: Command): void {
  program
    .command('api')
    .description('serve the HTTP API; "usance processor" runs the payments')
    .option('--json', 'print one JSON document when it listens')
    .addHelpText('after', '\nExample:\n  PORT=8080 HOST=0.0.0.0 usance api')
    .action((options: CommonOptions) => runApi(options));
}

export function runApi(options: CommonOptions): Promise<void> {
  return run('api', options, api);
}

/** The configured server. An internal error is logged with the request id that the caller received. */
export async function openApi(engine: Engine, config: Config, log: Log): Promise<Api> {
  // Imported here and not at the top: other commands need not load a web server.
  const { createApi } = await import('../api/index.ts');
  const { host, port, drainMs, production, metricsPort, rateLimits, trustedProxies, origins } = config;
  const api = createApi(engine, {
    host,
    port,
    drainMs,
    rateLimits,
    trustedProxies,
    origins,
    maxConnectionsPerAddress: config.connectionsPerAddress,
    stream: { mostPerTenant: config.streamsPerTenant, mostPerKey: config.streamsPerKey },
    metrics: metricsPort === null && !production,
    onError: (error, context) => logTrouble(log, error, context),
    onAnswered: (answered) => logAnswer(log, answered),
  });
  return { ...api, listen: () => api.listen().catch((error: unknown) => explainTwice(error, config)) };
}

/** If usance already listens on the port, a second start says so instead of failing with EADDRINUSE. */
async function explainTwice(error: unknown, { host, port }: Config): Promise<never> {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!taken || !(await servesUsance(host, port))) throw error;
  throw new SetupError(`usance already serves port ${port} on ${host}: use that process, or set PORT to another port`);
}

async function api(screen: Screen, config: Config): Promise<number> {
  const log = createLog(screen, config);
  await withUsance(screen, config, { resident: true, readsSecrets: true }, async (engine, stop) => {
    const patience = { onNotice: screen.notice };
    if (!config.production) await patiently(() => ensureDemo(engine), patience);
    const key = await patiently(() => ensureBootstrapKey(engine, config), patience);
    const server = await openApi(engine, config, log);
    const monitor = await openMonitor(engine, config, log);
    const { url, address } = await server.listen();
    engine.start(['metrics']);
    if (!config.production) {
      screen.line(`${bold(url)}, reference at ${url}/docs`);
      if (key?.file) screen.line(`API key ${bold(key.secret)}, kept in ${key.file}`);
      screen.line('"usance processor" runs the payments. Ctrl-C stops the API.');
    }
    log.info(`listening on ${address}`, { url: address });
    screen.document({ ready: true, url, store: engine.store });
    await aborted(stop);
    log.info('stopping: requests in flight finish');
    await Promise.all([monitor.turnRed(), server.close()]);
    await monitor.close();
  });
  log.info('stopped');
  return EXIT.fine;
}
