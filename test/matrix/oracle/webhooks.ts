// Verbs on webhook endpoints and on their deliveries.
import type { Cell } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { advancing, firstOf, scope } from './verdict.ts';

/** Nothing is sent to a disabled endpoint, and a deleted one is not there. */
export function endpointVerdict(cell: Cell<'webhook endpoint'>): Verdict {
  const state = ({ verb, state: at }: Cell<'webhook endpoint'>): Code | null => {
    if (verb === 'createWebhookEndpoint') return null;
    if (at === 'deleted') return 'WEBHOOK_ENDPOINT_NOT_FOUND';
    const sends = verb === 'testWebhookEndpoint' || verb === 'recoverWebhookEndpoint';
    return sends && at === 'disabled' ? 'WEBHOOK_ENDPOINT_DISABLED' : null;
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'webhook endpoint'>>[]);
}

/** A completed or failed delivery is sent again, if its endpoint is there and enabled. */
export function deliveryVerdict(cell: Cell<'delivery'>): Verdict {
  const state = ({ state: at }: Cell<'delivery'>): Code | null => {
    if (at === 'failed, of a deleted endpoint') return 'WEBHOOK_ENDPOINT_NOT_FOUND';
    if (at === 'failed, of a disabled endpoint') return 'WEBHOOK_ENDPOINT_DISABLED';
    return at === 'completed' || at === 'failed' ? null : 'DELIVERY_NOT_REDELIVERABLE';
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'delivery'>>[]);
}
