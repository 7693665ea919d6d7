// Options and helpers of the subcommands of `usance webhooks`.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { TenantHandle } from '../engine.ts';
import type { DryRunOption } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { chosenTenant } from './tenant.ts';

export interface WebhookOptions extends CommonOptions, TenantOptions {}
export interface ChangeOptions extends WebhookOptions, DryRunOption {}

/** Adds a subcommand, with the options that they all take. */
export type Sub = (name: string, says: string, example: string, isDefault?: boolean) => Command;

export function withTenant(
  screen: Screen,
  config: Config,
  options: WebhookOptions,
  work: (tenant: TenantHandle) => Promise<number>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => work(await chosenTenant(engine, options)));
}
