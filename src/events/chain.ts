// The hash chain of a tenant: each link covers the link before it, and an earlier one that it skips to. Skips are chosen as in Myers'
// random-access stack (skew-binary jump pointers): if the last two skips of a chain have the same length, the next link skips both at once.
// From any link to any earlier one there is then a way of at most 3 × log2 links, which a receipt follows from its anchor. To add a
// link, only the path of skips from the end of a chain to its beginning is needed: a few dozen links.
import type { Uuid } from '../kernel/index.ts';
import type { LinkFields } from './digest.ts';
import { hashLink } from './digest.ts';

export interface ChainPoint {
  readonly number: bigint;
  readonly lastSeq: bigint;
  readonly hash: Buffer;
}

/** From the beginning to the end of a chain by skips; its last element is the end. Empty for a chain without links. */
export type ChainPath = readonly ChainPoint[];

/** A block that waits to be linked. */
export interface Block {
  readonly tenantId: Uuid;
  readonly blockId: Uuid;
  readonly events: number;
  readonly recordedAtUs: bigint;
  readonly digest: Buffer;
}

export interface Link extends LinkFields {
  /** `lastSeq` of the earlier link that it covers besides the one before it; 0 for none. */
  readonly skipSeq: bigint;
  readonly hash: Buffer;
}

/** The point before the first link. */
export const BEGINNING: ChainPoint = { number: 0n, lastSeq: 0n, hash: Buffer.alloc(32) };

/** No seq is greater: `bigint` of PostgreSQL ends here. */
export const MAX_SEQ = (1n << 63n) - 1n;

export const endOf = (path: ChainPath): ChainPoint => path.at(-1) ?? BEGINNING;

/** The part of a path that the next link skips to: it ends with the link that is covered. */
export function skippedPath(path: ChainPath): ChainPath {
  const [end, first, second] = [path.at(-1), path.at(-2), path.at(-3) ?? BEGINNING];
  if (!end || !first || end.number - first.number !== first.number - second.number) return path;
  return path.slice(0, -2);
}

/** The next link of a chain, and the path behind it. */
export function linkBlock(path: ChainPath, block: Block): { link: Link; path: ChainPath } {
  const previous = endOf(path);
  const number = previous.number + 1n;
  const kept = skippedPath(path);
  const skipped = endOf(kept);
  const fields = { ...block, number, lastSeq: previous.lastSeq + BigInt(block.events) };
  const hash = hashLink(fields, previous.hash, skipped.hash);
  const link = { ...fields, skipSeq: skipped.lastSeq, hash };
  return { link, path: [...kept, { number, lastSeq: link.lastSeq, hash }] };
}
