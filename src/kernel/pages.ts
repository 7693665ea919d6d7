// Cursor pages for selective filters. The store does one bounded scan for a page and returns its end, so that a page takes bounded
// time; it can be short or empty without being the last.

export interface Stretch<Item, Mark> {
  readonly items: readonly Item[];
  /** The end of the scan, if it ended before the page was full; null at the end of the list. */
  readonly reached: Mark | null;
}

/** One page, and where the next one begins. */
export async function pageOf<Item, Mark>(
  limit: number,
  read: (limit: number) => Promise<Stretch<Item, Mark>>,
  markOf: (item: Item) => Mark,
): Promise<{ items: readonly Item[]; next: Mark | null }> {
  // One more than asked, to know whether there is a next page.
  const { items, reached } = await read(limit + 1);
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown, next: items.length > limit && last !== undefined ? markOf(last) : reached };
}

/** All items up to the limit: one bounded scan after the other. */
export async function upTo<Item, Mark>(
  limit: number,
  from: Mark | null,
  read: (limit: number, from: Mark | null) => Promise<Stretch<Item, Mark>>,
): Promise<Item[]> {
  const found: Item[] = [];
  let next = from;
  do {
    const { items, reached } = await read(limit - found.length, next);
    found.push(...items);
    next = reached;
  } while (next !== null && found.length < limit);
  return found;
}
