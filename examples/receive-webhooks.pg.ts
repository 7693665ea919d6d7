// A receiver of webhooks that acts exactly once: the id of the event and its effect are committed in one transaction. Here with pg.
//
//   node examples/receive-webhooks.pg.ts        in a clone; elsewhere copy the file into your project first
//
// It runs on an embedded PostgreSQL in the folder .usance, or on the server in DATABASE_URL (then also set USANCE_ENCRYPTION_KEY).
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { createUsance } from '../src/index.ts'; // In your project: from 'usance'.
import { verifyWebhook } from '../src/client/index.ts'; // In your project: from 'usance/client'.

const usance = await createUsance({
  databaseUrl: process.env['DATABASE_URL'],
  migrate: true,
  encryption: { key: process.env['USANCE_ENCRYPTION_KEY'] },
  // Admits a receiver on this machine. Production refuses it.
  outbound: { loopback: true },
});
usance.start();
const pool = new pg.Pool({ connectionString: usance.databaseUrl });
await pool.query('create table if not exists paid_orders (id text primary key, payments int not null)');
await pool.query('create table if not exists inbox (event_id text primary key)');

let secret = '';
let requests = 0;
const receiver = createServer(async (request, response) => {
  requests += 1;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const event = await verifyWebhook(Buffer.concat(parts), request.headers, secret).catch(() => null);
  // Anything but 2xx is sent again, also if `pay` fails.
  const isDone =
    event !== null &&
    (await pay(event.id, event.data).then(
      () => true,
      () => false,
    ));
  response.writeHead(isDone ? 204 : event === null ? 400 : 500).end();
});

async function pay(eventId: string, data: object | null): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const isNew = await client.query('insert into inbox values ($1) on conflict do nothing', [eventId]);
    if (isNew.rowCount === 1 && data !== null && 'reference' in data)
      await client.query(
        `insert into paid_orders values ($1, 1) on conflict (id) do update set payments = paid_orders.payments + 1`,
        [data.reference],
      );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;

// A shop whose buyer pays for an order.
const shop = await usance.tenants.create({ name: `shop-${randomUUID()}`.slice(0, 20) });
await shop.assets.ensure({ asset: 'USD/2' });
await shop.accounts.ensure({ ref: 'buyer' });
await shop.accounts.ensure({ ref: 'seller' });
await shop.accounts.deposit('buyer', { asset: 'USD', amount: 50_00 }, { idempotencyKey: randomUUID() });
const url = `http://127.0.0.1:${port}/`;
const endpoint = await shop.webhookEndpoints.create({ url, eventPattern: 'payment.settled' });
secret = String(endpoint.secret);
const order = randomUUID();
const hold = await shop.payments.create(
  { from: 'buyer', to: 'seller', asset: 'USD', amount: 30_00, delay: '48h', reference: order },
  { idempotencyKey: order },
);
await shop.payments.capture(hold.id, {}, { idempotencyKey: randomUUID() });

async function delivered(times: number): Promise<string> {
  for (;;) {
    const [delivery] = (await shop.webhookEndpoints.listDeliveries(endpoint.id).page()).data;
    if (delivery?.status === 'completed' && requests === times) return delivery.id;
    await setTimeout(50);
  }
}
const delivery = await delivered(1);
// The same event again, as after an answer that was lost.
await shop.deliveries.redeliver(delivery);
await delivered(2);
const { rows } = await pool.query('select payments from paid_orders where id = $1', [order]);
console.log(`received: ${requests} times, paid: ${rows[0]?.payments} time`); // received: 2 times, paid: 1 time

receiver.closeAllConnections();
receiver.close();
await pool.end();
await usance.close();
