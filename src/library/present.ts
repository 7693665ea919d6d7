// Events and executions as the library shows them, for processors: one read of account refs for a whole claim, whatever its tenants.
import { fromWire } from '../client/inner.ts';
import { showEvents, showExecution } from '../contract/index.ts';
import type { Engine, Presenter, SequencedEvent } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';

export function presenterOf(accountRefs: Engine['accountRefs']): Presenter {
  return {
    async events(events) {
      const readRefs = inOneRead(accountRefs);
      const byTenant = Map.groupBy(events, ({ tenantId }) => tenantId);
      const shown = await Promise.all(
        [...byTenant].map(async ([tenantId, own]): Promise<(readonly [Uuid, unknown])[]> => {
          const tenant = { subject: null, accountRefs: (ids: readonly Uuid[]) => readRefs(tenantId, ids) };
          return (await showEvents(tenant, own)).map((event, index) => [
            (own[index] as SequencedEvent).id,
            fromWire(event),
          ]);
        }),
      );
      return new Map(shown.flat());
    },
    execution: (execution) => fromWire(showExecution(execution)),
  };
}

/** The tenants ask in the same turn of the event loop: their questions go together. */
function inOneRead(
  accountRefs: Engine['accountRefs'],
): (tenantId: Uuid, ids: readonly Uuid[]) => Promise<Map<Uuid, string>> {
  const wanted: { tenantId: Uuid; id: Uuid }[] = [];
  let read: Promise<Map<Uuid, string>> | null = null;
  return (tenantId, ids) => {
    wanted.push(...ids.map((id) => ({ tenantId, id })));
    read ??= Promise.resolve().then(() => accountRefs(wanted));
    return read;
  };
}
