// From which address a request comes: the other end of its connection, unless that is a proxy that the operator trusts. Of what
// trusted proxies say (X-Forwarded-For, each appends whom it was asked by) the right-most address that is no trusted proxy is the
// caller's; everything to the left of it is the caller's own words.
import type { AddressInfo } from 'node:net';
import { BlockList, isIP, isIPv4 } from 'node:net';

export type AddressOf = (request: {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}) => string | null;

/** Longer chains are nobody's set-up. */
const MOST_HOPS = 20;

/** Whether an address is one of the operator's own proxies. `trusted`: addresses and networks (10.0.0.0/8), which were checked. */
export function createIsTrusted(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const one of trusted) {
    const [network = '', bits] = one.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (bits === undefined) proxies.addAddress(network, family);
    else proxies.addSubnet(network, Number(bits), family);
  }
  return (address) => proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

export function createAddressOf(trusted: readonly string[]): AddressOf {
  const isTrusted = createIsTrusted(trusted);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? '');
    if (address === null || trusted.length === 0 || !isTrusted(address)) return address;
    const said = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').slice(-MOST_HOPS);
    for (const hop of said.toReversed()) {
      const next = plainAddress(withoutPort(hop.trim()));
      // Rubbish from a proxy that is believed: the proxy itself is the last that is known.
      if (next === null) return address;
      address = next;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}

/** Some proxies append the port: 192.0.2.7:4711, [2001:db8::7]:4711. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}

/** One way to write each; an IPv4 address that came over IPv6 is an IPv4 address. */
function plainAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '');
  if (isIP(address) === 0) return null;
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return address.toLowerCase();
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight numbers of an IPv6 address. A URL writes it without an IPv4 address in it. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** Who shares a limit: an IPv4 address; of IPv6 the network of 64 bits that one household or machine has to itself. */
export function neighbourhoodOf(address: string): string {
  if (isIPv4(address)) return address;
  const groups = groupsOf(address).slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** With the host that was opened: of 0.0.0.0 a URL names the loopback address. */
export function listensOn(opened: AddressInfo | string | null, url: string): string {
  if (opened === null || typeof opened === 'string') return url;
  const host = opened.family === 'IPv6' ? `[${opened.address}]` : opened.address;
  return `http://${host}:${opened.port}`;
}
