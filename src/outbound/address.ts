// IP addresses and networks as numbers. Texts are canonical here: URLs were parsed by the WHATWG parser and answers of DNS by c-ares, so
// octal, hexadecimal and shortened forms are gone. A text in any other form is no address.
import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** As it is connected to. */
  readonly text: string;
}

export interface Network {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly prefix: number;
}

const SIZE = { 4: 32, 6: 128 } as const;

/** Null for a text that is no address. An address with a zone (`fe80::1%eth0`) is none: a zone chooses an interface. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: numberOf(text.split('.').map(Number), 8), text };
  if (!isIPv6(text) || text.includes('%')) return null;
  return { family: 6, bits: numberOf(groupsOf(text), 16), text };
}

/** `10.0.0.0/8`, or one address. Null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [start = '', length, more] = text.split('/');
  const address = parseAddress(start);
  if (!address || more !== undefined) return null;
  const size = SIZE[address.family];
  if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= size)) return null;
  return { family: address.family, bits: address.bits, prefix: length === undefined ? size : Number(length) };
}

export function isIn(address: Address, network: Network): boolean {
  if (address.family !== network.family) return false;
  const rest = BigInt(SIZE[network.family] - network.prefix);
  return address.bits >> rest === network.bits >> rest;
}

/** The IPv4 address in the last 32 bits of an IPv6 address. */
export function lastFour({ bits }: Address): Address {
  const four = bits & 0xffff_ffffn;
  const text = [24n, 16n, 8n, 0n].map((shift) => (four >> shift) & 0xffn).join('.');
  return { family: 4, bits: four, text };
}

const numberOf = (parts: readonly number[], width: number): bigint =>
  parts.reduce((bits, part) => (bits << BigInt(width)) | BigInt(part), 0n);

/** The eight numbers of an IPv6 address. A URL writes it without an IPv4 address in it. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
