// The published package: JavaScript and types of src, the migrations and views beside the code that reads them, and the dashboard. From nothing
// every time, because a file that src no longer has must not live on in the package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
if (existsSync(join(root, 'web', 'index.html'))) {
  const web = spawnSync(process.execPath, [join(root, 'scripts', 'build-web.ts')], { cwd: root, stdio: 'inherit' });
  if (web.status !== 0) process.exit(1);
  await cp(join(root, 'web', 'dist'), join(root, 'dist', 'web'), { recursive: true });
}
