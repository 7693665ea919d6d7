// Writes the recorded figures of the benches into README.md. A test compares them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFigures, withFigures } from '../bench/figures.ts';

const README = join(import.meta.dirname, '..', 'README.md');
await writeFile(README, withFigures(await readFile(README, 'utf8'), readFigures()));
