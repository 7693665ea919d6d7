// Events and executions as the library shows them, for processors: one read of account refs and one of the texts of payments for a whole
// claim, whatever its tenants.
import { fromWire } from '../client/inner.ts';
import { showEvents, showExecution } from '../contract/index.ts';
import type { EventReads, Presenter, SequencedEvent } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';

/** Events and executions as the library shows them, for processors. */
export const presenterOf = (reads: EventReads): Presenter => presenter(reads, fromWire);

/** Events as the API shows them: the bodies of webhooks. */
export const wirePresenterOf = (reads: EventReads): Presenter => presenter(reads, (shown) => shown);

function presenter(reads: EventReads, as: (shown: object) => unknown): Presenter {
  return {
    async events(events) {
      const accountRefs = inOneRead(reads.accountRefs);
      const paymentTexts = inOneRead(reads.paymentTexts);
      const byTenant = Map.groupBy(events, ({ tenantId }) => tenantId);
      const shown = await Promise.all(
        [...byTenant].map(async ([tenantId, own]): Promise<(readonly [Uuid, unknown])[]> => {
          const tenant = {
            subject: null,
            accountRefs: (ids: readonly Uuid[]) => accountRefs(tenantId, ids),
            paymentTexts: (ids: readonly Uuid[]) => paymentTexts(tenantId, ids),
          };
          return (await showEvents(tenant, own)).map((event, index) => [(own[index] as SequencedEvent).id, as(event)]);
        }),
      );
      return new Map(shown.flat());
    },
    execution: (execution) => as(showExecution(execution)),
  };
}

type Key = { readonly tenantId: Uuid; readonly id: Uuid };

/** The tenants ask in the same turn of the event loop: their questions go together. */
function inOneRead<Found>(
  read: (keys: readonly Key[]) => Promise<Found>,
): (tenantId: Uuid, ids: readonly Uuid[]) => Promise<Found> {
  let wanted: Key[] = [];
  let reading: Promise<Found> | null = null;
  return (tenantId, ids) => {
    wanted.push(...ids.map((id) => ({ tenantId, id })));
    // A tenant that asks in a later turn, because another read came before, begins the next read.
    reading ??= Promise.resolve().then(() => {
      const keys = wanted;
      wanted = [];
      reading = null;
      return read(keys);
    });
    return reading;
  };
}
