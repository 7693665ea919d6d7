// Builds the dashboard (web/) into web/dist. With --if-possible, which `prepare` uses, a clone without the application or without the
// development dependencies (`npm ci --omit=dev`) is left as it is: the server then names the command that builds it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const isOptional = process.argv.includes('--if-possible');
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

if (existsSync(join(root, 'web', 'index.html')) && existsSync(vite)) {
  const { status } = spawnSync(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
  // An installation works without the dashboard; what is wrong was printed.
  process.exitCode = isOptional ? 0 : (status ?? 1);
} else if (!isOptional) {
  console.error('The dashboard cannot be built: run npm ci in a clone that has web/index.html.');
  process.exitCode = 1;
}
