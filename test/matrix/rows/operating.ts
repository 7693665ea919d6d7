// Settings, pauses, outages, the audit log, tenants and clocks.
import { asText } from '../../../src/db/index.ts';
import { toTypeId } from '../../../src/kernel/index.ts';
import { addOutage } from '../../support/schedules.ts';
import { START } from '../../support/test-clock.ts';
import { freshCode } from './books.ts';
import type { Driver } from './driver.ts';
import { ASSET, fresh } from './driver.ts';

const reason = 'the matrix';

const TEMPLATE = { kind: 'payment_sent', subject: 'Paid', text: '{{amount}}', html: '<p>{{amount}}</p>' } as const;

export const SETTINGS: Driver<'settings', { readonly account: string }> = {
  async make(world, cell) {
    const account = await world.account('empty');
    const { tenant } = world;
    if (cell.state === 'unset') return { account };
    await tenant.setLimit({ account, asset: ASSET, maxAmount: 5 });
    await tenant.setOutageGuard({ count: 5 });
    await tenant.setDefaultAsset(ASSET);
    await tenant.setExecutionCap(1_000);
    await tenant.setEmailTemplate(TEMPLATE);
    await tenant.createEmailOptOut(account);
    return { account };
  },
  endUser: (_cell, row) => row.account,
  async clear({ account }, { tenant }) {
    await tenant.setLimit({ account, asset: ASSET, maxAmount: null });
    await tenant.setExecutionCap(null);
    if ((await tenant.emailTemplates()).length > 0) await tenant.deleteEmailTemplate(TEMPLATE.kind);
    await tenant.setOutageGuard({ count: null });
  },
  calls: {
    setLimit: {
      http: ({ account }) => ['POST /limits', { account, asset: ASSET, max_amount: '7' }],
      by: (verbs, { account }) => verbs.setLimit({ account, asset: ASSET, maxAmount: 7 }),
    },
    setOutageGuard: {
      http: () => ['POST /outage-guard', { count: 7 }],
      by: (verbs) => verbs.setOutageGuard({ count: 7 }),
    },
    updateEmailSettings: {
      http: () => ['PATCH /email', { locale: 'de' }],
      by: (verbs) => verbs.updateEmailSettings({ locale: 'de' }),
    },
    setEmailTemplate: {
      http: () => ['POST /email-templates', { ...TEMPLATE }],
      by: (verbs) => verbs.setEmailTemplate(TEMPLATE),
    },
    deleteEmailTemplate: {
      http: () => [`DELETE /email-templates/${TEMPLATE.kind}`],
      by: (verbs) => verbs.deleteEmailTemplate(TEMPLATE.kind),
    },
    createEmailOptOut: {
      http: ({ account }) => ['POST /email-opt-outs', { account }],
      by: (verbs, { account }) => verbs.createEmailOptOut(account),
    },
    deleteEmailOptOut: {
      http: ({ account }) => [`DELETE /email-opt-outs/${account}`],
      by: (verbs, { account }) => verbs.deleteEmailOptOut(account),
    },
    setDefaultAsset: { by: (verbs) => verbs.setDefaultAsset(ASSET) },
    setExecutionCap: {
      http: () => ['PATCH /execution-cap', { per_second: 7_000 }],
      by: (verbs) => verbs.setExecutionCap(7_000),
    },
    unfreeze: { by: (verbs) => verbs.unfreeze(ASSET, reason) },
  },
};

interface PauseRow {
  readonly id: string;
  readonly asset: string;
  readonly user: string;
}

export const PAUSES: Driver<'pause', PauseRow> = {
  async make(world, cell) {
    const { tenant } = world;
    const asset = `${freshCode()}/2`;
    await tenant.createAsset(asset);
    const { id } = await tenant.pause('asset', asset, reason);
    if (cell.state === 'lifted') await tenant.liftPause('asset', asset);
    return { id, asset, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    pause: {
      http: ({ asset }) => ['POST /pauses', { scope: 'asset', value: asset, reason }],
      by: (verbs, { asset }) => verbs.pause('asset', asset, reason),
    },
    liftPause: {
      http: ({ id }) => [`DELETE /pauses/${toTypeId('pause', id)}`],
      by: (verbs, { asset }) => verbs.liftPause('asset', asset),
    },
  },
};

interface OutageRow {
  readonly id: string;
  readonly user: string;
}

export const OUTAGES: Driver<'outage', OutageRow> = {
  async make(world, cell) {
    const { tenant, owner } = world;
    const id = await addOutage(owner, tenant.id);
    if (cell.state === 'released') await tenant.releaseOutage(id, { reason });
    if (cell.state === 'discarded') await tenant.discardOutage(id, { reason });
    return { id, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  async clear({ id }, { tenant }) {
    // One waits at a time.
    if ((await tenant.outages({ status: 'waiting' })).some((outage) => outage.id === id))
      await tenant.releaseOutage(id, { reason });
  },
  calls: {
    releaseOutage: {
      http: ({ id }) => [`POST /outages/${toTypeId('outage', id)}/release`, { reason }],
      by: (verbs, { id }) => verbs.releaseOutage(id, { reason }),
    },
    discardOutage: {
      http: ({ id }) => [`POST /outages/${toTypeId('outage', id)}/discard`, { reason }],
      by: (verbs, { id }) => verbs.discardOutage(id, { reason }),
    },
  },
};

export const AUDIT_EVENTS: Driver<'audit event', OutageRow> = {
  async make(world, cell) {
    const { tenant, owner } = world;
    const user = await world.account('empty');
    const { id: account } = await tenant.account(user);
    await tenant.suspendAccount(user, 'a reason that somebody wants forgotten');
    await tenant.reactivateAccount(user, reason);
    const [row] = await owner.query(
      `select id from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and type = 'account.suspended'`,
      [tenant.id, account],
    );
    const id = asText(row?.['id']);
    if (cell.state === 'erased') await tenant.eraseAuditEvent(id, reason);
    return { id, user };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    eraseAuditEvent: {
      http: ({ id }) => [`POST /audit-events/${toTypeId('event', id)}/erase`, { reason }],
      by: (verbs, { id }) => verbs.eraseAuditEvent(id, reason),
    },
  },
};

const POST = { type: 'posts.created', resource: 'post', data: { title: 'Hello' } };

export const OWN_EVENTS: Driver<'own event', { readonly post: string; readonly user: string }> = {
  make: (world) => Promise.resolve({ post: fresh('post'), user: world.bystander }),
  endUser: (_cell, row) => row.user,
  calls: {
    appendEvent: {
      http: ({ post }) => ['POST /events', { ...POST, resource_id: post }],
      by: (verbs, { post }) => verbs.appendEvent({ ...POST, resourceId: post }),
    },
    appendEvents: {
      http: ({ post }) => ['POST /events/bulk', { events: [{ ...POST, resource_id: post }] }],
      by: (verbs, { post }) => verbs.appendEvents([{ ...POST, resourceId: post }]),
    },
  },
};

export const TENANTS: Driver<'tenant', { readonly user: string }> = {
  make: (world) => Promise.resolve({ user: world.bystander }),
  worldOf: ({ state }) => (state === 'first' ? 'first' : 'live'),
  endUser: (_cell, row) => row.user,
  calls: {
    createTenant: {
      http: () => ['POST /tenants', { name: fresh(`made-${process.pid}`) }],
      by: (verbs) => verbs.createTenant({ name: fresh(`made-${process.pid}`) }),
    },
  },
};

export const CLOCKS: Driver<'clock', { readonly clock: string; readonly user: string }> = {
  // Each row is a tenant of its own: a tenant has one clock at a time.
  worldOf: ({ condition, state }) =>
    condition !== 'test clock' ? 'live' : state === 'missing' ? 'clockless' : 'own test',
  async make(world, cell) {
    const { tenant, owner } = world;
    const user = world.bystander;
    if (cell.state === 'missing') return { clock: tenant.id, user };
    if (cell.state === 'advancing' || cell.state === 'failed') await tenant.advanceTestClock(world.clock, START);
    if (cell.state === 'failed')
      await owner.query(
        `begin; set local session_replication_role = replica;
         update usance.test_clocks set status = 'failed', code = 'UNEXPECTED', detail = 'the matrix', finished_at = clock_timestamp(),
                ended_event_id = began_event_id
         where id = '${world.clock}'; commit`,
      );
    if (cell.state === 'deleted') await tenant.deleteTestClock(world.clock);
    return { clock: world.clock, user };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createTestClock: {
      http: () => ['POST /test-clocks', { name: 'another', now: START }],
      by: (verbs) => verbs.createTestClock({ name: 'another', now: START }),
    },
    advanceTestClock: {
      http: ({ clock }) => [
        `POST /test-clocks/${toTypeId('testClock', clock)}/advance`,
        { to: '2027-01-02T00:00:00Z' },
      ],
      by: (verbs, { clock }) => verbs.advanceTestClock(clock, '2027-01-02T00:00:00Z'),
    },
    cancelAdvance: {
      http: ({ clock }) => [`POST /test-clocks/${toTypeId('testClock', clock)}/cancel-advance`],
      by: (verbs, { clock }) => verbs.cancelAdvance(clock),
    },
    deleteTestClock: {
      http: ({ clock }) => [`DELETE /test-clocks/${toTypeId('testClock', clock)}`],
      by: (verbs, { clock }) => verbs.deleteTestClock(clock),
    },
  },
};
