// A server in a process of its own: usance's HTTP API as `usance api` runs it, but for the line it logs of every request, or a bare
// Fastify with one route a statement and nothing around it. `start` forks it.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import fastify from 'fastify';
import pg from 'pg';
import { createApi } from '../src/api/index.ts';
import { createEngine } from '../src/engine.ts';

export type ServerOrder =
  | { readonly is: 'usance'; readonly databaseUrl: string; readonly maxGroup?: number }
  | { readonly is: 'bare'; readonly databaseUrl: string; readonly reads: readonly BareRead[] };

/** `GET /path/:id`, answered with the rows of one statement; `ID` in its values stands for the id of the path. */
export interface BareRead {
  readonly path: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Connections to the database, the same for every server. */
const CONNECTIONS = 10;

export function startServer(order: ServerOrder): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [JSON.stringify(order)]);
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
    child.once('message', (url) => {
      child.removeAllListeners('exit');
      resolve({ url: url as string, stop: () => stopped(child) });
    });
  });
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.send('stop');
  });
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as ServerOrder);

async function serve(order: ServerOrder): Promise<void> {
  const { url, close } = await (order.is === 'usance' ? whole(order) : bare(order));
  process.once('message', () => void close().then(() => process.disconnect?.()));
  // Whoever started it is gone, and nobody is left to ask it to stop.
  process.once('disconnect', () => process.exit());
  process.send?.(url);
}

interface Served {
  readonly url: string;
  close(): Promise<unknown>;
}

async function whole({ databaseUrl, maxGroup }: ServerOrder & { is: 'usance' }): Promise<Served> {
  const usance = await createEngine({
    databaseUrl,
    migrate: false,
    poolSize: CONNECTIONS,
    ...(maxGroup === undefined ? {} : { maxGroup }),
  });
  // Every request is counted against its key's limit, and none is refused.
  const rateLimits = { perKey: 1_000_000_000, perUser: 0 };
  const api = createApi(usance, { host: '127.0.0.1', port: 0, rateLimits });
  const { url } = await api.listen();
  return { url, close: () => api.close().then(() => usance.close()) };
}

async function bare({ databaseUrl, reads }: ServerOrder & { is: 'bare' }): Promise<Served> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const app = fastify({ logger: false });
  for (const { path, text, values } of reads) {
    app.get<{ Params: { id: string } }>(path, async ({ params }) => {
      const { rows } = await pool.query<object>(
        text,
        values.map((value) => value && value.replace('ID', params.id)),
      );
      return rows;
    });
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close().then(() => pool.end()) };
}
