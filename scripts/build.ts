// What is published: JavaScript and types of src, and the migrations and views beside the code that reads them. From nothing every
// time, because a file that src has no more must not live on in the package.
import { spawnSync } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

await rm(join(root, 'dist'), { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
for (const folder of ['migrations', 'views'])
  await cp(join(root, 'src', 'db', folder), join(root, 'dist', 'db', folder), { recursive: true });
await chmod(join(root, 'dist', 'cli', 'main.js'), 0o755);
