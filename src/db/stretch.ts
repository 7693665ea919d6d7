// Lists whose filter may fit little (kernel/pages.ts), in SQL: a page and, where it is short, the end of the stretch that was looked
// through. In one statement: what is added between two would move the end.
import type { Stretch } from '../kernel/index.ts';
import type { Row } from './sql.ts';

export interface StretchQuery {
  /** Selects the page, an `id` among its columns. */
  readonly page: string;
  /** How many the page takes, as the statement says it. */
  readonly limit: string;
  /** Selects the end of a full stretch. Null where nothing is left out: then a page that is short is the last. */
  readonly end: string | null;
  /** Of the page. */
  readonly order: string;
  /** Columns about a row of the page, by its alias `page`, that are read for the rows of the page only. */
  readonly also?: string;
}

export function stretchStatement({ page, limit, end, order, also }: StretchQuery): string {
  const reached = end === null ? 'null' : `case when (select count(*) from page) < ${limit} then (${end}) end`;
  return `with page as (${page})
    select page.*, ${also === undefined ? '' : `${also}, `}r.reached from (select ${reached} as reached) r left join page on true order by page.${order}`;
}

/** Whether a jsonb column has every pair of two parameters that are text[]; a value that is not text is compared as its JSON. */
export const hasMetadata = (column: string, names: string, values: string): string =>
  `not exists (select from unnest(${names}, ${values}) f (name, value)
               where ${column} ->> f.name is distinct from f.value)`;

/** What such a statement answers: one row without a page at least. */
export function readStretch<Item, Mark>(
  rows: readonly Row[],
  item: (row: Row) => Item,
  mark: (value: unknown) => Mark,
): Stretch<Item, Mark> {
  const reached = rows[0]?.['reached'] ?? null;
  return {
    items: rows.filter((row) => row['id'] !== null).map(item),
    reached: reached === null ? null : mark(reached),
  };
}
