// `usance why`: one sentence that says why a payment has not been paid yet, and what would change that.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Why, WhyReason } from '../engine.ts';
import { showIds, toTypeId } from '../kernel/index.ts';
import { actorText } from './payment-lines.ts';
import { uuidOf } from './payments.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface WhyOptions extends CommonOptions, TenantOptions {}

export function addWhy(program: Command): void {
  program
    .command('why')
    .description('explain why a payment has not been paid yet, and what would change that')
    .argument('<id>', 'id of the payment, such as pay_01jd…')
    .option(...TENANT_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance why pay_01jd…')
    .action((id: string, options: WhyOptions) =>
      run('why', options, (screen, config) => explain(screen, config, id, options)),
    );
}

function explain(screen: Screen, config: Config, id: string, options: WhyOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const why = await tenant.whyPayment(uuidOf(id));
    screen.line(`${bold(sentenceOf(why))} (${why.code})`);
    for (const { sentence } of why.changes) screen.line(`  → ${sentence}`);
    for (const each of why.also) screen.line(`also: ${sentenceOf(each)} (${each.code})`);
    screen.document(documentOf(why));
    return EXIT.fine;
  });
}

const sentenceOf = ({ sentence, by }: WhyReason): string =>
  `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}${by === null ? '' : `, by ${actorText(by)}`}`;

const documentOf = ({ paymentId, ...why }: Why): object => ({
  payment: toTypeId('payment', paymentId),
  ...(showIds(why) as object),
});
