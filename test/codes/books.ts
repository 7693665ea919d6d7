// Codes of tenants, assets, accounts, balances, imports and the record.
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { MOST_ISSUERS } from '../../src/access/change-issuer.ts';
import { pair } from '../access/tokens.ts';
import { freeze, key } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestApi } from '../api/api.ts';
import type { Cause } from './world.ts';
import { HOLD, fresh, funded, hold, made, nobodys } from './world.ts';

const MAX = String(2n ** 63n - 1n);

/** Ten of a hundred reserved, and then what is tried with it. */
const reserved = async (store: TestApi, then: (reservation: string) => Promise<unknown>): Promise<string> => {
  const order = { account: await funded(store), asset: 'USD', amount: 10, idempotencyKey: key() };
  return refusalOf(then((await store.tenant.reserve(order)).reservation));
};
const capture = ({ tenant }: TestApi, reservation: string, amount: number): Promise<unknown> =>
  tenant.capture({ reservation, to: 'bob', amount, idempotencyKey: key() });

/** One line after the other under one name, the last of them with what is expected of it. */
const importing = async (
  { tenant }: TestApi,
  files: readonly (readonly string[])[],
  expected?: ReadonlyMap<string, bigint>,
): Promise<string> => {
  const name = fresh('import');
  let code = '';
  for (const lines of files) {
    const open = async function* (): AsyncGenerator<string> {
      yield* lines;
    };
    const order = { name, format: 'csv', open, ...(expected ? { expect: expected } : {}) } as const;
    code = await refusalOf(tenant.importOpeningBalances(order));
  }
  return code;
};
const HEAD = 'account,asset,amount';

/** In a process that has no encryption key, and needs none otherwise. */
const withoutKey = async (store: TestApi, work: (tenant: TenantHandle) => Promise<unknown>): Promise<string> => {
  const encryption = { isOptional: true };
  const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, encryption });
  const code = await refusalOf(work(await engine.tenant('shop')));
  await engine.close();
  return code;
};

export const OF_BOOKS = {
  AMOUNT_INVALID: hold({ amount: '1.50' }),
  AMOUNT_NOT_POSITIVE: hold({ amount: '0' }),
  AMOUNT_TOO_LARGE: hold({ amount: '9'.repeat(30) }),
  ASSET_INVALID: (store) => store.send('POST /assets', { body: { asset: 'dollars' } }),

  TENANT_NOT_FOUND: ({ usance }) => refusalOf(usance.tenant('nobody')),
  ASSET_NOT_FOUND: hold({ asset: 'XAU/2' }),
  ACCOUNT_NOT_FOUND: (store) => store.send('GET /accounts/nobody'),
  ENCRYPTION_KEY_MISSING: (store) =>
    withoutKey(store, (tenant) => tenant.openAccount({ ref: fresh('account'), contact: { zone: 'UTC' } })),
  async ENCRYPTION_KEY_UNKNOWN(store) {
    const ref = fresh('account');
    await store.send('POST /accounts', { body: { ref, contact: { zone: 'UTC' } } });
    const code = await withoutKey(store, async (tenant) => (await tenant.account(ref)).contact);
    // The engines of other causes have no key.
    await store.send(`PATCH /accounts/${ref}`, { body: { contact: null } });
    return code;
  },
  RESERVATION_NOT_FOUND: (store) => refusalOf(capture(store, newId(), 1)),
  TRANSFER_NOT_FOUND: ({ tenant }) => refusalOf(tenant.posted(newId())),
  API_KEY_NOT_FOUND: (store) => store.send(`DELETE /api-keys/${nobodys('apiKey')}`),
  ISSUER_NOT_FOUND: (store) => store.send(`DELETE /token-issuers/${nobodys('tokenIssuer')}`),
  EVENT_NOT_FOUND: (store) => store.send(`POST /audit-events/${nobodys('event')}/erase`, { body: { reason: 'asked' } }),
  FREEZE_NOT_FOUND: ({ tenant }) => refusalOf(tenant.unfreeze('USD', 'counted')),

  TENANT_EXISTS: (store) => store.send('POST /tenants', { body: { name: 'shop' } }),
  ASSET_EXISTS: (store) => store.send('POST /assets', { body: { asset: 'USD/3' } }),
  ACCOUNT_EXISTS: (store) => store.send('POST /accounts', { body: { ref: 'alice' } }),
  ACCOUNT_NOT_EMPTY: (store) => store.send('POST /accounts/alice/close', { body: { reason: 'gone' } }),
  ACCOUNT_STATE_CONFLICT: (store) => store.send('GET /accounts/world/forecast'),
  async ACCOUNT_NOT_ACTIVE(store) {
    const to = await funded(store);
    await store.send(`POST /accounts/${to}/suspend`, { body: { reason: 'looked at' } });
    return store.send('POST /holds', { body: { ...HOLD, to } });
  },
  async API_KEY_STATE_CONFLICT(store) {
    const { key: one } = await store.tenant.createApiKey({ name: 'ended', role: 'viewer' });
    await store.tenant.revokeApiKey(one.id);
    return refusalOf(store.tenant.rotateApiKey(one.id));
  },
  async API_KEYS_TOO_MANY(store) {
    const order = { name: 'one of many', scopes: ['keys:write'] } as const;
    let { secret } = await store.tenant.createApiKey(order);
    for (let n = 1; n < 50; n += 1) {
      const found = await store.usance.authenticate(secret);
      if (found) ({ secret } = await found.handle.createApiKey(order));
    }
    return store.send('POST /api-keys', { body: order, secret });
  },
  /** A tenant of its own, so that the others can still have issuers. */
  async ISSUERS_TOO_MANY(store) {
    const full = await store.usance.createTenant({ name: 'full-of-issuers' });
    await store.owner.query(
      `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, created_by, keyed_by)
       select $1::uuid, gen_random_uuid(), 'https://login.example.com/', 'audience-' || n, 'EdDSA', '[{}]', 'test', '{test}'
       from generate_series(1, $2::int) n`,
      [full.id, MOST_ISSUERS],
    );
    const jwksUrl = 'https://login.example.com/keys';
    return refusalOf(
      full.createTokenIssuer({
        issuer: 'https://login.example.com/',
        audience: 'one-more',
        algorithm: 'EdDSA',
        jwksUrl,
      }),
    );
  },
  async ISSUER_EXISTS(store) {
    const body = {
      issuer: 'https://a.example/',
      audience: 'a',
      algorithm: 'EdDSA',
      jwks: { keys: [pair('EdDSA').jwk] },
    };
    await store.send('POST /token-issuers', { body });
    return store.send('POST /token-issuers', { body });
  },

  URL_REFUSED: (store) =>
    store.send('POST /token-issuers', {
      body: { issuer: 'https://b.example/', audience: 'b', algorithm: 'EdDSA', jwks_url: 'https://127.0.0.1/jwks' },
    }),

  SELF_TRANSFER: hold({ to: 'alice' }),
  FUNDS_INSUFFICIENT: hold({ from: 'bob', to: 'alice' }),
  async BALANCE_OVERFLOW(store) {
    const ref = await funded(store);
    return store.send(`POST /accounts/${ref}/deposit`, { body: { asset: 'USD/2', amount: MAX } });
  },
  RESERVATION_TOO_SMALL: (store) => reserved(store, (id) => capture(store, id, 11)),
  RESERVATION_RESOLVED: (store) =>
    reserved(store, async (id) => {
      await capture(store, id, 10);
      await capture(store, id, 1);
    }),
  async ASSET_FROZEN(store) {
    const { tenant, owner } = store;
    await tenant.createAsset('ICE/2');
    await freeze(owner, tenant.id, 'ICE/2');
    await store.send('POST /accounts/alice/deposit', { body: { asset: 'ICE/2', amount: 100 } });
    return store.send('POST /holds', { body: { ...HOLD, asset: 'ICE/2' } });
  },
  /** A line more than a statement has. */
  async STATEMENT_TOO_LONG(store) {
    const ref = fresh('account');
    await made(store, 'POST /accounts', { ref });
    await store.owner.query(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
       select a.tenant_id, gen_random_uuid(), w.id, a.id, 'USD/2', 1, 'deposit', now()
       from usance.accounts a join usance.accounts w on w.tenant_id = a.tenant_id and w.ref = 'world',
            generate_series(1, 10001)
       where a.ref = $1::text`,
      [ref],
    );
    const period = 'from=2020-01-01T00:00:00Z&to=2199-01-01T00:00:00Z&asset=USD/2';
    return store.send(`GET /accounts/${ref}/statement?${period}`);
  },

  IMPORT_INVALID: (store) => importing(store, [['not a header']]),
  IMPORT_CONFLICT: (store) =>
    importing(
      store,
      [10, 11].map((amount) => [HEAD, `imported,USD,${amount}`]),
    ),
  IMPORT_TOTAL_MISMATCH: (store) => importing(store, [[HEAD, 'more,USD,10']], new Map([['USD/2', 11n]])),
} satisfies Record<string, Cause>;
