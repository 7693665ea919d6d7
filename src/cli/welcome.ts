// The first screen: addresses, a payment to paste, and the next commands. Everything printed here can be pasted unchanged; a test does
// so.
import type { Engine } from '../engine.ts';
import type { BootstrapKey } from './bootstrap.ts';
import type { WorldKey } from './demo-world/key.ts';
import { describeMigration } from './migrate.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, dim } from './screen.ts';

export interface Welcome {
  readonly version: string;
  readonly url: string;
  /** Opens the dashboard, once. */
  readonly link: string | null;
  readonly key: BootstrapKey | null;
  /** "alice 1000.00 USD, bob 250.00 USD", where there is a demo. */
  readonly demo: string | null;
  /** The test tenant with data for the dashboard, where there is one. */
  readonly world: { readonly name: string; readonly key: Pick<WorldKey, 'secret' | 'file'> | null } | null;
  readonly books: string;
  /** Whether requests can be sent to http URLs and loopback addresses. */
  readonly loopback: boolean;
}

export function showWelcome(screen: Screen, { store, migrated }: Engine, facts: Welcome): void {
  const { url, key, demo } = facts;
  screen.line(`${bold(`usance ${facts.version}`)}  moves money later, exactly once`);
  screen.line();
  const server = dim(`(${store.embedded ? 'embedded ' : ''}PostgreSQL ${store.serverVersion})`);
  screen.line(`  api     ${bold(url)} ${dim(`(every route, with examples: ${url}/docs)`)}`);
  if (facts.link !== null)
    screen.line(`  open    ${bold(facts.link)} ${dim('(the dashboard; works once, within an hour)')}`);
  if (key)
    screen.line(`  key     ${bold(key.secret)} ${dim(`(${key.file ? `kept in ${key.file}` : 'USANCE_API_KEY'})`)}`);
  screen.line(`  data    ${store.place} ${server}`);
  if (migrated !== null && migrated.applied.length > 0) screen.line(`  schema  ${describeMigration(migrated)}`);
  if (demo !== null) screen.line(`  demo    ${demo}`);
  if (facts.world !== null) {
    const { name, key: worldKey } = facts.world;
    screen.line(`  world   ${name} ${dim('(a test tenant with four weeks of data; choose it in the dashboard)')}`);
    if (worldKey) screen.line(`          ${bold(worldKey.secret)} ${dim(`(its key, kept in ${worldKey.file})`)}`);
  }
  screen.line(`  books   ${facts.books}`);
  if (facts.loopback)
    screen.line(
      `  sends   also to http URLs and to this machine ${dim('(for development: USANCE_OUTBOUND_LOOPBACK=0 stops it)')}`,
    );
  screen.line();
  if (key && demo !== null) {
    screen.line(bold('Send 10.00 USD from alice to bob, in ten seconds:'));
    for (const line of holdCurl(url, key.secret)) screen.line(line);
    screen.line();
    screen.line(bold('Then show the balance of bob:'));
    screen.line(`  curl -s ${url}/v1/accounts/bob -H 'Authorization: Bearer ${key.secret}'`);
    screen.line();
  }
  screen.line('In another terminal:');
  for (const line of aligned(nextSteps(demo))) screen.line(line);
  screen.line();
  screen.line(dim('Payments run while this command runs. Ctrl-C stops it; the data stays.'));
}

/** The key is the second it is pasted in: another payment each time, and a double press is one payment. */
function holdCurl(url: string, secret: string): string[] {
  return [
    `  curl -s ${url}/v1/holds \\`,
    `    -H 'Authorization: Bearer ${secret}' \\`,
    `    -H "Idempotency-Key: hold-$(date +%s)" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"from": "alice", "to": "bob", "asset": "USD/2", "amount": "1000", "delay": "10s"}'`,
  ];
}

/** npx finds the command, in a clone too, and the Node that `npm ci` installed. With several tenants a command needs --tenant. */
function nextSteps(demo: string | null): string[][] {
  const usance = 'npx usance';
  return [
    [`${usance} payments${demo === null ? '' : ' --tenant demo'}`, 'list scheduled, settled and failed payments'],
    [`${usance} verify`, 'check every balance against its history'],
    [`${usance} doctor`, 'look at this machine and the database'],
    [`${usance} help`, 'everything else'],
  ];
}
