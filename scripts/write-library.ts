// Writes docs/reference/library.md, client.md, events.md and the pages of their resources.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryReference } from './library-reference.ts';

const reference = join(import.meta.dirname, '..', 'docs', 'reference');
await rm(join(reference, 'resources'), { recursive: true, force: true });
await mkdir(join(reference, 'resources'));
for (const [file, text] of await libraryReference()) await writeFile(join(reference, file), text);
