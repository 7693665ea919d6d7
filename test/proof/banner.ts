// What a proof was made of, printed so that it can be made again: the commit, the seed, the sizes.
import { execFileSync } from 'node:child_process';

/** A new one each time, or the one to repeat: `PROOF_SEED=123 npm run proof`. */
export const SEED = Number(process.env['PROOF_SEED'] ?? Date.now() % 2 ** 31);

export function banner(what: string, facts: Readonly<Record<string, string | number>>): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const dirty =
    execFileSync('git', ['status', '--porcelain', 'src'], { encoding: 'utf8' }) === '' ? '' : ' and changes';
  const listed = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${what}: commit ${commit}${dirty}, ${listed.join(', ')}\n`);
}
