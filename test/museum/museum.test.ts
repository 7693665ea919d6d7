// Whether every piece still fits the tree. That its test catches it is shown by `npm run proof museum`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyPiece, readPieces } from './pieces.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const pieces = readPieces();

test('every piece names a finding, and changes the source, or a program of the documentation, alone', () => {
  for (const { name, finding, changed } of pieces) {
    expect(finding, name).toMatch(/^[A-Z]\d+[a-z]?$/);
    expect(changed.length, name).toBeGreaterThan(0);
    for (const file of changed) expect(file, name).toMatch(/^src\/|^docs\/operating\/[a-z-]+\.mjs$/);
  }
});

describe.each(pieces)('$name', (piece) => {
  test('applies to the tree as it is, and names a test file that exists', () => {
    expect(existsSync(join(ROOT, piece.caughtBy)), piece.caughtBy).toBe(true);
    expect(() => applyPiece(piece, ROOT, 'check')).not.toThrow();
  });
});
