// Opens a connection to a judged address: directly or through the egress proxy, with TLS where the destination has it. The name is used
// for SNI and the certificate only.
import type { Socket } from 'node:net';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address } from './address.ts';
import { parseAddress } from './address.ts';
import { OutboundFailure, codeOf } from './failure.ts';
import type { Guard } from './guard.ts';
import { kindOf } from './ranges.ts';
import type { EgressProxy } from './proxy.ts';

export interface Opened {
  readonly socket: Socket;
  /** The address of the destination, also behind a proxy. */
  readonly address: string;
  readonly dnsMs: number;
  /** With the proxy and TLS. */
  readonly connectMs: number;
}

export interface Dialer {
  readonly guard: Guard;
  readonly proxy: EgressProxy | null;
  /** For tests: certificates that are trusted besides those of Node. */
  readonly ca?: string | undefined;
}

export interface Dialed {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Time for one address, if there is another one to try. */
const NEXT_ADDRESS_MS = 1_000;

/** Ends with a failure as soon as the signal does; its reason is one. */
export async function dial({ guard, proxy, ca }: Dialer, to: Dialed, signal: AbortSignal): Promise<Opened> {
  const started = performance.now();
  const addresses = await unless(signal, guard.addressesOf(to.host));
  const resolved = performance.now();
  const viaProxy = proxy && !addresses.some((address) => kindOf(address) === 'loopback') ? proxy : null;
  const { socket, address } = viaProxy
    ? await viaProxy.open(addresses, to.port, signal)
    : await openTcp(addresses, to, signal);
  const secured = to.isSecure ? await secure(socket, to.host, signal, ca) : socket;
  return { socket: secured, address, dnsMs: resolved - started, connectMs: performance.now() - resolved };
}

/** Node tries the addresses in turn; they are all judged, and it looks up nothing. */
async function openTcp(
  addresses: readonly Address[],
  { host, port }: Dialed,
  signal: AbortSignal,
): Promise<{ socket: Socket; address: string }> {
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    lookup: (_name, { all }, found) => {
      const [first] = addresses;
      if (all)
        found(
          null,
          addresses.map(({ text, family }) => ({ address: text, family })),
        );
      else found(null, first?.text ?? '', first?.family ?? 4);
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  });
  await opened(socket, 'connect', signal, (error) => {
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return new OutboundFailure('CONNECT_FAILED', `${host} could not be connected to (${codeOf(first)})`);
  });
  const peer = parseAddress(socket.remoteAddress ?? '');
  const judged = addresses.find((each) => each.family === peer?.family && each.bits === peer.bits);
  if (judged) return { socket, address: judged.text };
  socket.destroy();
  throw new OutboundFailure('BLOCKED_ADDRESS', `${host} was connected to at an address that was not judged`);
}

export async function secure(socket: Socket, host: string, signal: AbortSignal, ca?: string): Promise<Socket> {
  const isAddress = parseAddress(host) !== null;
  const secured = connectTls({
    socket,
    host,
    // An address has no SNI (RFC 6066); the certificate has to name it all the same.
    ...(isAddress ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said here, or NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  await opened(secured, 'secureConnect', signal, (error) => {
    return new OutboundFailure('TLS_FAILED', `the TLS handshake with ${host} failed (${codeOf(error)})`);
  });
  return secured;
}

/** Waits for a socket's event. A socket that does not get there is destroyed. */
export function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  failed: (error: unknown) => OutboundFailure,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onError = (error: unknown): void => reject(failed(error));
  const onClose = (): void => reject(failed(null));
  const onAbort = (): void => reject(signal.reason);
  socket.once(event, resolve).once('error', onError).once('close', onClose);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return promise
    .catch((error: unknown) => {
      // Later errors of a socket that is given up are of no interest, and must not end the process.
      socket.on('error', () => undefined).destroy();
      throw error;
    })
    .finally(() => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, resolve).off('error', onError).off('close', onClose);
    });
}

/** The result of work that cannot be aborted, unless the signal ends first. */
export async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
