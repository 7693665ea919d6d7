// A tenant with everybody who acts in the matrix: keys over HTTP, end users with tokens, the library. Rows have accounts of their
// own, so that one cell's money, limits and approvals are not another's.
import type { Scope, TenantHandle, Engine } from '../../src/engine.ts';
import { SCOPES } from '../../src/engine.ts';
import type { Sql } from '../../src/db/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { inSeconds, pair, token } from '../access/tokens.ts';
import type { Answer } from '../api/api.ts';
import { freshKey, sendTo } from '../api/api.ts';
import { START, drive } from '../support/test-clock.ts';
import type { Actor, Condition } from './axes.ts';

export interface Ground {
  readonly usance: Engine;
  readonly owner: Sql;
  /** Of the API. */
  readonly url: string;
}

export const groundOf = ({ usance, owner, url }: Ground): Ground => ({ usance, owner, url });

export interface World extends Ground {
  readonly isTest: boolean;
  readonly tenant: TenantHandle;
  /** The tenant's handle as the key that makes rows. */
  readonly key: TenantHandle;
  /** Of a test tenant. */
  readonly clock: string;
  /** Actors that are the same person as the key: itself, what replaced it, what it made. */
  readonly samePerson: ReadonlySet<string>;
  /** What a key sends over HTTP; a key without a scope is made for that scope. */
  secretOf(actor: Actor, scope: Scope): Promise<string>;
  /** An account that no row has had yet, with 10,000 or with nothing. Many are opened at once. */
  account(funds: 'funded' | 'empty'): Promise<string>;
  /** An end user who has no part in any row. */
  readonly bystander: string;
  /** A token of an account's end user. */
  tokenOf(ref: string): string;
  /** A handle that acts as the end user. */
  endUser(ref: string): Promise<TenantHandle>;
  /** Everything that is due now runs. */
  settle(): Promise<void>;
  /** The tenant's time, in milliseconds. */
  now(): Promise<number>;
  hold(condition: Condition): Promise<void>;
  lift(condition: Condition): Promise<void>;
}

const { signer, jwk } = pair('EdDSA', 'matrix');
const ASSET = 'USD/2';
/** What a funded account of a row holds. */
export const FUNDS = 10_000n;
const BYSTANDER = 'bystander';
/** Accounts that are opened at once. */
const POOL = 90;
let count = 0;
let accounts = 0;

/** A live tenant, a test tenant with its clock or without one, or the tenant that was made first. */
export type WorldKind = 'live' | 'test' | 'own test' | 'clockless' | 'first';

export async function createWorld(ground: Ground, kind: WorldKind): Promise<World> {
  const { usance, owner } = ground;
  const isTest = kind !== 'live' && kind !== 'first';
  const name = `matrix-${process.pid}-${(count += 1)}`;
  const tenant =
    kind === 'first'
      ? await usance.tenant((await usance.tenants())[0]?.id ?? '')
      : await usance.createTenant({ name, kind: isTest ? 'test' : 'live' });
  const hasClock = isTest && kind !== 'clockless';
  const clock = hasClock ? (await tenant.createTestClock({ name: 'clock', now: START })).id : '';
  if (kind !== 'clockless') await furnish(tenant, name);

  const first = await tenant.createApiKey({ name: 'key', role: 'admin' });
  const authenticated = async (secret: string): Promise<TenantHandle> => {
    const found = await usance.authenticate(secret);
    if (!found) throw new Error('expected a key or token of the matrix to be good');
    return found.handle;
  };
  const key = await authenticated(first.secret);
  // Late enough that the key still outlives what it makes.
  const rotated = await key.rotateApiKey(first.key.id, { overlapMs: 30 * 86_400_000 });
  const child = await key.createApiKey({ name: 'child', role: 'admin' });
  const all = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== 'admin');
  const lacking = new Map<Scope, string>();
  // Kept apart from the cells: a key that is made among them would be a change.
  const without = async (scope: Scope): Promise<string> => {
    const known = lacking.get(scope);
    if (known !== undefined) return known;
    const scopes = all.filter((each) => each !== scope);
    const { secret } = await tenant.createApiKey({ name: `without ${scope}`, scopes });
    lacking.set(scope, secret);
    return secret;
  };
  const pools = { funded: [] as string[], empty: [] as string[] };
  const fill = async (): Promise<void> => {
    const named = Array.from({ length: POOL }, () => `account-${(accounts += 1)}`);
    const isFunded = (index: number): boolean => index % 3 === 0;
    const lines = named.map((ref, index) => `${ref},${ASSET},${isFunded(index) ? FUNDS : 0}`);
    const open = async function* (): AsyncGenerator<string> {
      yield* await Promise.resolve(['account,asset,amount', ...lines]);
    };
    await tenant.importOpeningBalances({ name: `pool-${accounts}`, format: 'csv', open });
    named.forEach((ref, index) => pools[isFunded(index) ? 'funded' : 'empty'].push(ref));
  };
  const account = async (funds: 'funded' | 'empty'): Promise<string> => {
    const ref = pools[funds].pop();
    if (ref !== undefined) return ref;
    await fill();
    return account(funds);
  };
  const tokenOf = (ref: string): string =>
    token(signer, { iss: name, aud: name, sub: ref, exp: inSeconds(600), iat: inSeconds(0) });

  const world: World = {
    ...ground,
    isTest,
    tenant,
    key,
    clock,
    account,
    bystander: BYSTANDER,
    samePerson: new Set([first, rotated, child].map((made) => `key:${made.key.id}`)),
    tokenOf,
    endUser: (ref) => authenticated(tokenOf(ref)),
    async secretOf(actor, scope) {
      if (actor === 'rotated key') return rotated.secret;
      if (actor === 'child key') return child.secret;
      if (actor === 'key without the scope') return without(scope);
      return actor === 'key without ledger:money' ? without('ledger:money') : first.secret;
    },
    async settle() {
      if (!isTest) return runLoop(usance, 'processor');
      await tenant.advanceTestClock(clock, new Date(await world.now()));
      await drive(usance);
    },
    now: async () => (isTest ? (await tenant.testClock(clock)).now.getTime() : Date.now()),
    async hold(condition) {
      if (condition === 'paused') await tenant.pause('tenant', '', 'the matrix');
      if (condition === 'frozen')
        await owner.query(
          `insert into usance.freezes (tenant_id, id, asset, violation, details) values ($1::uuid, $2::uuid, $3, 'matrix', '{}')`,
          [tenant.id, newId(), ASSET],
        );
      if (condition === 'clock advancing') await tenant.advanceTestClock(clock, new Date(await world.now()));
    },
    async lift(condition) {
      if (condition === 'paused') await tenant.liftPause('tenant', '');
      if (condition === 'frozen')
        await owner.query(`delete from usance.freezes where tenant_id = $1::uuid`, [tenant.id]);
      if (condition === 'clock advancing') await drive(usance);
    },
  };
  return world;
}

async function furnish(tenant: TenantHandle, name: string): Promise<void> {
  await tenant.createAsset(ASSET);
  if (!(await tenant.accounts()).some(({ ref }) => ref === BYSTANDER)) await tenant.openAccount({ ref: BYSTANDER });
  await tenant.transfer({ from: 'world', to: 'fees', asset: ASSET, amount: 1_000_000_000n, idempotencyKey: name });
  await tenant.createTokenIssuer({ issuer: name, audience: name, algorithm: 'EdDSA', jwks: { keys: [jwk] } });
}

export async function runLoop(usance: Engine, name: 'processor' | 'scheduler'): Promise<void> {
  const loop = usance.loops.find((each) => each.name === name);
  while ((await loop?.runOnce())?.more);
}

/** Sends a request as a key or end user. */
export const send = (world: World, secret: string, request: string, body: unknown): Promise<Answer> =>
  sendTo(world.url, secret, request, { ...(body === undefined ? {} : { body }), key: freshKey() });
