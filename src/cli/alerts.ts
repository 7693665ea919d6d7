// `usance alerts`: thresholds that a tenant has crossed, open ones first.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { Alert, AlertStatus } from '../engine.ts';
import { ALERT_STATUSES, alertSentence } from '../engine.ts';
import { toTypeId } from '../kernel/index.ts';
import { inTenant } from './chosen-tenant.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, dim, red } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface AlertOptions extends CommonOptions, TenantOptions {
  readonly status?: AlertStatus;
}

export function addAlerts(program: Command): void {
  const alerts = program
    .command('alerts')
    .description('thresholds that a tenant has crossed: payouts, wallets, chains, webhooks')
    .addHelpText('after', '\nExample:\n  usance alerts');
  alerts
    .command('list', { isDefault: true })
    .description('list the newest 100 alerts')
    .addOption(new Option('--status <status>', 'only alerts with this status').choices(ALERT_STATUSES))
    .option(...TENANT_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance alerts list --status open')
    .action((options: AlertOptions) => run('alerts', options, (screen, config) => list(screen, config, options)));
}

function list(screen: Screen, config: Config, { status, ...options }: AlertOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const found = await tenant.alerts(status ? { status } : {});
    if (found.length === 0)
      screen.line(`${status === 'cleared' ? 'No alert was cleared' : 'No alert'} ${inTenant(tenant)}.`);
    for (const line of aligned(found.map(rowOf), '')) screen.line(line);
    screen.document({ alerts: found.map((alert) => ({ ...alert, id: toTypeId('alert', alert.id) })) });
    return EXIT.fine;
  });
}

const rowOf = (alert: Alert): string[] => [
  alert.clearedAt === null ? red('open') : dim('cleared'),
  `${alert.raisedAt.toISOString()}${alert.clearedAt === null ? '' : ` to ${alert.clearedAt.toISOString()}`}`,
  alert.kind,
  alertSentence(alert),
];
