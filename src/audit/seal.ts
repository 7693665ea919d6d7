// A seal is a link of a tenant's chain: it hashes one event and the link before it. The encoding is part of the contract
// with everybody who keeps an anchor: every field with its length before it, so that no two records read the same, and a
// version in front. What can be erased (data, address, program) goes in as a salted digest only.
import { hash, randomBytes } from 'node:crypto';
import type { PlacedEvent } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface Seal {
  readonly tenantId: Uuid;
  /** 1, 2, 3 … of the tenant. */
  readonly seq: bigint;
  /** The event's place in the order of commits. */
  readonly place: bigint;
  readonly eventId: Uuid;
  /** Null: what the event told was erased. */
  readonly salt: Buffer | null;
  readonly digest: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** Where a tenant's chain ends. */
export type Head = Pick<Seal, 'seq' | 'hash'>;

export const NO_HEAD: Head = { seq: 0n, hash: Buffer.alloc(32) };

const SALT_BYTES = 16;

/** Seals events in the order given, each behind what its tenant's chain ends with. */
export function sealBehind(heads: ReadonlyMap<Uuid, Head>, events: readonly PlacedEvent[]): Seal[] {
  const ends = new Map(heads);
  const salts = randomBytes(SALT_BYTES * events.length);
  return events.map((event, index) => {
    const { seq: last, hash: previous } = ends.get(event.tenantId) ?? NO_HEAD;
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    const digest = digestOf(event, salt);
    const seq = last + 1n;
    const end = { seq, hash: hashOf(event, { seq, previous, digest }) };
    ends.set(event.tenantId, end);
    return { tenantId: event.tenantId, place: event.place, eventId: event.id, salt, digest, previous, ...end };
  });
}

/** Of what can be erased. */
export function digestOf(event: PlacedEvent, salt: Buffer): Buffer {
  return sha256(['usance details 1', salt, event.data, event.ip, event.userAgent]);
}

/** Of everything else, and of the digest. */
export function hashOf(event: PlacedEvent, link: Pick<Seal, 'seq' | 'previous' | 'digest'>): Buffer {
  return sha256([
    'usance seal 1',
    link.previous,
    event.tenantId,
    link.seq.toString(),
    event.place.toString(),
    event.id,
    event.type,
    event.resource,
    event.resourceId,
    event.actor,
    event.requestId,
    event.traceContext,
    event.occurredAtUs.toString(),
    event.recordedAtUs.toString(),
    link.digest,
  ]);
}

const NOTHING = 0xffffffff;

/** One piece of memory and one call: a link has two dozen fields, and handing them over one by one took most of the time. */
function sha256(fields: readonly (string | Buffer | null)[]): Buffer {
  const lengths = fields.map((field) => (field === null ? 0 : Buffer.byteLength(field)));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 4 * fields.length));
  let at = 0;
  fields.forEach((field, index) => {
    const length = lengths[index] ?? 0;
    at = bytes.writeUInt32BE(field === null ? NOTHING : length, at);
    if (typeof field === 'string') bytes.write(field, at);
    else field?.copy(bytes, at);
    at += length;
  });
  return hash('sha256', bytes, 'buffer');
}
