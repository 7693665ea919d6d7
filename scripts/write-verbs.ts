// Writes docs/reference/verbs.md. A test compares it with the oracle of the matrix.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verbsReference } from './verbs-reference.ts';

await writeFile(join(import.meta.dirname, '..', 'docs', 'reference', 'verbs.md'), verbsReference());
