// A list, page by page, in one loop: `for await (const payment of client.payments.list())`. A cursor points to a row, not to a count,
// so no item is missed or returned twice during inserts.

/** One page of a list. */
export interface Page<T> {
  /** The items of the page. */
  readonly data: readonly T[];
  /** Cursor of the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** A list. Iterate it with `for await` to read every item; it sends nothing before that. */
export interface Pages<T> extends AsyncIterable<T> {
  /** One page: the first, or the page of a cursor. */
  page(cursor?: string): Promise<Page<T>>;
}

/** Makes `Pages` from a function that reads one page. */
export function createPages<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Pages<T> {
  return {
    page: fetchPage,
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined;
      do {
        const page = await fetchPage(cursor);
        yield* page.data;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
