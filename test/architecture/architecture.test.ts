// The order and the habits of src, checked over the files as they are. That each rule bites is in rules.test.ts.
import { describe, expect, test } from 'vitest';
import { checkClock, checkEnvironment, checkFocus, checkFolderNames, checkLengths } from './habits.ts';
import { checkImports, checkModuleShape } from './imports.ts';
import { NAMED, checkOutward } from './outward.ts';
import { readTree } from './source.ts';
import { checkCasts, checkOwners, checkTables } from './tables.ts';

const source = await readTree('src');
const tests = await readTree('test');

describe('the source', () => {
  test.each([
    ['is imported from above only, and by the door', checkImports],
    ['has a README and a door in every module', checkModuleShape],
    ['gives every table an owner', checkOwners],
    ['names a table only in its owner’s store', checkTables],
    ['casts every parameter of a statement', checkCasts],
    ['has no file of two ideas', checkLengths],
    ['has no folder named after a kind of code', checkFolderNames],
    ['is handed its clock', checkClock],
    ['is handed its configuration', checkEnvironment],
    ['connects to the outside in one module', checkOutward],
  ])('%s', (_title, rule) => {
    expect(rule(source)).toEqual([]);
  });
});

test('the exceptions to the one module that connects to the outside exist', () => {
  const paths = source.map(({ path }) => path);
  for (const path of Object.keys(NAMED)) expect(paths).toContain(path);
});

test('no test shuts out the others', () => {
  expect(checkFocus(tests)).toEqual([]);
});
