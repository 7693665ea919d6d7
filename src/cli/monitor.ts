// /health, /ready and /metrics on a separate port (METRICS_PORT), for a command without an HTTP port, or whose HTTP port is public.
// Requests have no body and responses no secrets: only counts and health.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import { METRICS_TYPE } from '../kernel/index.ts';
import type { Log } from './log.ts';

export interface Monitor {
  /** /ready fails from now on; resolves after load balancers had time to notice. */
  turnRed(): Promise<void>;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 5_000;

/** Without a port, an object that only waits. */
export async function openMonitor(engine: Engine, config: Config, log: Log): Promise<Monitor> {
  const { metricsPort, metricsHost, drainMs } = config;
  let stopping = false;
  const turnRed = async (): Promise<void> => {
    stopping = true;
    if (metricsPort !== null) await new Promise((resolve) => setTimeout(resolve, drainMs));
  };
  if (metricsPort === null) return { turnRed, close: async () => undefined };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  server.maxConnections = 100;
  server.on('request', (request, response) => {
    answer(engine, request, response, () => stopping).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(metricsPort, metricsHost, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${metricsHost.includes(':') ? `[${metricsHost}]` : metricsHost}:${port}`;
  log.info(`metrics at ${url}/metrics`, { url });
  return {
    turnRed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  isStopping: () => boolean,
): Promise<void> {
  const say = (status: number, body: string, type = 'application/json; charset=utf-8'): void => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  };
  const told = (status: number, word: string): void => say(status, JSON.stringify({ status: word }));
  if (request.method !== 'GET' && request.method !== 'HEAD') return told(405, 'only GET');
  switch (request.url?.split('?', 1)[0] ?? '') {
    case '/health':
      return say(200, JSON.stringify({ status: 'ok', tz: process.versions['tz'] ?? null }));
    case '/ready':
      if (isStopping()) return told(503, 'stopping');
      return (await engine.monitoring.answers()) ? told(200, 'ready') : told(503, 'database unavailable');
    case '/metrics':
      return say(200, await engine.monitoring.metrics(), METRICS_TYPE);
    default:
      return told(404, 'available paths: /health, /ready and /metrics');
  }
}
