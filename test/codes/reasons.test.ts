// Every reason of a code is one that some test is refused with: it is named there, as `CODE/reason`. Codes with one sentence are
// tried by codes.test.ts.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OUTBOUND_ERRORS } from '../../src/kernel/errors/outbound.ts';
import { RULES_ERRORS } from '../../src/kernel/errors/rules.ts';
import { SCHEDULES_ERRORS } from '../../src/kernel/errors/schedules.ts';
import { SUBSCRIPTIONS_ERRORS } from '../../src/kernel/errors/subscriptions.ts';
import type { Entry } from '../../src/kernel/index.ts';

const TESTS = join(import.meta.dirname, '..');
const FOLDERS = ['codes', 'schedules', 'api'];

const AREAS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  outbound: OUTBOUND_ERRORS,
  rules: RULES_ERRORS,
  schedules: SCHEDULES_ERRORS,
  subscriptions: SUBSCRIPTIONS_ERRORS,
};

function namedReasons(): Set<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(TESTS, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(TESTS, folder, name)),
  );
  const found = files.flatMap((path) => readFileSync(path, 'utf8').match(/\b[A-Z][A-Z_.]+\/[a-z][a-z_]*\b/g) ?? []);
  return new Set(found);
}

test.each(Object.entries(AREAS))('of %s', (_area, entries) => {
  const named = namedReasons();
  const keys = Object.entries(entries).flatMap(([code, { detail }]) =>
    typeof detail === 'object' ? Object.keys(detail).map((reason) => `${code}/${reason}`) : [],
  );
  expect(keys.filter((key) => !named.has(key))).toEqual([]);
});
