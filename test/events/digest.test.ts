import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChainPath, Link } from '../../src/events/index.ts';
import {
  BEGINNING,
  digestBlock,
  digestDetails,
  digestEvent,
  endOf,
  hashLink,
  linkBlock,
  proofsOf,
} from '../../src/events/index.ts';

const EVENT = {
  id: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e0000',
  type: 'payment.settled',
  version: 1,
  resource: 'payment',
  resourceId: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f62',
  actor: 'system',
  occurredAtUs: 1_772_366_400_123_000n,
};
const DETAILS = {
  data: '{"note":"ü 💶"}',
  ip: null,
  userAgent: null,
  requestId: null,
  traceContext: null,
  reason: null,
};
const SALT = Buffer.alloc(16, 7);
const TENANT = '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f60';

/** The encoding as the README has it, written once more and plainly. */
function plainly(fields: readonly (string | Buffer | null)[]): string {
  const parts = fields.flatMap((field) => {
    if (field === null) return [Buffer.from('ffffffff', 'hex')];
    const bytes = Buffer.from(field as string);
    return [Buffer.from(bytes.length.toString(16).padStart(8, '0'), 'hex'), bytes];
  });
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}

describe('what is hashed', () => {
  const details = digestDetails(SALT, DETAILS);
  const leaf = digestEvent(EVENT, details);

  test('is what the README says, byte by byte', () => {
    expect(details.toString('hex')).toBe(plainly(['usance details 3', SALT, DETAILS.data, null, null, null, null]));
    expect(digestDetails(SALT, { ...DETAILS, reason: 'Grüße' }).toString('hex')).toBe(
      plainly(['usance details 4', SALT, DETAILS.data, null, null, null, null, 'Grüße']),
    );
    const { id, type, resource, resourceId } = EVENT;
    expect(leaf.toString('hex')).toBe(
      plainly(['usance event 3', id, type, '1', resource, resourceId, 'system', '1772366400123000', details]),
    );
    const node = createHash('sha256').update(Buffer.concat([Buffer.from([1]), leaf, details]));
    expect(digestBlock([leaf, details]).toString('hex')).toBe(node.digest('hex'));
    expect(digestBlock([leaf])).toEqual(leaf);
    const link = { tenantId: TENANT, number: 3n, lastSeq: 17n, events: 2, blockId: id, recordedAtUs: 5n, digest: leaf };
    expect(hashLink(link, details, leaf).toString('hex')).toBe(
      plainly(['usance link 3', details, leaf, TENANT, '3', '17', '2', id, '5', leaf]),
    );
  });

  test('differs for another field, and for the same letters in other fields', () => {
    const of = (change: object): string => digestDetails(SALT, { ...DETAILS, ...change }).toString('hex');
    const origins = [{}, { ip: '' }, { userAgent: '' }, { requestId: '' }, { traceContext: '' }, { reason: '' }];
    const all = [...origins, { ip: 'a', userAgent: 'b' }, { ip: 'ab' }, { reason: 'ab' }, { data: '{}' }];
    expect(new Set(all.map(of)).size).toBe(all.length);
  });

  test('is the same for a text of any size and alphabet', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20_000 }), (data) => {
        expect(digestDetails(SALT, { ...DETAILS, data }).toString('hex')).toBe(
          plainly(['usance details 3', SALT, data, null, null, null, null]),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('the digest of a block', () => {
  const leavesOf = (count: number): Buffer[] =>
    Array.from({ length: count }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest());
  const pair = (left: Buffer, right: Buffer): Buffer =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.from([1]), left, right]))
      .digest();
  /** RFC 6962, as its section 2.1 has it: the left half is the largest power of two below the number of leaves. */
  const treeHead = (leaves: readonly Buffer[]): Buffer => {
    if (leaves.length === 1) return leaves[0] as Buffer;
    const half = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
    return pair(treeHead(leaves.slice(0, half)), treeHead(leaves.slice(half)));
  };

  test('is the tree head of RFC 6962, and every leaf has a proof of the logarithm of their number', () => {
    for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100, 1_000]) {
      const leaves = leavesOf(count);
      const root = digestBlock(leaves);
      expect(root).toEqual(treeHead(leaves));
      const proofs = proofsOf(leaves, [...leaves.keys()]);
      for (const [index, proof] of proofs.entries()) {
        const rest = [...proof];
        let [node, at] = [leaves[index] as Buffer, index];
        for (let places = count; places > 1; places = Math.ceil(places / 2), at >>= 1) {
          if ((at ^ 1) >= places) continue;
          const beside = rest.shift() as Buffer;
          node = at % 2 === 1 ? pair(beside, node) : pair(node, beside);
        }
        expect([node, rest]).toEqual([root, []]);
        expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      }
    }
  });

  test('differs for another order, another leaf, and one leaf more', () => {
    const leaves = leavesOf(6);
    const [first, second, ...rest] = leaves as [Buffer, Buffer, ...Buffer[]];
    const all = [leaves, [second, first, ...rest], leaves.slice(1), leavesOf(7), [...leaves, rest.at(-1) as Buffer]];
    expect(new Set(all.map((one) => digestBlock(one).toString('hex'))).size).toBe(all.length);
  });
});

describe('a chain', () => {
  const chainOf = (length: number): Link[] => {
    let path: ChainPath = [];
    return Array.from({ length }, (_, n) => {
      const block = { tenantId: TENANT, blockId: EVENT.id, events: 1 + (n % 3), recordedAtUs: BigInt(n), digest: SALT };
      const made = linkBlock(path, block);
      path = made.path;
      expect(path.length).toBeLessThanOrEqual(2 * Math.log2(length + 2));
      expect(endOf(path)).toMatchObject({ number: BigInt(n + 1), lastSeq: made.link.lastSeq });
      return made.link;
    });
  };

  const LENGTH = 3_000;
  const links = chainOf(LENGTH);
  const bySeq = new Map(links.map((link) => [link.lastSeq, link]));
  const atSeq = (seq: bigint) => bySeq.get(seq) ?? BEGINNING;

  test('covers with each link the one before it and the one that it skips to', () => {
    for (const link of links) {
      const previous = atSeq(link.lastSeq - BigInt(link.events));
      const skipped = atSeq(link.skipSeq);
      expect(previous.number).toBe(link.number - 1n);
      expect(skipped.number).toBeLessThan(link.number);
      expect(link.hash).toEqual(hashLink(link, previous.hash, skipped.hash));
    }
    expect(links.slice(0, 7).map((link) => Number(atSeq(link.skipSeq).number))).toEqual([0, 1, 0, 3, 4, 3, 0]);
  });

  test('leads from any link to any earlier one in at most three times the logarithm of steps', () => {
    const walk = fc.tuple(fc.integer({ min: 1, max: LENGTH }), fc.integer({ min: 1, max: LENGTH }));
    fc.assert(
      fc.property(walk, ([one, other]) => {
        const [from, to] = [Math.max(one, other), Math.min(one, other)];
        let steps = 0;
        let at = links[from - 1] as Link;
        while (at.number > BigInt(to)) {
          const skipped = atSeq(at.skipSeq);
          at = (skipped.number >= BigInt(to) ? skipped : atSeq(at.lastSeq - BigInt(at.events))) as Link;
          steps += 1;
        }
        expect(at.number).toBe(BigInt(to));
        expect(steps).toBeLessThanOrEqual(3 * Math.log2(LENGTH));
      }),
      { numRuns: 500 },
    );
  });
});
