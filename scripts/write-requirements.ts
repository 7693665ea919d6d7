// Writes docs/reference/requirements.md. A test compares it with test/conformance/rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requirementsReference } from './requirements-reference.ts';

await writeFile(join(import.meta.dirname, '..', 'docs', 'reference', 'requirements.md'), requirementsReference());
