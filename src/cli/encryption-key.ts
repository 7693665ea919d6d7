// `usance encryption-key`: prints a new key for USANCE_ENCRYPTION_KEY. It opens no store and keeps nothing.
import type { Command } from 'commander';
import { newSecretKey, parseSecretKey } from '../engine.ts';
import type { CommonOptions } from './run.ts';
import { createScreen } from './screen.ts';
import { EXIT } from './trouble.ts';

export function addEncryptionKey(program: Command): void {
  program
    .command('encryption-key')
    .description('print a new key for USANCE_ENCRYPTION_KEY')
    .option('--json', 'print one JSON document with the key and its id')
    .addHelpText(
      'after',
      `
Example:
  usance encryption-key

Keep the key outside the database and its backups: values that are encrypted with it cannot be read without it.
To replace a key, set the new one as USANCE_ENCRYPTION_KEY and the old one as USANCE_ENCRYPTION_KEY_PREVIOUS in every
process, and remove the old one once "usance doctor" says that it is not needed.`,
    )
    .action((options: CommonOptions) => printKey(options));
}

function printKey(options: CommonOptions): void {
  const screen = createScreen(options.json === true);
  const key = newSecretKey();
  screen.line(key);
  screen.document({ key, id: parseSecretKey('key', key).id });
  process.exitCode = EXIT.fine;
}
