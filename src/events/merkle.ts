// The digest of a block is the root of a Merkle tree over its events, in the shape of RFC 6962: a receipt then needs the logarithm of a
// block's events, not all of them. A leaf is the digest of an event, whose first hashed byte is 0 (of the length of its tag); the
// first hashed byte of an inner node is 1: neither can be taken for the other. The link covers the number of leaves.
import { hash } from 'node:crypto';

const DIGEST = 32;
const node = Buffer.alloc(1 + 2 * DIGEST, 1);

/** The root over the digests of a block's events; there is at least one. */
export function digestBlock(leaves: readonly Buffer[]): Buffer {
  let root: Buffer | null = null;
  climb(leaves, (level, count) => {
    if (count === 1) root = Buffer.from(level.subarray(0, DIGEST));
  });
  return root ?? Buffer.alloc(DIGEST);
}

/** The Merkle proof of each of these leaves: the neighbours on the way from it to the root, lowest first. */
export function proofsOf(leaves: readonly Buffer[], indexes: readonly number[]): Buffer[][] {
  const ways = indexes.map((index) => ({ at: index, proof: [] as Buffer[] }));
  climb(leaves, (level, count) => {
    for (const way of ways) {
      const beside = way.at ^ 1;
      if (beside < count) way.proof.push(Buffer.from(level.subarray(DIGEST * beside, DIGEST * (beside + 1))));
      way.at >>= 1;
    }
  });
  return ways.map(({ proof }) => proof);
}

/** Level by level, from the leaves to the root. The last node of an odd level goes up as it is. */
function climb(leaves: readonly Buffer[], visit: (level: Buffer, count: number) => void): void {
  const level = Buffer.concat(leaves);
  let count = leaves.length;
  visit(level, count);
  while (count > 1) {
    const pairs = count >> 1;
    for (let n = 0; n < pairs; n += 1) {
      level.copy(node, 1, 2 * DIGEST * n, 2 * DIGEST * (n + 1));
      // As text of single bytes: twice as fast as a new buffer for each.
      level.write(hash('sha256', node, 'binary'), DIGEST * n, 'latin1');
    }
    if (count % 2 === 1) level.copy(level, DIGEST * pairs, DIGEST * (count - 1), DIGEST * count);
    count -= pairs;
    visit(level, count);
  }
}
