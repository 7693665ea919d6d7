// Which URLs may be requested, judged without DNS. The WHATWG parser is the only parser of a URL here, and the judged object is the one
// that is requested: two parsers that read a URL differently are the usual way around such a guard.
import type { Address } from './address.ts';
import { parseAddress } from './address.ts';
import type { AddressPolicy, Kind } from './ranges.ts';
import { refusedKind } from './ranges.ts';

export interface Destination {
  readonly url: URL;
  /** A name, or an address without brackets. */
  readonly host: string;
  /** If the host is an address. */
  readonly literal: Address | null;
  readonly port: number;
  readonly isSecure: boolean;
}

export type UrlReason = 'not_a_url' | 'scheme' | 'credentials' | 'port' | 'host' | 'local_name' | 'address';
export type Judged =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly reason: UrlReason; readonly kind: Kind | null };

export const LONGEST_URL = 2_000;
const LONGEST_NAME = 253;
/** Labels as DNS has them, and underscores, which some names of services have. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Ports that browsers refuse (Fetch standard, "bad port"): servers there speak another protocol and may obey a line of a body. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** `localhost` and names under it are this machine by RFC 6761, whatever DNS says. */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

export function judgeUrl(text: string, policy: AddressPolicy): Judged {
  const refused = (reason: UrlReason, kind: Kind | null = null): Judged => ({ ok: false, reason, kind });
  // The parser would drop tabs and line breaks, read a backslash as a slash, and map letters of other alphabets to ASCII.
  if (text.length > LONGEST_URL || !/^[!-[\]-~]+$/.test(text) || !URL.canParse(text)) return refused('not_a_url');
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && !(policy.loopback && url.protocol === 'http:')) return refused('scheme');
  // `https:example.com` and `https:///example.com` are read as if they had two slashes.
  if (!/^https?:\/\/[^/]/i.test(text)) return refused('not_a_url');
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) return refused('credentials');
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  if (BAD_PORTS.has(port)) return refused('port');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = parseAddress(host);
  if (literal) {
    const kind = refusedKind(literal, policy);
    if (kind !== null) return refused('address', kind);
  } else {
    if (host.length > LONGEST_NAME || !NAME.test(host)) return refused('host');
    if (isLocalName(host) && !policy.loopback) return refused('local_name');
  }
  return { ok: true, destination: { url, host, literal, port, isSecure } };
}
