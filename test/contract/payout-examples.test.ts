// Payouts in the examples of routes and events are payouts: paid to `world`, and to nobody beside it.
import { expect, test } from 'vitest';
import { exampleOfWholeEvent } from '../../src/contract/index.ts';
import { WORLD } from '../../src/contract/resources/examples.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import type { EventType } from '../../src/engine.ts';
import { EVENT_CATALOGUE } from '../../src/engine.ts';

type Node = Readonly<Record<string, unknown>>;

function* paymentsIn(value: unknown, path: string): Generator<[string, Node]> {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* paymentsIn(one, `${path}.${index}`);
  else if (typeof value === 'object' && value !== null) {
    if ('rail' in value && 'legs' in value) yield [path, value];
    for (const [name, one] of Object.entries(value)) yield* paymentsIn(one, `${path}.${name}`);
  }
}

test('an example of a payout is paid to world, whole', () => {
  const examples = [
    ...Object.entries(ROUTES).map(([name, { example }]) => [name, example.answer] as const),
    ...(Object.keys(EVENT_CATALOGUE) as EventType[]).map((type) => [type, exampleOfWholeEvent(type)] as const),
  ];
  const found = examples.flatMap(([name, example]) => [...paymentsIn(example, name)]);
  const payouts = found.filter(([, { rail }]) => rail !== 'ledger');
  expect(payouts.length).toBeGreaterThan(1);
  for (const [path, { to, legs, amount }] of payouts)
    expect([path, to, legs]).toEqual([path, WORLD, [expect.objectContaining({ to: WORLD, amount })]]);
});
