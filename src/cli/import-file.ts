// The file of an import: where its lines come from, what its format is, and how far it was read.
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Screen } from './screen.ts';
import { grouped } from './screen.ts';
import { UsageError } from './trouble.ts';

export type Format = 'csv' | 'jsonl';

export async function requireReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Without readline, whose iterator does not tell of a read that fails halfway. */
async function* linesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    onRead(chunk.length);
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export function formatOf(file: string): Format {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.jsonl' || extension === '.ndjson') return 'jsonl';
  throw new UsageError(`${file} ends in neither .csv nor .jsonl: say --format csv or --format jsonl`);
}

const BAR_WIDTH = 24;

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.floor(Math.min(1, share) * 100)} %`;
}

/** Opens a file that is read twice, and shows how far: read for the second time, its size is known and the writing begins. */
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
