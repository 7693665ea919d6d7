// Reads endpoints for deliveries that begin in the same moment in one statement. Nothing is kept: a URL, a secret or a delete that was
// committed before the read applies to the delivery.
import type { Sql } from '../db/index.ts';
import type { EndpointKey, SendingEndpoint } from './sending-store.ts';
import { readSending } from './sending-store.ts';

export type ReadEndpoint = (key: EndpointKey) => Promise<SendingEndpoint | null>;

export function endpointReader(sql: Sql): ReadEndpoint {
  let wanted = new Map<string, EndpointKey>();
  let reading: Promise<ReadonlyMap<string, SendingEndpoint>> | null = null;
  const readAll = async (): Promise<ReadonlyMap<string, SendingEndpoint>> => {
    // Deliveries of one claim begin in one turn of the event loop.
    await Promise.resolve();
    const keys = [...wanted.values()];
    wanted = new Map();
    reading = null;
    return readSending(sql, keys);
  };
  return async (key) => {
    wanted.set(key.id, key);
    return (await (reading ??= readAll())).get(key.id) ?? null;
  };
}
