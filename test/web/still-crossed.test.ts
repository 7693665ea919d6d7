// Alerts on the first page.
import { expect, test } from 'vitest';
import { stillCrossed } from '../../web/src/pages/overview/still-crossed.ts';

const alert = (kind: 'manual_review' | 'treasury_floor') => ({
  id: kind,
  kind,
  chain: 'sandbox',
  asset: null,
  value: '1',
  unit: 'payouts' as const,
  threshold: '1',
  count: 1,
  windowMs: null,
  status: 'open' as const,
  raisedAt: '2026-11-20T00:00:00.000Z',
  clearedAt: null,
  clearedValue: null,
});

test('the alert about reviews ends with the last review; other alerts stay until the server clears them', () => {
  const alerts = [alert('manual_review'), alert('treasury_floor')];
  const kinds = (inReview: Parameters<typeof stillCrossed>[0]['inReview']): string[] =>
    stillCrossed({ alerts, inReview }).map(({ kind }) => kind);
  expect(kinds([{ asset: 'USDC/6', count: 1, amount: '1' }])).toEqual(['manual_review', 'treasury_floor']);
  expect(kinds([])).toEqual(['treasury_floor']);
});
