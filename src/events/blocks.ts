// Groups the facts of one call into blocks, one per tenant: each event with its id, its salt and the exact text of its data, and each block
// with its digest. The process that appends makes the digest, so `usance verify` finds any change after the commit.
import { randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';
import { BrokenInvariant, blockOf, eventIdAt, newBlockId, toJson } from '../kernel/index.ts';
import { digestDetails, digestEvent } from './digest.ts';
import type { Fact } from './event.ts';
import { digestBlock } from './merkle.ts';
import { eventVersion } from './schemas/index.ts';

/** Events of a block at most, so that verify and receipts read a bounded piece. A larger call makes several blocks. */
export const MOST_IN_BLOCK = 8_192;

const SALT_BYTES = 16;

export interface NewEvent {
  readonly fact: Fact;
  readonly id: Uuid;
  readonly version: number;
  readonly data: string;
  /** 16 random bytes, in the text form of a UUID. */
  readonly salt: Uuid;
}

export interface NewBlock {
  readonly tenantId: Uuid;
  readonly blockId: Uuid;
  readonly events: readonly NewEvent[];
  readonly digest: Buffer;
}

/** One block per tenant, in the order of its first fact; several if a tenant has more events than fit into one. */
export function blocksOf(facts: readonly Fact[]): NewBlock[] {
  const salts = randomBytes(SALT_BYTES * facts.length);
  const saltHex = salts.toString('hex');
  let n = 0;
  return grouped(facts).map((group) => {
    const [first] = group as [Fact];
    const blockId = first.id ?? newBlockId();
    const digests: Buffer[] = [];
    const events = group.map((fact, ordinal) => {
      const at = n * SALT_BYTES;
      n += 1;
      const event = {
        fact,
        id: eventIdAt(blockId, ordinal),
        version: fact.version ?? eventVersion(fact.type),
        data: toJson(fact.data),
        salt: asUuid(saltHex.slice(2 * at, 2 * (at + SALT_BYTES))),
      };
      digests.push(digestNew(event, salts.subarray(at, at + SALT_BYTES)));
      return event;
    });
    return { tenantId: first.tenantId, blockId, events, digest: digestBlock(digests) };
  });
}

function grouped(facts: readonly Fact[]): Fact[][] {
  const groups: Fact[][] = [];
  const open = new Map<Uuid, Fact[]>();
  for (const fact of facts) {
    let group = open.get(fact.tenantId);
    if (fact.id !== undefined) {
      if (blockOf(fact.id) !== fact.id) throw new BrokenInvariant(`${fact.id} is not the id of a block`);
      groups.push([fact]);
      // Later facts of the tenant go into a new block, behind this one.
      open.delete(fact.tenantId);
      continue;
    }
    if (!group || group.length === MOST_IN_BLOCK) {
      group = [];
      open.set(fact.tenantId, group);
      groups.push(group);
    }
    group.push(fact);
  }
  return groups;
}

function digestNew({ fact, id, version, data }: NewEvent, salt: Buffer): Buffer {
  const { ip = null, userAgent = null, requestId = null, traceContext = null, reason = null } = fact;
  const details = digestDetails(salt, { data, ip, userAgent, requestId, traceContext, reason });
  const { type, resource, resourceId, actor } = fact;
  const occurredAtUs = BigInt(fact.occurredAt.getTime()) * 1_000n;
  return digestEvent({ id, type, version, resource, resourceId, actor, occurredAtUs }, details);
}

const asUuid = (hex: string): Uuid =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
