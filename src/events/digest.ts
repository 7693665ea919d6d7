// The hashes of events, in four steps. The encoding is a contract with every holder of an anchor or receipt: a version in front, and every
// field behind its length, so that no two records have the same bytes.
//
//   details  the erasable fields: data, address, program, request, trace, reason. Salted, so that an erased value cannot be found by trying
//   event    everything else about an event, and `details`
//   block    the events of one append call and tenant, in order, as the root of a tree (merkle.ts)
//   link     the block, the link before it and a much earlier link of the same tenant (chain.ts)
import { hash } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';

/** The fields that erasing deletes. `data` is the exact text that is stored. */
export interface Details {
  readonly data: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly traceContext: string | null;
  readonly reason: string | null;
}

/** The fields that erasing keeps. */
export interface Lasting {
  readonly id: Uuid;
  readonly type: string;
  readonly version: number;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly actor: string;
  readonly occurredAtUs: bigint;
}

/** The version in front says whether there is a reason: an event without one has the digest that it had before reasons were recorded. */
export function digestDetails(salt: Buffer, { data, ip, userAgent, requestId, traceContext, reason }: Details): Buffer {
  if (reason === null) return sha256(['usance details 3', salt, data, ip, userAgent, requestId, traceContext]);
  return sha256(['usance details 4', salt, data, ip, userAgent, requestId, traceContext, reason]);
}

export function digestEvent(event: Lasting, details: Buffer): Buffer {
  return sha256([
    'usance event 3',
    event.id,
    event.type,
    String(event.version),
    event.resource,
    event.resourceId,
    event.actor,
    String(event.occurredAtUs),
    details,
  ]);
}

/** The fields of a link that its hash covers. Not the position over all tenants: a chain can move to another database. */
export interface LinkFields {
  readonly tenantId: Uuid;
  /** Counts the links of the tenant from 1. */
  readonly number: bigint;
  readonly lastSeq: bigint;
  readonly events: number;
  readonly blockId: Uuid;
  readonly recordedAtUs: bigint;
  readonly digest: Buffer;
}

export function hashLink(link: LinkFields, previous: Buffer, skipped: Buffer): Buffer {
  return sha256([
    'usance link 3',
    previous,
    skipped,
    link.tenantId,
    String(link.number),
    String(link.lastSeq),
    String(link.events),
    link.blockId,
    String(link.recordedAtUs),
    link.digest,
  ]);
}

const NOTHING = 0xffffffff;

/** Grows to the largest record seen: allocating one for each took longer than hashing it. */
let scratch = Buffer.allocUnsafe(4_096);

function sha256(fields: readonly (string | Buffer | null)[]): Buffer {
  // No character of UTF-8 takes more than three bytes per unit of a JavaScript string.
  let most = 0;
  for (const field of fields)
    most += 4 + (field === null ? 0 : typeof field === 'string' ? 3 * field.length : field.length);
  if (scratch.length < most) scratch = Buffer.allocUnsafe(2 * most);
  let at = 0;
  for (const field of fields) {
    if (field === null) {
      at = scratch.writeUInt32BE(NOTHING, at);
      continue;
    }
    const length = typeof field === 'string' ? scratch.write(field, at + 4) : field.copy(scratch, at + 4);
    scratch.writeUInt32BE(length, at);
    at += 4 + length;
  }
  // Text of single bytes, copied into Node's buffer pool: asking for a Buffer allocates a separate block of memory for each digest.
  return Buffer.from(hash('sha256', scratch.subarray(0, at), 'latin1'), 'latin1');
}
