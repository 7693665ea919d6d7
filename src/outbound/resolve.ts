// DNS by c-ares. `dns.lookup` would also read the hosts file, but it occupies one of four threads that files and cryptography need as
// well: four names whose servers hang would stop the whole process.
import { Resolver } from 'node:dns/promises';

/** The addresses of a name, as DNS answers. Throws an error of Node with a code such as ENOTFOUND. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** `servers`: for tests. Default: those of the machine. */
export function resolveByDns(servers?: readonly string[]): Resolve {
  let resolver: Resolver | null = null;
  return async (name) => {
    if (!resolver) {
      resolver = new Resolver({ timeout: 2_000, tries: 2 });
      if (servers) resolver.setServers(servers);
    }
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const [fours = [], sixes = []] = [four, six].map((each) => (each.status === 'fulfilled' ? each.value : []));
    // IPv4 first: a machine without a route for IPv6 does not wait for one.
    return [...fours, ...sixes];
  };
}
