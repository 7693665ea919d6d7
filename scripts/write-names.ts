// Writes docs/reference/names.md. A test compares it with the table of names and every surface.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesReference } from './names-reference.ts';

await writeFile(join(import.meta.dirname, '..', 'docs', 'reference', 'names.md'), namesReference());
