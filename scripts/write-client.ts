// Writes src/client/schema.ts and src/library/resources.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientSchema, librarySchema } from './client-schema.ts';

const src = join(import.meta.dirname, '..', 'src');
await writeFile(join(src, 'client', 'schema.ts'), await clientSchema());
await writeFile(join(src, 'library', 'resources.ts'), await librarySchema());
