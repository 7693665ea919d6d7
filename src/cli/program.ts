// The commands. Each file adds its own command here; run.ts is shared by all.
import { Command } from 'commander';
import { addApi } from './api.ts';
import { addAuditEvents } from './audit-events.ts';
import { addEncryptionKey } from './encryption-key.ts';
import { addExecutionCap } from './execution-cap.ts';
import { addExecutions } from './executions.ts';
import { addTestClocks } from './test-clocks.ts';
import { addChains } from './chains.ts';
import { addDemo } from './demo-world/command.ts';
import { addDev } from './dev.ts';
import { addDeadLetters } from './dead-letters.ts';
import { addDoctor } from './doctor.ts';
import { addFreezes } from './freezes.ts';
import { addAccounts } from './import-balances.ts';
import { addSubscriptions } from './import-subscriptions.ts';
import { addAlerts } from './alerts.ts';
import { addApiKeys } from './api-keys.ts';
import { addJobs } from './jobs.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addNotifications } from './notifications.ts';
import { addOutages } from './outages.ts';
import { addPayments } from './payments.ts';
import { addPayouts } from './payouts.ts';
import { addProcessor } from './processor.ts';
import { addScheduler } from './scheduler.ts';
import { addStop } from './stop.ts';
import { addTop } from './top/command.ts';
import { addTreasuryWallets } from './treasury-wallets.ts';
import { addUpcoming } from './upcoming.ts';
import { addVerify } from './verify.ts';
import { addReceipt } from './receipt.ts';
import { addWebhooks } from './webhooks.ts';
import { addWhy } from './why.ts';
import { addWorker } from './worker.ts';

const COMMANDS = [
  addDev,
  addDemo,
  addStop,
  addApi,
  addScheduler,
  addProcessor,
  addWorker,
  addPayments,
  addPayouts,
  addWhy,
  addReceipt,
  addDeadLetters,
  addOutages,
  addJobs,
  addExecutions,
  addListen,
  addWebhooks,
  addNotifications,
  addUpcoming,
  addTop,
  addApiKeys,
  addTestClocks,
  addVerify,
  addAuditEvents,
  addDoctor,
  addMigrate,
  addEncryptionKey,
  addAccounts,
  addSubscriptions,
  addFreezes,
  addExecutionCap,
  addChains,
  addAlerts,
  addTreasuryWallets,
];

/** A group of commands without a verb prints its help as an answer, on stdout and with exit code 0, as `usance` does. */
class AskedCommand extends Command {
  override createCommand(name?: string): Command {
    return new AskedCommand(name);
  }

  override help(): never {
    return super.help();
  }
}

/** The subcommand that runs if none is named has a mark. Commander does not show which one that is. */
function described(command: Command): string {
  const { parent } = command as unknown as { readonly parent: { readonly _defaultCommandName?: string | null } | null };
  const mark = parent?._defaultCommandName === command.name() ? ' (default)' : '';
  return `${command.summary() || command.description()}${mark}`;
}

export function createProgram(version: string): Command {
  const program = new AskedCommand('usance')
    .description('Moves money later, exactly once: scheduled payments on PostgreSQL.')
    .version(version)
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help for the commands and options.')
    // Before the commands are added: they inherit it. Ending the process is left to the last line, so that output is whole.
    .exitOverride()
    .configureHelp({ subcommandDescription: described })
    .addHelpText(
      'after',
      `
The store is the folder .usance of the working folder, on an embedded PostgreSQL that commands share, or the database
in DATABASE_URL. Commands print text, or with --json one JSON document. In a project or a clone, write npx usance.

Exit codes: 0 success · 1 the books are wrong, or the request was refused · 2 wrong usage ·
            3 a problem of the set-up (database, folder, port, schema) · 4 a bug`,
    );

  for (const add of COMMANDS) add(program, version);
  return program;
}
