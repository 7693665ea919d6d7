// The file of an import: its lines, its format and the progress of reading it.
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Screen } from './screen.ts';
import { grouped } from './screen.ts';
import { UsageError } from './trouble.ts';

export type Format = 'csv' | 'jsonl';

/** The import reads the file twice, which is impossible for a pipe. */
export async function requireReadable(file: string): Promise<void> {
  const found = await access(file, constants.R_OK)
    .then(() => stat(file))
    .catch((error: unknown) => {
      throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
    });
  if (!found.isFile())
    throw new UsageError(
      `${file} is not a regular file: the import reads it twice, so save it as a regular file first`,
    );
}

/** Longer lines are not records, and cost the square of their length. */
const LONGEST_LINE = 1_048_576;

/** Without readline, whose iterator does not report a read that fails halfway. */
async function* linesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    onRead(chunk.length);
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
    line += lines.length;
    if (rest.length > LONGEST_LINE) throw new UsageError(`${file}: line ${line} is longer than 1 MB`);
  }
  if (rest !== '') yield rest;
}

export function formatOf(file: string): Format {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.jsonl' || extension === '.ndjson') return 'jsonl';
  throw new UsageError(`${file} ends in neither .csv nor .jsonl: give --format csv or --format jsonl`);
}

const BAR_WIDTH = 24;

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.floor(Math.min(1, share) * 100)} %`;
}

/** Opens a file that is read twice and shows the progress: on the second read its size is known and writing begins. */
export function followed(
  screen: Screen,
  file: string,
  stop: AbortSignal,
): { open: () => AsyncIterable<string>; onProgress: (lines: number) => void } {
  let [opened, done] = [0, 0];
  let bytes = { read: 0, first: 0 };
  return {
    open: () => {
      opened += 1;
      bytes = { read: 0, first: opened === 1 ? 0 : bytes.read };
      return linesOf(file, (length) => (bytes.read += length));
    },
    onProgress: (lines) => {
      stop.throwIfAborted();
      done += lines;
      screen.progress(`${bar(bytes.first === 0 ? 1 : bytes.read / bytes.first)} ${grouped(done)} lines`);
    },
  };
}
