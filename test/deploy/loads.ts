// Which files of src a command loads: its own file and everything that it imports, types aside.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms;

/** Files in `without` are neither loaded nor followed. */
export function filesLoadedBy(root: string, entry: string, without: readonly string[] = []): string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || without.includes(path)) return;
    seen.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, from, bare, later] of text.matchAll(IMPORT))
      visit(relative(root, join(root, dirname(path), from ?? bare ?? later ?? '')));
  };
  visit(entry);
  return [...seen].toSorted();
}

/** Whether a workflow's path filter lets a change of the file through: the last pattern that matches decides. */
export function isDeployed(patterns: readonly string[], file: string): boolean {
  let deployed = false;
  for (const pattern of patterns) {
    const glob = pattern.replace(/^!/, '');
    const source = glob.replaceAll('.', '\\.').replaceAll('**', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '.*');
    if (new RegExp(`^${source}$`).test(file)) deployed = !pattern.startsWith('!');
  }
  return deployed;
}
