// The egress proxy: an HTTP proxy of the operator that opens guarded connections by CONNECT. It is given the judged address, not the name:
// a proxy that resolves the name again could be given another address by the name's owner. TLS is between this process and the
// destination, so the proxy sees an address, a port and SNI.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { SetupError } from '../kernel/index.ts';
import type { Address } from './address.ts';
import { OutboundFailure, codeOf } from './failure.ts';

export interface EgressProxy {
  /** A connection to one of the addresses, which are tried in turn. */
  open(addresses: readonly Address[], port: number, signal: AbortSignal): Promise<{ socket: Socket; address: string }>;
}

/** `http://user:password@proxy:3128`, or https. The value stays out of messages: it may have a password in it. */
export function readProxy(text: string | null, ca?: string): EgressProxy | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    !hasReadableLogin(url)
  ) {
    throw new SetupError(
      'USANCE_EGRESS_PROXY (outbound.proxy) must be the address of a proxy, such as http://proxy:3128',
    );
  }
  return {
    async open(addresses, port, signal) {
      let failure: unknown = null;
      for (const { family, text: address } of addresses) {
        try {
          const socket = await tunnel(url, `${family === 6 ? `[${address}]` : address}:${port}`, signal, ca);
          return { socket, address };
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          failure = error;
        }
      }
      throw failure;
    },
  };
}

function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

function tunnel(proxy: URL, target: string, signal: AbortSignal, ca?: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isSecure = proxy.protocol === 'https:';
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const request = (isSecure ? requestHttps : requestHttp)({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (isSecure ? 443 : 80) : Number(proxy.port),
    path: target,
    // A connection of its own for each tunnel, and none of the environment's proxies.
    agent: false,
    signal,
    headers: {
      host: target,
      ...(login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    ...(isSecure ? { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } : {}),
  });
  request.once('connect', ({ statusCode = 0 }, socket, head) => {
    if (statusCode >= 200 && statusCode < 300) {
      // A server that speaks first (SMTP) may have been answered in the same packet.
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
      return;
    }
    socket.on('error', () => undefined).destroy();
    reject(new OutboundFailure('CONNECT_FAILED', `the egress proxy refused the connection (${statusCode})`));
  });
  request.once('error', (error) =>
    reject(
      signal.aborted
        ? signal.reason
        : new OutboundFailure('CONNECT_FAILED', `the egress proxy could not be reached (${codeOf(error)})`),
    ),
  );
  // An answer that is none to CONNECT.
  request.once('response', (response) => {
    response.destroy();
    reject(new OutboundFailure('CONNECT_FAILED', 'the egress proxy did not answer as a proxy'));
  });
  request.end();
  return promise;
}
