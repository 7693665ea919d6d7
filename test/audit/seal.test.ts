import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NO_HEAD, digestOf, hashOf, sealBehind } from '../../src/audit/seal.ts';
import type { PlacedEvent } from '../../src/events/index.ts';

const EVENT: PlacedEvent = {
  place: 17n,
  tenantId: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f60',
  id: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f61',
  type: 'payment.settled',
  resource: 'payment',
  resourceId: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f62',
  data: '{"note": "ü 💶"}',
  actor: 'system',
  ip: null,
  userAgent: null,
  requestId: null,
  traceContext: null,
  occurredAtUs: 1_772_366_400_123_456n,
  recordedAtUs: 1_772_366_400_123_457n,
};
const SALT = Buffer.alloc(16, 7);

/** The encoding as the README has it, written once more and plainly. */
function plainly(fields: readonly (string | Buffer | null)[]): string {
  const parts = fields.flatMap((field) => {
    if (field === null) return [Buffer.from('ffffffff', 'hex')];
    const bytes = Buffer.from(field as string);
    return [Buffer.from(bytes.length.toString(16).padStart(8, '0'), 'hex'), bytes];
  });
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}

describe('a seal', () => {
  const digest = digestOf(EVENT, SALT);

  test('hashes what the README says, byte by byte', () => {
    expect(digest.toString('hex')).toBe(plainly(['usance details 1', SALT, EVENT.data, null, null]));
    const hash = hashOf(EVENT, { seq: 1n, previous: NO_HEAD.hash, digest });
    const { tenantId, id, type, resource, resourceId } = EVENT;
    const instants = ['1772366400123456', '1772366400123457'];
    expect(hash.toString('hex')).toBe(
      plainly([
        'usance seal 1',
        Buffer.alloc(32),
        tenantId,
        '1',
        '17',
        id,
        type,
        resource,
        resourceId,
        'system',
        null,
        null,
        ...instants,
        digest,
      ]),
    );
  });

  test('is another for another field, and for the same letters in other fields', () => {
    const of = (change: Partial<PlacedEvent>): string => digestOf({ ...EVENT, ...change }, SALT).toString('hex');
    expect(
      new Set([of({}), of({ ip: '' }), of({ userAgent: '' }), of({ ip: 'a', userAgent: 'b' }), of({ ip: 'ab' })]).size,
    ).toBe(5);
  });

  test('goes behind what there is, a chain for each tenant', () => {
    const other = { ...EVENT, tenantId: '0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f69' };
    const seals = sealBehind(new Map([[EVENT.tenantId, { seq: 4n, hash: digest }]]), [EVENT, other, EVENT]);
    expect(seals.map(({ seq }) => seq)).toEqual([5n, 1n, 6n]);
    expect(seals[0]?.previous).toEqual(digest);
    expect(seals[1]?.previous).toEqual(NO_HEAD.hash);
    expect(seals[2]?.previous).toEqual(seals[0]?.hash);
    expect(seals[0]?.salt).not.toEqual(seals[2]?.salt);
  });
});
