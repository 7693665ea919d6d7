// Finds the name that a mistyped one was meant to be.

/** Null where no known name is within `mostEdits` changes. Case, `_` and `-` do not count: `executeAt` is `execute_at`. */
export function nearestName(given: string, known: readonly string[], mostEdits: number): string | null {
  const plain = plainOf(given);
  let nearest: { readonly name: string; readonly edits: number } | null = null;
  for (const name of known) {
    const other = plainOf(name);
    // A longer difference cannot be within reach: a long name costs nothing.
    if (Math.abs(other.length - plain.length) > mostEdits) continue;
    const edits = editDistance(plain, other);
    if (edits <= mostEdits && (nearest === null || edits < nearest.edits)) nearest = { name, edits };
  }
  return nearest?.name ?? null;
}

const plainOf = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_cell, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
