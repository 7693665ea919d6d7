// Writes .env.example and docs/reference/configuration.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configurationPage, envExample } from './configuration.ts';

const root = join(import.meta.dirname, '..');

await writeFile(join(root, '.env.example'), envExample());
await writeFile(join(root, 'docs', 'reference', 'configuration.md'), configurationPage());
