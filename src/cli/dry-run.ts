// `--dry-run` of commands that change something: the verb runs, its postings are printed, and everything is rolled back.
import type { DryRun, TenantHandle, TenantVerbs } from '../engine.ts';
import type { Posting, Uuid } from '../kernel/index.ts';
import { formatAmount, showIds, toTypeId } from '../kernel/index.ts';
import type { Screen } from './screen.ts';
import { green } from './screen.ts';

export const DRY_RUN_OPTION = ['--dry-run', 'print the outcome and the postings, and change nothing'] as const;

export interface DryRunOption {
  readonly dryRun?: boolean;
}

/** Runs the verbs, for real or dry, and prints the outcome. `document` is printed with --json. */
export async function change<T>(
  screen: Screen,
  tenant: TenantHandle,
  { dryRun = false }: DryRunOption,
  work: (verbs: TenantVerbs) => Promise<T>,
  shown: (result: T) => { readonly line: string; readonly document: object },
): Promise<T> {
  if (!dryRun) {
    const result = await work(tenant);
    const { line, document } = shown(result);
    screen.line(`${green('Done:')} ${line}`);
    screen.document(document);
    return result;
  }
  const dry = await tenant.dryRun(work);
  printDryRun(screen, dry, shown(dry.result));
  return dry.result;
}

/** Prints the outcome of a dry run, its postings and, with --json, the types of its events. */
export function printDryRun(
  screen: Screen,
  { postings, events, refs }: Omit<DryRun<unknown>, 'result'>,
  { line, document }: { readonly line: string; readonly document: object },
): void {
  screen.line(`Dry run, nothing was changed: ${line}`);
  for (const posting of postings) screen.line(`  ${describe(posting, refs)}`);
  screen.document({ dryRun: true, result: document, postings: postings.map((one) => described(one, refs)), events });
}

function describe(posting: Posting, refs: ReadonlyMap<Uuid, string>): string {
  const amount = formatAmount(posting.amount, posting.asset);
  const name = (id: Uuid): string => refs.get(id) ?? toTypeId('account', id);
  if (posting.type !== 'transfer') return `${posting.type} ${amount} of ${name(posting.account)}`;
  return `transfer ${amount} from ${name(posting.from)} to ${name(posting.to)}`;
}

const described = (posting: Posting, refs: ReadonlyMap<Uuid, string>): unknown =>
  showIds(
    posting.type === 'transfer'
      ? { ...posting, fromRef: refs.get(posting.from) ?? null, toRef: refs.get(posting.to) ?? null }
      : { ...posting, accountRef: refs.get(posting.account) ?? null },
  );
