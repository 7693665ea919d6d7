// Connections to destinations that the operator sets: variables, and the ports of this machine. They are not guarded, because the
// operator may name any host, a private one above all; and they are here so that no other file connects to the outside.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { opened } from './connect.ts';
import { OutboundFailure, codeOf } from './failure.ts';

/** `fetch`, for a URL that the operator set. Never for one that a tenant can choose. */
export const fetchForOperator: typeof fetch = (input, init) => fetch(input, init);

/** A connection to a host that the operator set, by the resolver of the system. */
export async function openForOperator(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  await opened(socket, 'connect', signal, (error) => {
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return new OutboundFailure('CONNECT_FAILED', `${host}:${port} could not be connected to (${codeOf(first)})`);
  });
  return socket;
}
