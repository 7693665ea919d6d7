// The table of refused networks, compared with another implementation of networks.
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress, parseNetwork } from '../../src/outbound/address.ts';
import { kindOf, refusedKind } from '../../src/outbound/ranges.ts';

const kind = (text: string): string | null => {
  const address = parseAddress(text);
  return address ? kindOf(address) : 'no address';
};

describe('an address', () => {
  test.each([
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['169.254.169.254', 'link_local'],
    ['fe80::1', 'link_local'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['fd20:ce::254', 'metadata'],
    ['255.255.255.255', 'multicast'],
    ['ff02::1', 'multicast'],
    ['::ffff:8.8.8.8', 'embedded'],
    ['::8.8.8.8', 'embedded'],
    ['2002:808:808::', 'embedded'],
    ['2001::1', 'embedded'],
    ['64:ff9b::8.8.8.8', 'nat64'],
    ['64:ff9b:1::8.8.8.8', 'nat64'],
    ['172.31.255.255', 'private'],
    ['fdff::1', 'private'],
    ['100.64.0.0', 'shared'],
    ['240.0.0.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['fe80::1%eth0', 'no address'],
    ['127.1', 'no address'],
    ['0177.0.0.1', 'no address'],
    ['localhost', 'no address'],
  ])('%s is of the kind %s', (text, expected) => {
    expect(kind(text)).toBe(expected);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '3ffd::1',
  ])('%s is of the internet', (text) => {
    expect(kind(text)).toBeNull();
  });

  test('is refused exactly if one of the networks that the README lists contains it', () => {
    const list = new BlockList();
    for (const network of [
      '0.0.0.0/8',
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.88.99.0/24',
      '192.168.0.0/16',
      '192.175.48.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/4',
      '240.0.0.0/4',
      '168.63.129.16/32',
    ]) {
      const [start = '', prefix] = network.split('/');
      list.addSubnet(start, Number(prefix), 'ipv4');
    }
    // Addresses near the borders of the networks, where mistakes are.
    const near = fc
      .tuple(
        fc.constantFrom(10, 100, 127, 128, 168, 169, 172, 192, 198, 203, 224, 240),
        fc.nat(255),
        fc.nat(255),
        fc.nat(255),
      )
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(fc.oneof(near, fc.ipV4()), (text) => {
        expect(kind(text) !== null, text).toBe(list.check(text, 'ipv4'));
      }),
      { numRuns: 5_000 },
    );
  });

  test('of IPv6 outside 2000::/3 is refused', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const first = Number.parseInt(new URL(`http://[${text}]`).hostname.slice(1).split(':')[0] || '0', 16);
        if (first < 0x2000 || first > 0x3fff) expect(kind(text), text).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('an admitted network', () => {
  const admits = (allow: string, text: string, { own = [] as string[], loopback = false } = {}): boolean => {
    const address = parseAddress(text);
    const network = parseNetwork(allow);
    if (!address || !network) throw new Error('not an address or network');
    const policy = { loopback, allow: [network], own: () => own.flatMap((each) => parseAddress(each) ?? []) };
    return refusedKind(address, policy) === null;
  };

  test('admits its private addresses, and no neighbour', () => {
    expect(admits('10.1.0.0/16', '10.1.2.3')).toBe(true);
    expect(admits('10.1.0.0/16', '10.2.0.1')).toBe(false);
    expect(admits('fd12::/16', 'fd12::1')).toBe(true);
    expect(admits('fd12::/16', 'fd13::1')).toBe(false);
    expect(admits('10.1.2.3', '10.1.2.3')).toBe(true);
    expect(admits('100.64.0.0/10', '100.65.0.1')).toBe(true);
  });

  test.each([
    ['127.0.0.0/8', '127.0.0.1'],
    ['169.254.0.0/16', '169.254.169.254'],
    ['100.64.0.0/10', '100.100.100.200'],
    ['fc00::/7', 'fd00:ec2::254'],
    ['::/7', '::1'],
    ['::/7', '::ffff:10.0.0.1'],
    ['2002::/16', '2002:a00:1::'],
    ['224.0.0.0/8', '224.0.0.1'],
  ])('%s does not admit %s', (allow, text) => {
    expect(admits(allow, text)).toBe(false);
  });

  test('of NAT64 admits the addresses of the internet in it', () => {
    expect(admits('64:ff9b::/96', '64:ff9b::8.8.8.8')).toBe(true);
    expect(admits('64:ff9b::/96', '64:ff9b::10.0.0.1')).toBe(false);
    expect(admits('64:ff9b::/96', '64:ff9b::127.0.0.1')).toBe(false);
  });

  test('is needed for an address of this machine', () => {
    expect(admits('10.0.0.0/8', '93.184.216.34', { own: ['93.184.216.34'] })).toBe(false);
    expect(admits('93.184.216.34/32', '93.184.216.34', { own: ['93.184.216.34'] })).toBe(true);
    expect(admits('10.0.0.0/8', '93.184.216.35', { own: ['93.184.216.34'] })).toBe(true);
  });

  test('leaves loopback to its own setting', () => {
    expect(admits('10.0.0.0/8', '127.0.0.1', { loopback: true })).toBe(true);
    expect(admits('10.0.0.0/8', '::1', { loopback: true })).toBe(true);
    expect(admits('10.0.0.0/8', '::ffff:127.0.0.1', { loopback: true })).toBe(false);
    expect(admits('10.0.0.0/8', '192.168.0.1', { loopback: true })).toBe(false);
  });
});
