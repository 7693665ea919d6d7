// `usance receipt`: the events of a payment with their proof, as a file that docs/operating/verify-receipt.mjs checks.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { loadAnchors } from '../engine.ts';
import { SetupError } from '../kernel/index.ts';
import { uuidOf } from './payments.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface ReceiptOptions extends CommonOptions, TenantOptions {
  readonly anchor?: string;
}

export function addReceipt(program: Command): void {
  program
    .command('receipt')
    .description('print the receipt of a payment: its events, provable without the database')
    .argument('<id>', 'id of the payment, such as pay_01jd…')
    .option('--anchor <file>', 'lead to the last anchor in this file; default: the end of the chain')
    .option(...TENANT_OPTION)
    .addHelpText('after', '\nExample:\n  usance receipt pay_01jd… --anchor anchors.jsonl > receipt.json')
    .action((id: string, options: ReceiptOptions) =>
      run('receipt', { ...options, json: true }, (screen, config) => print(screen, config, id, options)),
    );
}

function print(screen: Screen, config: Config, id: string, options: ReceiptOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const anchor = options.anchor === undefined ? null : await lastAnchor(options.anchor, tenant.id);
    screen.document(await tenant.paymentReceipt(uuidOf(id), anchor === null ? {} : { anchor }));
    return EXIT.fine;
  });
}

async function lastAnchor(path: string, tenantId: string): Promise<bigint> {
  const own = (await loadAnchors(path)).filter((anchor) => anchor.tenant === tenantId);
  const last = own.toSorted((a, b) => (a.seq < b.seq ? -1 : 1)).at(-1);
  if (!last) throw new SetupError(`${path} has no anchor of this tenant: "usance audit-events anchor" prints one`);
  return last.seq;
}
