// `usance verify`: every invariant over the whole store, in one snapshot, while payments go on.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { CheckResult, Offender, Engine } from '../engine.ts';
import { loadAnchors } from '../engine.ts';
import { showIds, toTypeId } from '../kernel/index.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold, counted, dim, green, red } from './screen.ts';
import { EXIT } from './trouble.ts';

interface VerifyOptions extends CommonOptions {
  readonly anchor?: string;
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check the books, and the audit log against its seals')
    .option('--anchor <file>', 'check the hash chains of the audit log against the anchors in a file')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  usance verify --anchor anchors.jsonl\n\nExits with 1 if a check failed. Nothing is changed.',
    )
    .action((options: VerifyOptions) =>
      run('verify', options, (screen, config) => verify(screen, config, options.anchor)),
    );
}

async function verify(screen: Screen, config: Config, anchorFile?: string): Promise<number> {
  const anchors = anchorFile === undefined ? null : await loadAnchors(anchorFile);
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const { store } = engine;
    screen.line(`Checking ${store.embedded ? 'the books in' : 'the books at'} ${bold(store.place)}`);
    screen.line();
    const results = await engine.verify(
      (result) => {
        // Thrown between two checks, it gives the snapshot up.
        stop.throwIfAborted();
        screen.line(checkLine(result));
      },
      anchors ? { anchors } : {},
    );
    const wrong = results.filter((result) => result.offenders.length > 0);
    const tenants = new Map((await engine.tenants()).map((tenant) => [tenant.id, tenant.name]));
    for (const result of wrong) await showOffenders(screen, engine, tenants, result);
    screen.line();
    screen.line(summary(results));
    screen.document({
      ok: wrong.length === 0,
      rows: rowsOf(results),
      checks: results.map((result) => ({
        ...result,
        ok: result.offenders.length === 0,
        offenders: showIds(result.offenders),
      })),
    });
    return wrong.length === 0 ? EXIT.fine : EXIT.wrong;
  });
}

/** The last line, and all that `dev` shows. */
export function summary(results: readonly CheckResult[]): string {
  const wrong = results.filter((result) => result.offenders.length > 0);
  if (wrong.length === 0) {
    return `${green('The books add up:')} ${counted(results.length, 'check')} over ${counted(rowsOf(results), 'row')}.`;
  }
  const names = wrong.map((result) => result.name).join(', ');
  return `${red('The books do not add up:')} ${wrong.length} of ${counted(results.length, 'check')} found something wrong: ${names}.`;
}

function rowsOf(results: readonly CheckResult[]): bigint {
  return results.reduce((sum, result) => sum + result.rows, 0n);
}

function checkLine(result: CheckResult): string {
  const found = result.offenders.length;
  const mark = found === 0 ? green('ok   ') : red('WRONG');
  return `  ${mark}  ${result.says}  ${dim(`(${counted(result.rows, 'row')}${found === 0 ? '' : `, ${found} wrong`})`)}`;
}

const MOST_SHOWN = 20;

async function showOffenders(
  screen: Screen,
  engine: Engine,
  tenants: ReadonlyMap<string, string>,
  result: CheckResult,
): Promise<void> {
  screen.line();
  screen.line(`${bold(result.name)} failed, which checks that ${result.says}:`);
  for (const offender of result.offenders.slice(0, MOST_SHOWN)) {
    const tenant = tenants.get(offender.tenantId) ?? toTypeId('tenant', offender.tenantId);
    const asset = offender.asset === '' ? [] : [offender.asset];
    const details = Object.entries(showIds(offender.details) as object).map(
      ([name, value]) => `${name} ${shown(value)}`,
    );
    screen.line(`  ${[`tenant ${tenant}`, ...asset, ...(await refOf(engine, offender)), ...details].join(' · ')}`);
  }
  const more = result.offenders.length - MOST_SHOWN;
  if (more > 0) screen.line(`  … and ${more} more; use --json to print all`);
}

/** A detail can be an object: a limit, and what its event says. */
export function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
}

/** The ref of the account, because an id does not identify the owner to a reader. */
async function refOf(engine: Engine, offender: Offender): Promise<string[]> {
  const { account } = offender.details;
  if (typeof account !== 'string') return [];
  try {
    const tenant = await engine.tenant(offender.tenantId);
    return [(await tenant.account(account)).ref];
  } catch {
    // The violation may be that the account does not exist.
    return [];
  }
}
