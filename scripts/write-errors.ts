// Writes docs/reference/errors.md. A test compares it with the catalogue.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorsReference } from './errors-reference.ts';

await writeFile(join(import.meta.dirname, '..', 'docs', 'reference', 'errors.md'), errorsReference());
