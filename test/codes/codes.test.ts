// Every code there is, and the shortest way to it: what one has to do, over HTTP wherever it can be done there, to be told so.
// The table has a cause for each code of the catalogue, or it is no table of the type that it says, and each is tried.
import { beforeAll, expect, test } from 'vitest';
import type { Code } from '../../src/kernel/index.ts';
import { requestOf, useApi } from '../api/api.ts';
import { documentedCodes, problemIn } from '../api/problem.ts';
import { open } from '../support/books.ts';
import { OF_BOOKS } from './books.ts';
import { OF_JOBS } from './jobs.ts';
import { OF_PAYMENTS } from './payments.ts';
import { OF_PAYOUTS } from './payouts.ts';
import { OF_WHAT_RECURS } from './recurring.ts';
import { OF_REQUESTS } from './requests.ts';
import { OF_NOTIFICATIONS } from './notifications.ts';
import { OF_SESSIONS } from './sessions.ts';
import { OF_WEBHOOKS } from './webhooks.ts';
import { SANDBOX } from '../payouts/world.ts';
import type { Cause } from './world.ts';
import { SECRET } from './world.ts';

const CAUSES: Readonly<Record<Code, Cause>> = {
  ...OF_BOOKS,
  ...OF_PAYMENTS,
  ...OF_PAYOUTS,
  ...OF_WHAT_RECURS,
  ...OF_JOBS,
  ...OF_WEBHOOKS,
  ...OF_NOTIFICATIONS,
  ...OF_REQUESTS,
  ...OF_SESSIONS,
};

const store = useApi({
  usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null }, chains: { sandbox: SANDBOX } },
});
/** Takes as long as a request waits: the others are tried meanwhile. */
const begun = new Map<string, ReturnType<Cause>>();
beforeAll(async () => {
  await open(store.tenant, { alice: 1_000_000, bob: 0 });
  begun.set('BUSY', CAUSES.BUSY(store));
});

test.each(Object.entries(CAUSES))('%s', async (code, cause) => {
  const told = await (begun.get(code) ?? cause(store));
  if (typeof told === 'string') return expect(told).toBe(code);
  expect(problemIn(told).code).toBe(code);
  // The OpenAPI document lists it for the operation that answered with it.
  const documented = documentedCodes(requestOf(told));
  expect(documented ?? [code], requestOf(told)).toContain(code);
});
