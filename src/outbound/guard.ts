// Hands out the addresses that may be connected to. Every guarded connection gets its addresses here, and nowhere else.
import { networkInterfaces } from 'node:os';
import { SetupError } from '../kernel/index.ts';
import type { Address, Network } from './address.ts';
import { parseAddress, parseNetwork } from './address.ts';
import { OutboundFailure, codeOf } from './failure.ts';
import type { AddressPolicy } from './ranges.ts';
import { KINDS, refusedKind } from './ranges.ts';
import type { Resolve } from './resolve.ts';
import { resolveByDns } from './resolve.ts';
import type { Judged } from './url.ts';
import { isLocalName, judgeUrl } from './url.ts';

export interface GuardOptions {
  /** Admits `http:` and loopback addresses, for development. Default false. */
  readonly loopback?: boolean;
  /** Networks of private receivers, such as `10.1.0.0/16`. Default: none. */
  readonly allow?: readonly string[];
  /** For tests. Default: DNS. */
  readonly resolve?: Resolve;
  /** For tests: addresses of this machine. Default: those of its network interfaces. */
  readonly own?: () => readonly string[];
}

export interface Guard {
  judgeUrl(text: string): Judged;
  /** The addresses of a host, each of them judged. */
  addressesOf(host: string): Promise<readonly Address[]>;
}

/** More than any receiver has; the rest is judged too and not tried. */
const MOST_TRIED = 4;

export function createGuard({
  loopback = false,
  allow = [],
  resolve = resolveByDns(),
  own = interfaces,
}: GuardOptions): Guard {
  const policy: AddressPolicy = {
    loopback,
    allow: allow.map(readNetwork),
    own: () => own().flatMap((text) => parseAddress(text) ?? []),
  };
  return {
    judgeUrl: (text) => judgeUrl(text, policy),
    async addressesOf(host) {
      const found = await lookUp(host, resolve);
      const addresses = found.map(parseAddress);
      for (const address of addresses) {
        const kind = address ? refusedKind(address, policy) : 'reserved';
        if (kind !== null) throw new OutboundFailure('BLOCKED_ADDRESS', `${host} leads to ${KINDS[kind]}`);
      }
      const judged = addresses.flatMap((address) => address ?? []);
      if (judged.length === 0) throw new OutboundFailure('DNS_FAILED', `${host} has no address`);
      return judged.slice(0, MOST_TRIED);
    },
  };
}

async function lookUp(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (parseAddress(host)) return [host];
  if (isLocalName(host)) return ['127.0.0.1', '::1'];
  try {
    return await resolve(host);
  } catch (error) {
    throw new OutboundFailure('DNS_FAILED', `the name ${host} could not be resolved (${codeOf(error)})`);
  }
}

function interfaces(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

/** Wider networks contain addresses of the internet, which need no setting, and every kind that is never admitted. */
const WIDEST = { 4: 8, 6: 7 } as const;

function readNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network && network.prefix >= WIDEST[network.family]) return network;
  throw new SetupError(
    'USANCE_OUTBOUND_ALLOW (outbound.allow) must be networks such as 10.1.0.0/16, with commas between, of at least /8 (IPv6: /7)',
  );
}
