// The loop that a service writes first: it signs each body and sends it with `fetch`, so many at the same time, and keeps nothing.
import { signWebhook } from '../src/engine.ts';
import { bodiesOf } from './webhook-bodies.ts';
import { reportNoOps } from './no-op-report.ts';

export interface BareWebhooksOrder {
  readonly databaseUrl: string;
  readonly urls: readonly string[];
  readonly secret: string;
  readonly events: number;
  readonly atOnce: number;
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as BareWebhooksOrder);

async function serve({ databaseUrl, urls, secret, events, atOnce }: BareWebhooksOrder): Promise<void> {
  const bodies = await bodiesOf(databaseUrl, events);
  const orders = bodies.flatMap((body) => urls.map((url) => ({ ...body, url })));
  const report = reportNoOps(orders.length);
  const sendAll = async (): Promise<void> => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const { id, body, url } = order;
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'bare',
          ...signWebhook({ id, sentAt: new Date(), body, secrets: [secret] }),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
      });
      await response.text();
      if (!response.ok) report.trouble(`the receiver answered ${response.status}`);
      report.handled(1);
    }
  };
  report.ready({
    start: () => Promise.all(Array.from({ length: atOnce }, sendAll)),
    stop: () => Promise.resolve(),
  });
}
