// The bodies of the newest events, as deliveries have them.
import { showEvents } from '../src/contract/index.ts';
import { createEngine } from '../src/engine.ts';

export interface Body {
  readonly id: string;
  readonly body: string;
}

const PAGE = 1_000;

export async function bodiesOf(databaseUrl: string, count: number): Promise<Body[]> {
  const usance = await createEngine({ databaseUrl, migrate: false, poolSize: 1, encryption: { isOptional: true } });
  try {
    const tenant = await usance.tenant('bench');
    const bodies: Body[] = [];
    for (let after = (await tenant.lastEventSeq()) - BigInt(count); bodies.length < count; after += BigInt(PAGE)) {
      const events = await tenant.events({}, { after, limit: Math.min(PAGE, count - bodies.length) });
      const shown = await showEvents(tenant, events);
      bodies.push(...shown.map((event) => ({ id: event.id, body: JSON.stringify(event) })));
    }
    return bodies;
  } finally {
    await usance.close();
  }
}
