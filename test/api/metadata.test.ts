// Metadata: numbers come back as they were sent, or are refused.
import { describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';

describe('metadata over HTTP', () => {
  const store = useApi();

  test('numbers that are accepted come back as the shortest text of the same number', async () => {
    await open(store.tenant, { alice: 10_000, bob: 0 });
    const numbers = '[1.10, 0.1, -0.250, 1e-7, 12.50e1, 9007199254740991, -0, 5e-324, 1.7976931348623157e-300]';
    const body = `{"from":"alice","to":"bob","amount":"1","asset":"USD/2","delay":"1h","metadata":{"n":{"n":${numbers}}}}`;
    const made = await store.send('POST /holds', { body, headers: { 'content-type': 'application/json' } });
    expect(made.status).toBe(201);
    const again = await store.send(`GET /payments/${made.word('id')}`);
    for (const answer of [made, again])
      expect(answer.text).toContain(
        '{"n":{"n":[1.1,0.1,-0.25,1e-7,125,9007199254740991,0,5e-324,1.7976931348623157e-300]}}',
      );
  });
});
