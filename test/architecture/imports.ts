// Folders show the order: what may be built on what. Calls go down, facts come up.
import { posix } from 'node:path';
import { codeLines, isCode } from './source.ts';
import type { Complaint, SourceFile } from './source.ts';

/** Lowest first. A module imports only modules before it. */
export const MODULES = [
  'kernel',
  'outbound',
  'db',
  'secrets',
  'queue',
  'tenants',
  'events',
  'audit',
  'ledger',
  'payments',
  'rails',
  'payouts',
  'schedules',
  'jobs',
  'webhooks',
  'notifications',
  'ops',
  'access',
] as const;

/** What stands above the modules, and all that each may see. Everything else of src is none of its business. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  'config.ts': ['kernel', 'config-values.ts', 'config-variables.ts', 'config-unread.ts'],
  'config-unread.ts': ['kernel', 'config-variables.ts'],
  'config-variables.ts': [
    'config-chains.ts',
    'config-notifications.ts',
    'config-outbound.ts',
    'config-payouts.ts',
    'config-variables-access.ts',
  ],
  'config-variables-access.ts': ['config-variables.ts'],
  'config-notifications.ts': [],
  'config-chains.ts': [],
  'config-outbound.ts': [],
  'config-payouts.ts': [],
  'config-values.ts': ['kernel'],
  'engine-types.ts': ['engine-sessions.ts', ...MODULES],
  'engine-sessions.ts': ['engine-authenticate.ts', 'engine-types.ts', ...MODULES],
  'engine-authenticate.ts': ['engine-types.ts', ...MODULES],
  'engine-checks.ts': MODULES,
  'engine-open.ts': ['config.ts', 'engine-types.ts', ...MODULES],
  'engine-workers.ts': ['engine-types.ts', ...MODULES],
  'engine-chains.ts': ['config.ts', 'engine-types.ts', ...MODULES],
  'engine-payouts.ts': ['engine-chains.ts', 'engine-types.ts', ...MODULES],
  'engine-exports.ts': ['engine-types.ts', 'engine-sessions.ts', 'engine-checks.ts', ...MODULES],
  'engine.ts': [
    'config.ts',
    'engine-authenticate.ts',
    'engine-chains.ts',
    'engine-types.ts',
    'engine-checks.ts',
    'engine-exports.ts',
    'engine-open.ts',
    'engine-payouts.ts',
    'engine-workers.ts',
    'engine-sessions.ts',
    ...MODULES,
  ],
  contract: ['engine.ts', 'kernel'],
  library: ['contract', 'client', 'engine.ts', 'kernel'],
  'index.ts': ['library', 'engine.ts', 'kernel'],
  testing: ['library', 'engine.ts'],
  api: ['contract', 'engine.ts', 'config.ts', 'kernel'],
  cli: ['api', 'library', 'client', 'engine.ts', 'config.ts', 'kernel'],
  // Runs in browsers: it is written from the OpenAPI document, and shares no code with what serves it.
  client: [],
};

/**
 * Imports past a module's `index.ts`: the program checks Node's version before it loads anything else, the library is built from parts of
 * the client that its `index.ts`, which is public, does not have, and so is a command, and a test world needs the engine of its library.
 */
const BESIDE_THE_DOOR: ReadonlySet<string> = new Set([
  'src/cli/main.ts src/kernel/node-version.ts',
  'src/testing/world.ts src/library/usance.ts',
  ...['dev', 'worker', 'demo-world/command'].map((file) => `src/cli/${file}.ts src/library/present.ts`),
  ...['dev', 'demo-world/command'].map((file) => `src/cli/${file}.ts src/library/usance.ts`),
  'src/cli/listen.ts src/client/inner.ts',
  ...['call', 'imports', 'present'].map((file) => `src/library/${file}.ts src/client/inner.ts`),
]);

export function checkImports(files: readonly SourceFile[]): Complaint[] {
  return files.filter(isCode).flatMap((file) => {
    const from = placeOf(file.path);
    if (!isKnown(from)) {
      return [`${file.path}: "${from}" has no place in the order. Find the module it belongs to, or add it to MODULES`];
    }
    return relativeImports(file).flatMap((target) => judge(file.path, from, target));
  });
}

function judge(path: string, from: string, target: string): Complaint[] {
  const to = placeOf(target);
  if (to === from) return [];
  const allowed = ABOVE[from];
  if (allowed && !allowed.includes(to)) {
    return [`${path} imports ${target}: ${from} sees only ${allowed.join(', ')}. Let engine.ts offer what it needs`];
  }
  if (!allowed && !isModule(to)) {
    return [`${path} imports ${target}, which stands above every module. Let engine.ts hand in what ${from} needs`];
  }
  if (!allowed && rank(to) > rank(from)) {
    return [
      `${path} imports ${target}, but ${from} comes before ${to}: a lower module never calls a higher one. ` +
        `Append an event in the same transaction, and let ${to} follow it`,
    ];
  }
  if (!to.endsWith('.ts') && target !== `src/${to}/index.ts` && !BESIDE_THE_DOOR.has(`${path} ${target}`)) {
    return [`${path} imports ${target}: a module is entered by its door. Export it from src/${to}/index.ts`];
  }
  return [];
}

/** `src/ledger/store.ts` is in ledger, `src/engine.ts` in itself. */
function placeOf(path: string): string {
  return path.split('/')[1] ?? path;
}

const rank = (place: string): number => MODULES.findIndex((module) => module === place);
const isModule = (place: string): boolean => rank(place) >= 0;
const isKnown = (place: string): boolean => isModule(place) || place in ABOVE;

const SPECIFIER = /\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g;

function relativeImports(file: SourceFile): string[] {
  const code = codeLines(file.text)
    .map(({ line }) => line)
    .join('\n');
  return [...code.matchAll(SPECIFIER)].map((match) => posix.join(posix.dirname(file.path), match[1] ?? ''));
}

/** Every module says in words what it is, and has one door. */
export function checkModuleShape(files: readonly SourceFile[]): Complaint[] {
  const paths = new Set(files.map((file) => file.path));
  const present = MODULES.filter((module) => files.some((file) => file.path.startsWith(`src/${module}/`)));
  return present.flatMap((module) => [
    ...(paths.has(`src/${module}/index.ts`) ? [] : [`src/${module} has no index.ts: it is the door others come in by`]),
    ...(paths.has(`src/${module}/README.md`)
      ? []
      : [`src/${module} has no README.md: say its nouns, states, invariants and tables`]),
  ]);
}
