import { createHash } from 'node:crypto';
import { refuse } from './errors/index.ts';

/** Items as they come, so many at a time; the last chunk has what is left. */
export async function* inChunks<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * The items of a file's lines, so many at a time, each chunk with the SHA-256 of the file up to its end. The last chunk is empty and has the
 * digest of the whole file. A file that is read twice has the same digests twice, unless it was changed in between.
 */
export async function* inDigestedChunks<T>(
  lines: AsyncIterable<string>,
  read: (lines: AsyncIterable<string>) => AsyncIterable<T>,
  size: number,
): AsyncGenerator<{ readonly items: T[]; readonly digest: string }> {
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<string> {
    for await (const line of lines) {
      hash.update(`${line}\n`);
      yield line;
    }
  };
  for await (const items of inChunks(read(hashed()), size)) yield { items, digest: hash.copy().digest('hex') };
  yield { items: [], digest: hash.digest('hex') };
}

/** The second reading of a file, with the digests of the first: a chunk that differs is refused before it is yielded. */
export async function* inUnchangedChunks<T extends { readonly line: number }>(
  chunks: AsyncIterable<{ readonly items: T[]; readonly digest: string }>,
  digests: readonly string[],
): AsyncGenerator<T[]> {
  let read = 0;
  for await (const { items, digest } of chunks) {
    const [first] = items;
    if (digest !== digests[read]) {
      if (!first) refuse('IMPORT_INVALID/file_changed');
      refuse('IMPORT_INVALID/file_changed_from', { line: first.line });
    }
    read += 1;
    if (items.length > 0) yield items;
  }
}
