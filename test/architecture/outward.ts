// Connections to the outside are opened in src/outbound only, where they are judged.
import { codeLines, isCode } from './source.ts';
import type { Complaint, SourceFile } from './source.ts';

/** Files outside src/outbound that use a module of the network, and what each uses it for. */
export const NAMED: Readonly<Record<string, string>> = {
  'src/queue/listen-connection.ts': 'the connection to PostgreSQL that listens',
  'src/jobs/lease-thread.ts': 'the connection to PostgreSQL of a worker’s heartbeat',
};
/** pg connects to PostgreSQL. */
const PG = /^src\/(db|queue)\//;

/** Values of these modules that open no connection: tests of texts, and servers that listen. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  net: ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'createServer'],
  http: ['createServer', 'STATUS_CODES'],
};

const MODULE = String.raw`'(?:node:)?(net|tls|http|https|http2|dgram|dns|dns/promises|inspector|undici|nodemailer|pg)(?:/[^']*)?'`;
const STATIC = new RegExp(String.raw`\b(import|export)\s+(type\s+)?([^'";]*?)\s*from\s*${MODULE}`, 'g');
const DYNAMIC = new RegExp(String.raw`\b(?:import|require|getBuiltinModule)\s*\(\s*${MODULE}`, 'g');
const BARE = new RegExp(String.raw`\bimport\s+${MODULE}`, 'g');
const GLOBAL = /(?<![.\w])fetch\(|\bglobalThis\.fetch\b|=\s*fetch\b|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\(/g;

export function checkOutward(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter((file) => isCode(file) && !/^src\/(outbound|client)\//.test(file.path) && !(file.path in NAMED))
    .flatMap((file) => outwardIn(file).map((what) => complaint(file, what)));
}

const complaint = (file: SourceFile, what: string): Complaint =>
  `${file.path} uses ${what}: only src/outbound opens connections to the outside, because it judges where they go. ` +
  `Take an Outbound (a tenant's destination), or fetchForOperator (one of the operator)`;

function outwardIn(file: SourceFile): string[] {
  const code = codeLines(file.text)
    .map(({ line }) => line)
    .join('\n');
  const isOther = (module: string): boolean => !(module === 'pg' && PG.test(file.path));
  const imported = [...code.matchAll(STATIC)].flatMap(([, , type, names = '', module = '']) => {
    if (type !== undefined || !isOther(module)) return [];
    const values = names
      .replaceAll(/[{}]/g, ' ')
      .split(',')
      .map((name) => name.trim().replace(/\s+as\s+.*$/, ''))
      .filter((name) => name !== '' && !name.startsWith('type ') && !HARMLESS[module]?.includes(name));
    return values.length > 0 ? [`${values.join(', ')} of ${module}`] : [];
  });
  const loaded = [...code.matchAll(DYNAMIC), ...code.matchAll(BARE)].flatMap(([, module = '']) =>
    isOther(module) ? [module] : [],
  );
  return [...imported, ...loaded, ...[...code.matchAll(GLOBAL)].map(([text]) => text.trim())];
}
