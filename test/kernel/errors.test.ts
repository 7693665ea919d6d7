import { describe, expect, test } from 'vitest';
import { BrokenInvariant, CATALOGUE, Refusal, invariant, refuse } from '../../src/kernel/index.ts';

describe('the catalogue of refusals', () => {
  test.each(Object.entries(CATALOGUE))('%s has a status of an error and a title', (code, entry) => {
    expect(code).toMatch(/^[A-Z]+([_.][A-Z]+)*$/);
    expect(entry.status).toBeGreaterThanOrEqual(400);
    expect(entry.status).toBeLessThan(600);
    expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
  });

  test('a refusal carries its code and the field to mend', () => {
    expect(() => refuse('ASSET_INVALID', 'what to do', { param: 'asset' })).toThrow(
      expect.objectContaining({ name: 'Refusal', code: 'ASSET_INVALID', message: 'what to do', param: 'asset' }),
    );
    expect(() => refuse('ASSET_INVALID', 'what to do')).toThrow(Refusal);
  });

  test('a broken invariant is no refusal', () => {
    expect(() => invariant(false, 'one and one to be two')).toThrow(BrokenInvariant);
    expect(() => invariant(false, 'one and one to be two')).toThrow('expected one and one to be two');
    expect(() => invariant(true, 'nothing')).not.toThrow();
  });
});
