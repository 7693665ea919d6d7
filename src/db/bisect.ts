import { isLastingError } from './connection-trouble.ts';

/**
 * Runs the work on all items at once. Where it throws a lasting error, runs it on each half, until the item to blame is alone: one bad
 * item does not stop the others. Answers are in the order of the items. The work must undo itself when it throws.
 */
export async function bisect<T, R>(
  items: readonly T[],
  run: (items: readonly T[]) => Promise<R>,
  onCulprit: (item: T, error: unknown) => void,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return [await run(items)];
  } catch (error) {
    if (!isLastingError(error)) throw error;
    if (items.length === 1) {
      for (const item of items) onCulprit(item, error);
      return [];
    }
    const half = Math.ceil(items.length / 2);
    const first = await bisect(items.slice(0, half), run, onCulprit);
    return [...first, ...(await bisect(items.slice(half), run, onCulprit))];
  }
}
