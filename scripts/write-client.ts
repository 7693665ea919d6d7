// Writes src/client/schema.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientSchema } from './client-schema.ts';

await writeFile(join(import.meta.dirname, '..', 'src', 'client', 'schema.ts'), await clientSchema());
