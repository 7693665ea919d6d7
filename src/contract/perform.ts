// Runs the handler of an operation: under its idempotency key, without one, or as a dry run. With a key, the engine stores the answer in the
// transaction of its effect; a refusal stores nothing and is evaluated again. A commit whose response was lost is looked up by its key.
import type { DryRun, Json, KeyedRequest, Once, TenantHandle, TenantVerbs } from '../engine.ts';
import { WithRefs, showAccounts } from './account-refs.ts';
import type { Call, Route } from './route.ts';
import type { IfMatch } from './versions.ts';
import { hasVersion, requireVersion, versionOf } from './versions.ts';

type HandleCall = Call & { readonly tenant: TenantHandle };

export interface Performed extends Once<Json> {
  /** The version of the resource in the answer; absent if the answer is not a resource, and from a replay. */
  readonly version?: string;
}

interface Handled {
  readonly answer: Json;
  readonly version?: string;
}

/**
 * Runs a route's handler, under its idempotency key if it has one; grouped creates handle their key themselves. With
 * `ifMatch`, only if the resource still has one of its versions.
 */
export async function perform(
  route: Route,
  call: HandleCall,
  request: KeyedRequest | null,
  ifMatch: IfMatch | null = null,
): Promise<Performed> {
  const handle = (tenant: TenantVerbs): Promise<Handled> => handled(route, call, tenant, ifMatch);
  if (request === null) {
    const done = ifMatch === null ? handle(call.tenant) : call.tenant.inTransaction(handle);
    return { ...(await done), replayed: false };
  }
  return lookingUpLostCommits(async () => {
    if (route.handleKeyed) return route.handleKeyed(call, request);
    let shown: Handled = { answer: null };
    const done = await call.tenant.idempotently(request, async (keyed) => {
      shown = await handle(keyed);
      return route.remembers ? (route.remembers(shown.answer) as Json) : shown.answer;
    });
    return done.replayed ? done : { ...done, ...shown };
  });
}

/** The dry run of a route's handler: no key, no group, always rolled back. Secrets are left out of its answer. */
export async function performDry(
  route: Route,
  call: HandleCall,
  ifMatch: IfMatch | null = null,
): Promise<DryRun<Json>> {
  const run = await call.tenant.dryRun(async (tenant) => {
    const dry = { ...call, tenant, dryRun: true };
    if (route.handleKeyed) return (await route.handleKeyed(dry, NO_KEY)).answer;
    return (await handled(route, dry, tenant, ifMatch)).answer;
  });
  return route.remembers ? { ...run, result: route.remembers(run.result) as Json } : run;
}

const NO_KEY: KeyedRequest = { key: 'dry-run', fingerprint: '' };

async function handled(route: Route, call: Call, tenant: TenantVerbs, ifMatch: IfMatch | null): Promise<Handled> {
  if (ifMatch !== null) await requireVersion(route, tenant, call.params, ifMatch);
  // The schema of the answer says it is JSON; a test holds every handler to it.
  const done = await route.handle?.({ ...call, tenant });
  const { answer, refs } = (done instanceof WithRefs ? done : { answer: done }) as {
    answer: Json;
    refs?: WithRefs<Json>['refs'];
  };
  const version = hasVersion(route) ? { version: versionOf(answer as object) } : {};
  if (route.accounts === null) return { answer, ...version };
  return { answer: (await showAccounts(route.accounts, answer, tenant, expandOf(call), refs)) as Json, ...version };
}

/** The fields whose accounts are to be shown beside their ids. */
function expandOf({ query }: Call): readonly string[] {
  const { expand } = query as { readonly expand?: readonly string[] };
  return expand ?? [];
}

const TRIES = 3;

/** A COMMIT whose answer was lost may have happened: with the same key the second look finds it, or does it. */
async function lookingUpLostCommits(work: () => Promise<Performed>): Promise<Performed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !(error instanceof Error && error.name === 'CommitUnknown')) throw error;
    }
  }
}
