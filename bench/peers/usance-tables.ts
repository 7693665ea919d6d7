// The peer on usance's own tables: one statement a job that does for one payment exactly what usance does. It deletes the due
// row, updates the payment, locks both balances in id order and updates them, and inserts transfer, event and inbox row, with
// the same indexes and triggers. It does not order or seal the event.
import { OVERDUE, addPayments, openBooks } from '../books.ts';
import { troublesOf } from '../proof.ts';
import type { Peer } from './peer.ts';

const settleOne = (appendEvent: string): string => `
  with d as (
    delete from usance.due where tenant_id = $1::uuid and payment_id = $2::uuid returning tenant_id, payment_id, due_at
  ), p as (
    update usance.payments p
    set status = 'settled', captured = p.amount, attempts = p.attempts + 1, last_code = null, last_detail = null,
        updated_at = now(), ended_at = now()
    from d where p.tenant_id = d.tenant_id and p.id = d.payment_id
    returning p.tenant_id, p.id, p.payer_id, p.payee_id, p.asset, p.amount, p.attempts, d.due_at
  ), locked as (
    select b.tenant_id, b.account_id, b.asset, b.account_id = p.payer_id as pays, p.amount
    from p join usance.balances b
      on b.tenant_id = p.tenant_id and b.account_id in (p.payer_id, p.payee_id) and b.asset = p.asset
    order by b.account_id for no key update of b
  ), b as (
    update usance.balances b
    set available = b.available + case when l.pays then 0 else l.amount end,
        reserved = b.reserved - case when l.pays then l.amount else 0 end, version = b.version + 1
    from locked l where b.tenant_id = l.tenant_id and b.account_id = l.account_id and b.asset = l.asset
  ), t as (
    insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, payment_id,
                                  posted_at)
    select tenant_id, $3::uuid, payer_id, payee_id, asset, amount, 'settlement', id, now() from p
  ), ${appendEvent}`;

const dataWith = (object: string): string =>
  `${object}('old', ${object}('status', 'scheduled'), 'new', ${object}('status', 'settled'), 'attempt', attempts,
             'latenessMs', floor(extract(epoch from now() - due_at) * 1000))`;

/** A store whose inbox has a row for each event. */
const EVENT_ALONE = `e as (
    insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, occurred_at)
    select tenant_id, $4::uuid, 'payment.settled', 'payment', id, ${dataWith('jsonb_build_object')}, 'system', now() from p
  )
  insert into usance.event_inbox (tenant_id, event_id) select tenant_id, $4::uuid from p`;

/**
 * A store whose inbox has a row for each block of events. The digest has the right size and costs one hash, but is not the one that a
 * sequencer would accept: no sequencer runs in the peer's database.
 */
const EVENT_IN_BLOCK = `e as (
    insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
    select tenant_id, $4::uuid, 'payment.settled', 1, 'payment', id, ${dataWith('json_build_object')}, 'system', now(), now(),
           gen_random_uuid() from p
  )
  insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
  select array[tenant_id], array[$4::uuid], array[1], sha256(uuid_send(id)), now() from p`;

export const onUsanceTables: Peer = {
  name: 'graphile-worker, usance tables',
  async statement({ owner }) {
    const [row] = await owner.query(`select to_regclass('usance.event_blocks') is not null as blocks`);
    const text = settleOne(row?.['blocks'] === true ? EVENT_IN_BLOCK : EVENT_ALONE);
    return { text, fields: ['t', 'p'], ids: ['id', 'block'] };
  },
  async openBooks(database) {
    await openBooks(database);
  },
  addPayments: (database, order) => addPayments(database, { ...order, dueAt: OVERDUE }),
  dueQuery: `select json_build_object('t', tenant_id, 'p', payment_id) as payload, due_at from usance.due where due_at <= now()`,
  troubles: troublesOf,
};
