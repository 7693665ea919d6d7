// The networks that a tenant's destination must not be in. IPv4 is a list of what is refused (the IANA registry of special-purpose
// addresses, and metadata services that clouds put elsewhere); IPv6 is a list of exceptions inside 2000::/3, and everything outside it
// is refused, so that a range that is assigned later is not open by default.
import type { Address, Network } from './address.ts';
import { isIn, lastFour, parseNetwork } from './address.ts';

/** Kinds of refused networks, and how a message names them. */
export const KINDS = {
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  link_local: 'a link-local address',
  metadata: 'a metadata service of a cloud',
  multicast: 'a multicast or broadcast address',
  embedded: 'an IPv6 form of an IPv4 address',
  nat64: 'an address of NAT64',
  private: 'an address of a private network',
  shared: 'an address of carrier-grade NAT',
  reserved: 'a reserved address',
  own: 'an address of this machine',
} as const;
export type Kind = keyof typeof KINDS;

/** Kinds that an operator can admit as networks. The others reach this machine, its cloud, or another address than they seem to. */
const ADMITTABLE: ReadonlySet<Kind> = new Set(['private', 'shared', 'nat64', 'reserved', 'own']);

/** The first that fits decides: narrow ones, and those that are never admitted, come first. */
const RANGES: readonly (readonly [Kind, string])[] = [
  ['unspecified', '0.0.0.0/8'],
  ['loopback', '127.0.0.0/8'],
  ['link_local', '169.254.0.0/16'],
  ['metadata', '168.63.129.16/32'],
  ['metadata', '100.100.100.200/32'],
  ['metadata', '192.0.0.192/32'],
  ['multicast', '224.0.0.0/4'],
  ['multicast', '255.255.255.255/32'],
  ['private', '10.0.0.0/8'],
  ['private', '172.16.0.0/12'],
  ['private', '192.168.0.0/16'],
  ['shared', '100.64.0.0/10'],
  ['reserved', '192.0.0.0/24'],
  ['reserved', '192.0.2.0/24'],
  ['reserved', '192.31.196.0/24'],
  ['reserved', '192.52.193.0/24'],
  ['reserved', '192.88.99.0/24'],
  ['reserved', '192.175.48.0/24'],
  ['reserved', '198.18.0.0/15'],
  ['reserved', '198.51.100.0/24'],
  ['reserved', '203.0.113.0/24'],
  ['reserved', '240.0.0.0/4'],
  ['unspecified', '::/128'],
  ['loopback', '::1/128'],
  ['embedded', '::/96'],
  ['embedded', '::ffff:0:0/96'],
  ['embedded', '::ffff:0:0:0/96'],
  ['nat64', '64:ff9b::/96'],
  ['nat64', '64:ff9b:1::/48'],
  ['metadata', 'fd00:ec2::/32'],
  ['metadata', 'fd20:ce::/32'],
  ['private', 'fc00::/7'],
  ['link_local', 'fe80::/10'],
  ['private', 'fec0::/10'],
  ['multicast', 'ff00::/8'],
  ['embedded', '2001::/32'],
  ['embedded', '2002::/16'],
  ['reserved', '2001::/23'],
  ['reserved', '2001:db8::/32'],
  ['reserved', '2620:4f:8000::/48'],
  ['reserved', '3ffe::/16'],
  ['reserved', '3fff::/20'],
];

const network = (text: string): Network => {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(`not a network: ${text}`);
  return parsed;
};
const REFUSED = RANGES.map(([kind, text]) => ({ kind, network: network(text) }));
const GLOBAL = network('2000::/3');
/** ISATAP: an interface identifier of 0000:5efe or 0200:5efe, and an IPv4 address, in any network. */
const ISATAP = new Set([0x5efen, 0x0200_5efen]);

/** The kind of a refused address; null for an address of the internet. */
export function kindOf(address: Address): Kind | null {
  const found = REFUSED.find((range) => isIn(address, range.network));
  if (found) return found.kind;
  if (address.family === 4) return null;
  if (!isIn(address, GLOBAL)) return 'reserved';
  return ISATAP.has((address.bits >> 32n) & 0xffff_ffffn) ? 'embedded' : null;
}

export interface AddressPolicy {
  readonly loopback: boolean;
  readonly allow: readonly Network[];
  /** Addresses of the network interfaces of this machine. */
  readonly own: () => readonly Address[];
}

/** The kind that refuses an address; null if it can be connected to. */
export function refusedKind(address: Address, policy: AddressPolicy): Kind | null {
  const kind = kindOf(address) ?? (policy.own().some((each) => isSame(each, address)) ? 'own' : null);
  if (kind === null) return null;
  if (kind === 'loopback') return policy.loopback ? null : kind;
  if (!ADMITTABLE.has(kind) || !policy.allow.some((each) => isIn(address, each))) return kind;
  // NAT64 leads to the IPv4 address in it, which counts as if it were named.
  return kind === 'nat64' ? refusedKind(lastFour(address), policy) : null;
}

const isSame = (one: Address, another: Address): boolean => one.family === another.family && one.bits === another.bits;
