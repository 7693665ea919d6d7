// Idempotency keys over HTTP. The fingerprint covers method, path and the parsed body in canonical form (fields sorted, no
// white space), so that a client that writes its JSON anew for a retry is still understood. The engine remembers the answer
// in the transaction of its effect; a refusal leaves nothing behind and is evaluated anew.
import { hash } from 'node:crypto';
import type { DryRun, Json, KeyedRequest, Once, TenantHandle, TenantVerbs } from '../engine.ts';
import { refuse } from '../kernel/index.ts';
import { showAccounts } from './account-refs.ts';
import type { Call, Idempotency, Route } from './route.ts';

const KEY = /^[ -~]{1,255}$/;
const HEADER = 'Idempotency-Key';

/** `name` is what the caller calls it: a header over HTTP, an option in the library. */
export function keyOf(
  header: string | readonly string[] | undefined,
  wanted: Idempotency,
  name = HEADER,
): string | null {
  if (wanted === 'none') return null;
  if (header === undefined) {
    if (wanted === 'accepted') return null;
    refuse('IDEMPOTENCY_KEY_MISSING', { param: name });
  }
  if (typeof header === 'string' && KEY.test(header)) return header;
  return refuse('IDEMPOTENCY_KEY_INVALID/wrong_form', { param: name });
}

export function fingerprintOf(method: string, path: string, body: unknown): string {
  return hash('sha256', `${method} ${path}\n${canonical(body)}`);
}

/** Depth is bounded by the reader of the body. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

type HandleCall = Call & { readonly tenant: TenantHandle };

/** Runs a route's handler: under its key where there is one, and what is committed together with others by itself. */
export async function perform(route: Route, call: HandleCall, request: KeyedRequest | null): Promise<Once<Json>> {
  if (request === null) return { answer: await handled(route, call, call.tenant), replayed: false };
  return lookingUpLostCommits(async () => {
    if (route.handleKeyed) return route.handleKeyed(call, request);
    let shown: Json = null;
    const done = await call.tenant.idempotently(request, async (keyed) => {
      shown = await handled(route, call, keyed);
      return route.remembers ? (route.remembers(shown) as Json) : shown;
    });
    return done.replayed ? done : { ...done, answer: shown };
  });
}

/** The dry run of a route's handler: no key, no group, always rolled back. Secrets are left out of its answer. */
export async function performDry(route: Route, call: HandleCall): Promise<DryRun<Json>> {
  const run = await call.tenant.dryRun(async (tenant) => {
    const dry = { ...call, tenant, dryRun: true };
    return route.handleKeyed ? (await route.handleKeyed(dry, NO_KEY)).answer : handled(route, dry, tenant);
  });
  return route.remembers ? { ...run, result: route.remembers(run.result) as Json } : run;
}

const NO_KEY: KeyedRequest = { key: 'dry-run', fingerprint: '' };

async function handled(route: Route, call: Call, tenant: TenantVerbs): Promise<Json> {
  // The schema of the answer says it is JSON; a test holds every handler to it.
  const answer = (await route.handle?.({ ...call, tenant })) as Json;
  return route.accounts === null
    ? answer
    : ((await showAccounts(route.accounts, answer, tenant, expandOf(call))) as Json);
}

/** The fields whose accounts are to be shown beside their ids. */
function expandOf({ query }: Call): readonly string[] {
  const { expand } = query as { readonly expand?: readonly string[] };
  return expand ?? [];
}

const TRIES = 3;

/** A COMMIT whose answer was lost may have happened: with the same key the second look finds it, or does it. */
async function lookingUpLostCommits(work: () => Promise<Once<Json>>): Promise<Once<Json>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !(error instanceof Error && error.name === 'CommitUnknown')) throw error;
    }
  }
}
