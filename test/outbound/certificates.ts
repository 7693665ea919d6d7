// Certificates for tests, made by the test itself: an authority, and servers that it vouches for. Only as much of X.509 (DER) as TLS reads.
import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Der = Buffer;
const der = (tag: number, ...content: readonly Der[]): Der => {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...content: readonly Der[]): Der => der(0x30, ...content);
const integer = (bytes: Buffer): Der =>
  der(0x02, (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
const bits = (bytes: Buffer): Der => der(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer): Der => der(0x04, bytes);
const utc = (at: Date): Der =>
  der(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .replaceAll(/[-:T]|\.\d{3}/g, '')
        .slice(2),
    ),
  );

function oid(text: string): Der {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from(bytes));
}

const ECDSA = sequence(oid('1.2.840.10045.4.3.2'));
const nameOf = (common: string): Der => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(common)))));
const extension = (id: string, isCritical: boolean, value: Der): Der =>
  sequence(oid(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value));
const TRUE = der(0x01, Buffer.from([0xff]));

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Authority extends Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
}

const DAY_MS = 86_400_000;

function certificate(
  common: string,
  by: { readonly name: string; readonly privateKey: KeyObject } | null,
  extensions: readonly Der[],
  days: { readonly from: number; readonly to: number },
): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const at = (day: number): Der => utc(new Date(Date.now() + day * DAY_MS));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA,
    nameOf(by?.name ?? common),
    sequence(at(days.from), at(days.to)),
    nameOf(common),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  );
  const whole = sequence(body, ECDSA, bits(sign('sha256', body, by?.privateKey ?? privateKey)));
  return {
    name: common,
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${whole
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
  };
}

export function createAuthority(name = 'Test authority') {
  const root = certificate(name, null, [extension('2.5.29.19', true, sequence(TRUE))], { from: -1, to: 1 });
  return {
    /** In PEM: what a client trusts. */
    ca: root.cert,
    /** For names, and for addresses of IPv4. `days` from today. */
    issue(hosts: readonly string[], days: { from: number; to: number } = { from: -1, to: 1 }): Certificate {
      const alternatives = hosts.map((host) =>
        /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
      );
      const { cert, key } = certificate(
        hosts[0] ?? 'nothing',
        root,
        [extension('2.5.29.17', false, sequence(...alternatives))],
        days,
      );
      return { cert, key };
    },
  };
}
