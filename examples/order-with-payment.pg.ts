// An order and its delayed payment, in your own transaction: both are created, or neither. Here with pg.
//
//   node examples/order-with-payment.pg.ts        in a clone; elsewhere copy the file into your project first
//
// It runs on an embedded PostgreSQL in the folder .usance, or on the server in DATABASE_URL.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createUsance } from '../src/index.ts'; // In your project: from 'usance'.

const usance = await createUsance({ databaseUrl: process.env['DATABASE_URL'], migrate: true });
const pool = new pg.Pool({ connectionString: usance.databaseUrl });

// A shop with a table of orders, and a buyer who has 50.00.
const shop = await usance.tenants.create({ name: `shop-${randomUUID()}`.slice(0, 20) });
await shop.assets.ensure({ asset: 'USD/2' });
await shop.accounts.ensure({ ref: 'buyer' });
await shop.accounts.ensure({ ref: 'seller' });
await shop.accounts.deposit('buyer', { asset: 'USD', amount: 50_00 }, { idempotencyKey: randomUUID() });
await pool.query('create table if not exists orders (id text primary key)');

async function placeOrder(id: string, amount: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('insert into orders (id) values ($1)', [id]);
    // The same calls as always, but inside your transaction. The money is set aside now and moves in two days.
    await shop
      .within(client)
      .payments.create(
        { from: 'buyer', to: 'seller', asset: 'USD', amount, delay: '48h', reference: id },
        { idempotencyKey: id },
      );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function tell(id: string): Promise<void> {
  const orders = await pool.query('select id from orders where id = $1', [id]);
  const { data: payments } = await shop.payments.list({ reference: id }).page();
  console.log(`orders: ${orders.rowCount}, payments: ${payments.length}`);
}

const [first, second] = [randomUUID(), randomUUID()];
await placeOrder(first, 30_00);
await tell(first); // orders: 1, payments: 1

// The buyer has 20.00 left: the payment is refused, and the order is rolled back with it.
await placeOrder(second, 30_00).catch((error: Error) => console.log(`refused: ${error.message}`));
await tell(second); // orders: 0, payments: 0

await pool.end();
await usance.close();
