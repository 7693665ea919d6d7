// The address of a request: the peer of its connection, unless that is a trusted proxy. Each proxy appends the address of its own peer to
// X-Forwarded-For, so the right-most address that is no trusted proxy is the caller's; everything to the left of it was sent by the
// caller. Fastify walks the header (`trustProxy`, `request.ips`). This file decides which addresses are trusted, reads the ways in which
// proxies write an address, and falls back to the proxy where the proxy wrote none (docs/decisions/0030).
import type { AddressInfo } from 'node:net';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** The parts of a FastifyRequest that say where it comes from. */
export interface Forwarded {
  readonly ip: string | undefined;
  /** The peer and the hops of X-Forwarded-For, nearest first, up to the first that is not trusted. Unset without trusted proxies. */
  readonly ips?: readonly (string | undefined)[] | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** No set-up has longer chains. */
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

/** Fastify's `trustProxy`; false without trusted proxies, so that X-Forwarded-For is not read at all. */
export function trustProxy(trusted: readonly string[]): false | ((address: string, hop: number) => boolean) {
  if (trusted.length === 0) return false;
  const isTrusted = createIsTrusted(trusted);
  return (said, hop) => {
    const address = plainAddress(withoutPort(said));
    return hop < MOST_HOPS && address !== null && isTrusted(address);
  };
}

/** Null where the connection is gone. */
export function addressOf({ ip, ips = [ip], headers }: Forwarded): string | null {
  const hops = ips.slice(0, 1 + hopsBeforeBlank(headers['x-forwarded-for']));
  const [last, proxy] = hops.toReversed().map((hop) => plainAddress(withoutPort(hop ?? '')));
  // Unreadable text from a trusted proxy: the proxy itself is the last address that is known.
  return last ?? proxy ?? null;
}

/**
 * Hops to the right of a blank one. Fastify skips blank hops and would believe the next one, which may be the caller's own text: a proxy
 * that does not know its peer appends nothing.
 */
function hopsBeforeBlank(header: string | string[] | undefined): number {
  const hops = [header ?? []].flat().join(',').split(',').toReversed();
  const blank = hops.findIndex((hop) => hop.trim() === '');
  return blank === -1 ? hops.length : blank;
}

/** Some proxies append the port: 192.0.2.7:4711, [2001:db8::7]:4711. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}

/** One way to write each; an IPv4 address that came over IPv6 is an IPv4 address. */
export function plainAddress(text: string): string | null {
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
