// The verbs that run a tenant, and the two that carry a whole request under one key, ready to be interrupted.
import type { TenantHandle } from '../../src/engine.ts';
import type { Ground, Scenario } from './ground.ts';

/** Without a key: the caller looks before doing it again. */
const looked = (
  verb: keyof TenantHandle,
  act: (tenant: TenantHandle) => Promise<unknown>,
  isDone: (tenant: TenantHandle, ground: Ground) => Promise<boolean>,
  before?: (ground: Ground) => Promise<unknown>,
): Scenario => ({
  verbs: [verb],
  async prepare(ground) {
    await before?.(ground);
    return {
      act: ({ tenant }) => act(tenant),
      again: async ({ tenant }) => (await isDone(tenant, ground)) || act(tenant),
    };
  },
});

const isPaused = async (tenant: TenantHandle): Promise<boolean> => (await tenant.pauses()).length > 0;
const hold = { from: 'ann', to: 'ben', asset: 'USD', amount: 100, delay: '48h', reference: 'p' };
const ISSUER = {
  issuer: 'https://login.example.com/',
  audience: 'usance',
  algorithm: 'EdDSA',
  jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] },
} as const;
const POST = { type: 'posts.created', resource: 'post', resourceId: 'post-1', data: { title: 'Hello' } };
const postsOf = async (owner: Ground['owner']): Promise<number> =>
  (await owner.query(`select from usance.events where type like 'posts.%'`)).length;
const request = { key: 'once', fingerprint: 'POST /payments' };

export const OPERATING_SCENARIOS: Readonly<Record<string, Scenario>> = {
  pause: looked('pause', (tenant) => tenant.pause('asset', 'USD/2', 'an audit'), isPaused),
  'lift a pause': looked(
    'liftPause',
    (tenant) => tenant.liftPause('asset', 'USD/2'),
    async (tenant) => !(await isPaused(tenant)),
    ({ tenant }) => tenant.pause('asset', 'USD/2', 'an audit'),
  ),
  'erase what an event told': looked(
    'eraseAuditEvent',
    async (tenant) => tenant.eraseAuditEvent((await tenant.auditEvents()).at(-1)?.id ?? '', 'asked for'),
    async (tenant) => (await tenant.auditEvents()).some((event) => event.action === 'AUDIT_EVENT_ERASED'),
  ),
  'append an event of an application': looked(
    'appendEvent',
    (tenant) => tenant.appendEvent(POST),
    async (_tenant, { owner }) => (await postsOf(owner)) > 0,
  ),
  'append events of an application': looked(
    'appendEvents',
    (tenant) => tenant.appendEvents([POST, { ...POST, type: 'posts.published' }]),
    async (_tenant, { owner }) => (await postsOf(owner)) > 0,
  ),
  'set a default asset': looked(
    'setDefaultAsset',
    (tenant) => tenant.setDefaultAsset('USD/2'),
    async (tenant) => (await tenant.defaultAsset()) === 'USD/2',
  ),
  'set a cap': looked(
    'setExecutionCap',
    (tenant) => tenant.setExecutionCap(10),
    async (_tenant, { owner }) =>
      (await owner.query('select from usance.tenants where executions_per_second = 10')).length > 0,
  ),
  'create an API key': looked(
    'createApiKey',
    (tenant) => tenant.createApiKey({ name: 'till', role: 'viewer', secret: 'chosen-by-an-operator-himself' }),
    async (_tenant, { owner }) => (await owner.query('select from usance.api_keys')).length > 0,
  ),
  'revoke an API key': looked(
    'revokeApiKey',
    async (tenant) => tenant.revokeApiKey((await tenant.apiKeys()).at(-1)?.id ?? ''),
    async (tenant) => (await tenant.apiKeys()).some((key) => key.revokedAt !== null),
    ({ tenant }) => tenant.createApiKey({ name: 'till', role: 'viewer' }),
  ),
  'rotate an API key': looked(
    'rotateApiKey',
    async (tenant) => tenant.rotateApiKey((await tenant.apiKeys()).at(-1)?.id ?? ''),
    async (tenant) => (await tenant.apiKeys()).length > 1,
    ({ tenant }) => tenant.createApiKey({ name: 'till', role: 'viewer' }),
  ),
  'name a token issuer': looked(
    'createTokenIssuer',
    (tenant) => tenant.createTokenIssuer(ISSUER),
    async (tenant) => (await tenant.tokenIssuers()).length > 0,
  ),
  'give a token issuer other keys': looked(
    'updateTokenIssuer',
    async (tenant) => tenant.updateTokenIssuer((await tenant.tokenIssuers())[0]?.id ?? '', { jwks: ISSUER.jwks }),
    async (_tenant, { owner }) =>
      (await owner.query(`select from usance.events where type = 'token_issuer.updated'`)).length > 0,
    ({ tenant }) => tenant.createTokenIssuer(ISSUER),
  ),
  'remove a token issuer': looked(
    'deleteTokenIssuer',
    async (tenant) => tenant.deleteTokenIssuer((await tenant.tokenIssuers())[0]?.id ?? ''),
    async (tenant) => (await tenant.tokenIssuers()).length === 0,
    ({ tenant }) => tenant.createTokenIssuer(ISSUER),
  ),
  'revoke the tokens of an end user': looked(
    'revokeTokens',
    (tenant) => tenant.revokeTokens('ann'),
    async (_tenant, { owner }) => (await owner.query(`select from usance.token_revocations`)).length > 0,
  ),
  'create a tenant': looked(
    'createTenant',
    (tenant) => tenant.createTenant({ name: 'branch' }),
    async (tenant) => (await tenant.tenants()).some(({ name }) => name === 'branch'),
  ),
  'several verbs under one key': {
    verbs: ['idempotently'],
    prepare: async () => ({
      act: ({ tenant }) =>
        tenant.idempotently(request, async (verbs) => {
          await verbs.transfer({ from: 'ann', to: 'cem', asset: 'USD', amount: 10, idempotencyKey: 'a part' });
          const { id } = await verbs.createPayment({ ...hold, idempotencyKey: 'another part' });
          return id;
        }),
    }),
  },
  'several verbs in one transaction': looked(
    'inTransaction',
    (tenant) =>
      tenant.inTransaction(async (verbs) => {
        await verbs.lockAccount((await verbs.account('ann')).id);
        await verbs.editAccount('ann', { name: 'Ann' });
        return verbs.editAccount('cem', { name: 'Cem' });
      }),
    async (tenant) => (await tenant.account('cem')).name === 'Cem',
  ),
  'create, grouped': {
    verbs: ['createPaymentGrouped'],
    resumes: true,
    prepare: async () => ({
      act: ({ tenant }) => tenant.createPaymentGrouped(request, hold, (payment) => payment.id),
    }),
  },
};
