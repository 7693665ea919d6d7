// How the subcommands of `usance webhooks` are added.
import type { Command } from 'commander';

/** Adds a subcommand, with the options that they all take. */
export type Sub = (name: string, says: string, example: string, isDefault?: boolean) => Command;
