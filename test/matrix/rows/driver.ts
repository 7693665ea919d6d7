// How the matrix makes the rows of one resource and calls the verbs on them.
import type { TenantHandle } from '../../../src/engine.ts';
import type { Cell, Resource } from '../axes.ts';
import type { VerbOf } from '../verbs.ts';
import type { World, WorldKind } from '../world.ts';

/** `POST /payments/{id}/cancel` and its body. */
export type HttpRequest = readonly [request: string, body?: unknown];

/** One verb, as it is called. */
export interface Call<R extends Resource, Row> {
  /** The request of a key or an end user; left out where there is no route, and the handle is called. */
  http?(row: Row, cell: Cell<R>, world: World): HttpRequest;
  /** The same by the handle of the actor. */
  by(verbs: TenantHandle, row: Row, cell: Cell<R>, world: World): Promise<unknown>;
}

export interface Driver<R extends Resource, Row> {
  /** A row as the cell wants it, before its condition holds. */
  make(world: World, cell: Cell<R>): Promise<Row>;
  readonly calls: Readonly<Record<VerbOf<R>, Call<R, Row>>>;
  /** Of a verb on many rows: what the answer says of this one, `allowed`, `left out` or a code. */
  answered?(cell: Cell<R>, row: Row, answer: unknown): string;
  /** Of a loop: the state of the row afterwards. */
  status?(cell: Cell<R>, row: Row, world: World): Promise<string>;
  /** The end user that the cell's actor is. */
  endUser(cell: Cell<R>, row: Row): string;
  /** The tenant that the row lives in, where it is none of the usual two. */
  worldOf?(cell: Cell<R>): WorldKind;
  /** Takes away what later cells would come upon. */
  clear?(row: Row, world: World): Promise<void>;
  /** Rows that are made apart, though all axes but the actor are equal. */
  kindOf?(cell: Cell<R>): string;
}

let rows = 0;
/** A name that nothing else in the file has. */
export const fresh = (what: string): string => `${what}-${(rows += 1)}`;

export const ASSET = 'USD/2';
export const AMOUNT = 1_000n;
export const HOUR = 3_600_000;

/** What a retry of many dead letters says of one: over HTTP its ids are typed, in the library they name the kind too. */
export function retriedOf(answer: unknown, ids: readonly string[]): string {
  const { retried, discarded, refused } = answer as {
    retried?: (string | { id: string })[];
    discarded?: (string | { id: string })[];
    refused: { id: string; code: string }[];
  };
  if ((retried ?? discarded ?? []).some((each) => ids.includes(typeof each === 'string' ? each : each.id)))
    return 'allowed';
  return refused.find(({ id }) => ids.includes(id))?.code ?? 'left out';
}
