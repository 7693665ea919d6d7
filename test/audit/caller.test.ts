import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/audit/index.ts';
import { useApi } from '../api/api.ts';

describe('what came over HTTP', () => {
  const store = useApi();

  test('is on record with the key, the address, the program and the request', async () => {
    const answer = await store.send('POST /pauses', {
      body: { scope: 'tenant', reason: 'looked odd' },
      headers: { 'user-agent': 'till/7', 'x-request-id': 'till-42' },
    });
    expect(answer.status).toBe(201);
    expect((await listAudit(store.db, store.tenant.id, 1))[0]).toMatchObject({
      action: 'tenant.pause',
      actor: expect.stringMatching(/^key:/),
      ip: '127.0.0.1',
      userAgent: 'till/7',
      requestId: 'till-42',
    });
  });
});
