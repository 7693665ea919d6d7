// Pages. A cursor is the id (or place) that the page ended with: what is added meanwhile shifts nothing, and everything that
// was there when the first page was read is on exactly one page. It is opaque, so that it can come to mean more.
import { isUuid, refuse } from '../kernel/index.ts';
import type { PageQuery } from './schemas.ts';

const DEFAULT_LIMIT = 50;

export interface Page<T> {
  readonly data: T[];
  readonly next_cursor: string | null;
}

/** Reads one more than asked, to know whether there is a next page. */
export async function page<R, T>(
  query: PageQuery,
  read: (limit: number, mark: string | undefined) => Promise<readonly R[]>,
  markOf: (row: R) => string,
  show: (row: R) => T,
  isMark = isUsualMark,
): Promise<Page<T>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await read(limit + 1, query.cursor === undefined ? undefined : opened(query.cursor, isMark));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { data: shown.map(show), next_cursor: rows.length > limit && last ? sealed(markOf(last)) : null };
}

/** A page of a list that returns its own cursor: a bounded scan can be short without being the last. */
export async function stretch<R, T>(
  query: PageQuery,
  read: (limit: number, mark: string | undefined) => Promise<{ rows: readonly R[]; next: string | null }>,
  show: (row: R) => T,
): Promise<Page<T>> {
  const mark = query.cursor === undefined ? undefined : opened(query.cursor);
  const { rows, next } = await read(query.limit ?? DEFAULT_LIMIT, mark);
  return { data: rows.map(show), next_cursor: next === null ? null : sealed(next) };
}

/** For operations that handle one part of many rows at a time: `mark` is the id that the part ended with. */
export const cursorBehind = (mark: string | null): string | null => (mark === null ? null : sealed(mark));

/** The id that the previous part ended with. */
export function after(cursor: string | undefined): { after?: string } {
  const id = cursor === undefined ? undefined : idMark(opened(cursor));
  return id === undefined ? {} : { after: id };
}

const VERSION = 'c1:';

function sealed(mark: string): string {
  return Buffer.from(VERSION + mark).toString('base64url');
}

const isUsualMark = (mark: string): boolean => isUuid(mark) || /^[0-9]{1,18}(-[0-9a-f]{8})?$/.test(mark);

function opened(cursor: string, isMark = isUsualMark): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const mark = text.slice(VERSION.length);
  if (text.startsWith(VERSION) && isMark(mark)) return mark;
  return refuse('CURSOR_INVALID/malformed', { param: 'cursor' });
}

/** For lists that follow ids. */
export function idMark(mark: string | undefined): string | undefined {
  if (mark === undefined || isUuid(mark)) return mark;
  return refuse('CURSOR_INVALID/another_list', { param: 'cursor' });
}

/** For lists of dates, which follow their slots. */
export function slotMark(mark: string): number {
  return /^[0-9]+$/.test(mark) ? Number(mark) : refuse('CURSOR_INVALID/another_list', { param: 'cursor' });
}

/** For lists whose next page is what came before. */
export function before(mark: string | undefined): { before?: string } {
  const id = idMark(mark);
  return id === undefined ? {} : { before: id };
}

/** Most lists: by id, the newest first. */
export function newestFirst<R extends { readonly id: string }, T>(
  query: PageQuery,
  read: (range: { readonly limit: number; readonly before?: string }) => Promise<readonly R[]>,
  show: (row: R) => T,
): Promise<Page<T>> {
  return page(
    query,
    (limit, mark) => read({ limit, ...before(mark) }),
    (row) => row.id,
    show,
  );
}

/** The story of something: by id, from the beginning. */
export function oldestFirst<R extends { readonly id: string }, T>(
  query: PageQuery,
  read: (range: { readonly limit: number; readonly after: string | undefined }) => Promise<readonly R[]>,
  show: (row: R) => T,
): Promise<Page<T>> {
  return page(
    query,
    (limit, mark) => read({ limit, after: idMark(mark) }),
    (row) => row.id,
    show,
  );
}

/** A list that is always short, as one page. */
export async function wholeList<R, T>(rows: Promise<readonly R[]>, show: (row: R) => T): Promise<Page<T>> {
  return { data: (await rows).map(show), next_cursor: null };
}
