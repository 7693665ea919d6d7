// Tables. j and k walk through the rows, and Enter opens one. On a phone each row becomes a card whose cells carry the heading of their column.
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Link, navigate } from '../app/router.tsx';
import type { ReadList } from '../api/queries.ts';
import { Empty, Loaded } from './loaded.tsx';
import { formatCount } from './format.ts';

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** Less important columns disappear on narrow windows. */
  readonly wide?: boolean;
  /** Sentences: three lines of them in a table, and all of them across the card of a phone. */
  readonly long?: boolean;
  /** The content is the link to the page of the row. A table whose rows open pages has one, or a cell that links there itself. */
  readonly opens?: boolean;
}

interface Rows<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** The page of a row. */
  readonly linkOf?: (row: T) => string | null;
  /** The row whose page is shown beside the table. */
  readonly isCurrent?: (row: T) => boolean;
  readonly selection?: Selection;
}

/** The rows that are ticked, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly setAll: (keys: readonly string[]) => void;
}

const INTERACTIVE = 'a, button, input, select, textarea, label, summary';

export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  linkOf,
  isCurrent,
  selection,
}: Rows<T> & { readonly rows: readonly T[] }): ReactNode {
  const open = (event: MouseEvent | KeyboardEvent, row: T): void => {
    if (event.target instanceof Element && event.target.closest(INTERACTIVE)) return;
    if (window.getSelection()?.isCollapsed === false) return;
    const to = linkOf?.(row);
    if (!to) return;
    if (event.metaKey || event.ctrlKey) window.open(to, '_blank', 'noopener');
    else navigate(to);
  };
  const keys = rows.map(keyOf);
  const isAll = selection !== undefined && keys.length > 0 && keys.every((key) => selection.keys.has(key));
  return (
    <div className="scrolls">
      <table className={linkOf ? 'rows opens' : 'rows'}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="tick">
                <input
                  type="checkbox"
                  aria-label="Select every row"
                  checked={isAll}
                  onChange={() => selection.setAll(isAll ? [] : keys)}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.head} scope="col" className={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const to = linkOf?.(row) ?? null;
            return (
              <tr
                key={key}
                data-opens={to ?? undefined}
                tabIndex={-1}
                onClick={(event) => open(event, row)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') open(event, row);
                  if (event.key === 'x' && selection && event.target === event.currentTarget) selection.toggle(key);
                }}
              >
                {selection && (
                  <td className="tick">
                    <input
                      type="checkbox"
                      aria-label={`Select ${key}`}
                      checked={selection.keys.has(key)}
                      onChange={() => selection.toggle(key)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.head} className={classOf(column)} data-head={column.head}>
                    <div>
                      {column.opens && to !== null ? (
                        <Link to={to} aria-current={isCurrent?.(row) ? 'true' : undefined}>
                          {column.cell(row)}
                        </Link>
                      ) : (
                        column.cell(row)
                      )}
                    </div>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const classOf = ({ align, wide, long }: Pick<Column<never>, 'align' | 'wide' | 'long'>): string | undefined =>
  [align, wide && 'wide', long && 'long'].filter(Boolean).join(' ') || undefined;

/** A list of the API: its table, its empty state, and a button for the next page. */
export function ListTable<T>({
  read,
  empty,
  ...table
}: Rows<T> & { readonly read: ReadList<T>; readonly empty: ReactNode }): ReactNode {
  return (
    <Loaded read={read}>
      {(rows) => (
        <>
          {rows.length === 0 && read.more === null ? (
            <Empty operation={read.operation}>{empty}</Empty>
          ) : (
            <Table {...table} rows={rows} />
          )}
          {read.more !== null && (
            <div className="more">
              <button type="button" onClick={read.more} disabled={read.isReadingMore}>
                {read.isReadingMore ? 'Reading …' : 'Show more'}
              </button>
              <span className="soft small">
                {formatCount(rows.length)} {rows.length === 1 ? 'row' : 'rows'} shown; there are more.
              </span>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
