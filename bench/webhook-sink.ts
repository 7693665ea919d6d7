// Receivers of webhooks in a process of their own: each path of the server is an endpoint. `/hang` takes requests and never answers; every other path
// answers 204 at once. It keeps which event arrived where and when, by the clock that all processes of the machine share.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SinkCommand = 'clear' | 'count' | 'arrivals' | 'stop';

/** The id of the event, the path, and the instant in milliseconds. */
export type Arrival = readonly [id: string, path: string, atMs: number];

export type SinkNews =
  | { readonly is: 'ready'; readonly port: number }
  | { readonly is: 'cleared' }
  | { readonly is: 'count'; readonly count: number; readonly firstMs: number }
  | { readonly is: 'arrivals'; readonly arrivals: readonly Arrival[] };

/** Milliseconds of the monotonic clock of the machine. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

if (import.meta.main) serve();

function serve(): void {
  let arrivals: Arrival[] = [];
  const tell = (news: SinkNews): void => void process.send?.(news);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    arrivals.push([String(request.headers['webhook-id']), path, machineMs()]);
    request.resume();
    if (path !== '/hang') request.once('end', () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  process.on('message', (command: SinkCommand) => {
    if (command === 'clear') {
      arrivals = [];
      tell({ is: 'cleared' });
    } else if (command === 'count') {
      const answered = arrivals.filter(([, path]) => path !== '/hang');
      tell({ is: 'count', count: answered.length, firstMs: answered[0]?.[2] ?? Infinity });
    } else if (command === 'arrivals') tell({ is: 'arrivals', arrivals });
    else {
      server.closeAllConnections();
      server.close();
      process.disconnect?.();
    }
  });
  server.listen(0, '127.0.0.1', () => tell({ is: 'ready', port: (server.address() as AddressInfo).port }));
}
