// Ids are UUIDv7: made here rather than in PostgreSQL, so that a caller knows its key before it writes (a lost COMMIT
// answer can be looked up), and ordered by real time, so that new rows land at the right edge of every index and history
// can be partitioned by id. Outside they are TypeIDs (`acct_01jd…`), which say what they name.
import { randomFillSync } from 'node:crypto';
import { refuse } from './errors/index.ts';
import type { IdKind, Uuid } from './type-id.ts';
import { ALPHABET, ID_PREFIX, isTypeId } from './type-id.ts';

/** Before every id, and after every id. */
export const NIL_UUID: Uuid = '00000000-0000-0000-0000-000000000000';
export const MAX_UUID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Random bytes of an id. They are made, and written as hexadecimal digits, for 512 ids at once: a call for each took longer than the rest. */
const ID_BYTES = 8;
const pool = Buffer.alloc(ID_BYTES * 512);
let poolDigits = '';
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

/** A new UUIDv7, later than every one this process made before it. */
export function newId(): Uuid {
  return nextId();
}

/** Ids that a block can give to its events, and the hexadecimal digits that number them. */
export const BLOCK_IDS = 0x1_0000;
const ORDINAL_DIGITS = 4;

/**
 * The id of a new block of events: a UUIDv7 whose last 16 bits are zero. They number the events of the block, so that a block reserves
 * 65,536 consecutive ids. 46 random bits and the counter remain: the primary key refuses the coincidence that is left.
 */
export function newBlockId(): Uuid {
  return nextId().slice(0, -ORDINAL_DIGITS) + '0'.repeat(ORDINAL_DIGITS);
}

/** The id of an event by its block and its ordinal there, from 0. */
export function eventIdAt(blockId: Uuid, ordinal: number): Uuid {
  return blockId.slice(0, -ORDINAL_DIGITS) + ordinal.toString(16).padStart(ORDINAL_DIGITS, '0');
}

export function blockOf(eventId: Uuid): Uuid {
  return eventIdAt(eventId, 0);
}

export function ordinalOf(eventId: Uuid): number {
  return Number.parseInt(eventId.slice(-ORDINAL_DIGITS), 16);
}

function nextId(): Uuid {
  const nowMs = Date.now();
  // The 12 bits after the timestamp count within a millisecond. When they run out, or the machine's clock steps back,
  // the timestamp runs ahead instead: order within a process is never lost.
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    // The variant of a UUID: the first two bits are 10.
    for (let at = 0; at < pool.length; at += ID_BYTES) pool[at] = ((pool[at] ?? 0) & 0x3f) | 0x80;
    poolDigits = pool.toString('hex');
    poolOffset = 0;
  }
  const at = 2 * poolOffset;
  poolOffset += ID_BYTES;
  return assemble(lastMs, counter, poolDigits.slice(at, at + 4), poolDigits.slice(at + 4, at + 16));
}

/** The smallest id of an instant: the bound between what was made before it and after. */
export function firstIdAt(instant: Date): Uuid {
  // No id is older than 1970: an earlier instant has no form.
  return assemble(Math.max(0, instant.getTime()), 0, '8000', '000000000000');
}

/** How far the clocks of the processes that make ids may be from the database's. */
const CLOCKS_APART_MS = 3_600_000;

/** Bounds of the ids of rows that were written in a range of real time: none is below `from`, or at or above `before`. */
export function idsWithin(from: Date | undefined, before: Date | undefined): { from: Uuid; before: Uuid } {
  return {
    from: from ? firstIdAt(new Date(Math.max(0, from.getTime() - CLOCKS_APART_MS))) : NIL_UUID,
    before: before ? firstIdAt(new Date(Math.max(0, before.getTime() + CLOCKS_APART_MS))) : MAX_UUID,
  };
}

export function idInstant(id: Uuid): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The beginning of every id of a millisecond, of which there are hundreds in a batch. */
let head = { ms: NaN, text: '' };

function assemble(ms: number, sequence: number, variant: string, node: string): Uuid {
  if (ms !== head.ms) {
    const time = ms.toString(16).padStart(12, '0');
    head = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  const middle = sequence.toString(16).padStart(3, '0');
  return `${head.text}${middle}-${variant}-${node}`;
}

/** The UUID in a TypeID. Refused with `ID_INVALID` if the text is not an id of that kind. */
export function fromTypeId(kind: IdKind, input: unknown, param = 'id'): Uuid {
  const prefix = `${ID_PREFIX[kind]}_`;
  if (typeof input !== 'string' || !isTypeId(kind, input))
    return refuse('ID_INVALID/wrong_form', { param, examples: [`"${prefix}01jd…"`] });
  const text = input.slice(prefix.length);
  let bits = 0n;
  for (const character of text) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character));
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The UUID in a TypeID of that kind; any other text, such as a name or a ref, as it is. */
export function idOrName(kind: IdKind, text: string): string {
  return isTypeId(kind, text) ? fromTypeId(kind, text) : text;
}
