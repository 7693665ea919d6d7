// Writes docs/reference/errors.md and docs/reference/errors/. A test compares them with the catalogue.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorsReference } from './errors-reference.ts';

const REFERENCE = join(import.meta.dirname, '..', 'docs', 'reference');

await rm(join(REFERENCE, 'errors'), { recursive: true, force: true });
await mkdir(join(REFERENCE, 'errors'));
for (const [path, text] of errorsReference()) await writeFile(join(REFERENCE, path), text);
