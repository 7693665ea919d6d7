// The dashboard: the files of its build, served from memory. Only names that the build has are answered, so no path leads elsewhere. web/README.md
// describes which request gets what. Without a build, one page names the command that makes it.
import { hash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createConstant, isCompressed } from './compress.ts';
import { isKnown } from './conditional.ts';
import { pathOf } from './methods.ts';

/** Of a clone, and of the published package. */
const BUILDS = [join(import.meta.dirname, '../../web/dist'), join(import.meta.dirname, '../web')];

const INDEX = '/index.html';
const ASSETS = '/assets/';
/** A build in progress is looked at again after so long. */
const FRESH_FOR_MS = 1_000;

/** Paths of the API, which are never pages of the application. */
const API = /^\/(?:v1|docs|session|assets|openapi\.json|health|ready|metrics)(?:\/|$)/;

const TEXTS: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};
const BYTES: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export const SITE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const UNBUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>usance</title></head>
<body>
<h1>The dashboard is not built yet</h1>
<p>Run <code>npm run build:web</code> in the folder of usance, then reload this page.</p>
<p>The API works without it: see the <a href="/docs">API reference</a>.</p>
</body>
</html>
`;

interface File {
  readonly type: string;
  /** Of the bytes, without what a coding adds. */
  readonly tag: string;
  /** Null for bytes that are compressed already. */
  readonly text: string | null;
  body(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer>;
}

type Files = ReadonlyMap<string, File>;

export function addSite(app: FastifyInstance, given?: string): void {
  const build = createBuild(given === undefined ? BUILDS : [given]);

  app.get('/', async (request, reply) => send(request, reply, INDEX, await build()));
  // What no route has. The files cost nothing, so they do not count towards the limit of an address.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || (request.method !== 'GET' && request.method !== 'HEAD')) return;
    const path = pathOf(request);
    const files = await build();
    const isPage = !API.test(path) && files.has(INDEX) && wantsHtml(request);
    const name = path !== INDEX && files.has(path) ? path : isPage ? INDEX : null;
    if (name !== null) return send(request, reply, name, files);
  });
}

async function send(request: FastifyRequest, reply: FastifyReply, name: string, files: Files): Promise<FastifyReply> {
  // The names of assets change with each build, and a page is the same file under every path.
  request.siteRoute = name === INDEX ? '/' : name.startsWith(ASSETS) ? `${ASSETS}{file}` : name;
  if (name === INDEX) {
    reply.headers({ 'content-security-policy': SITE_POLICY, 'cross-origin-opener-policy': 'same-origin' });
  }
  reply.header('cache-control', name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache');
  const file = files.get(name) ?? UNBUILT_FILE;
  const coding = file.text !== null && isCompressed(request, file.text) ? '-gzip' : '';
  const tag = `"${file.tag}${coding}"`;
  reply.header('etag', tag).header('content-type', file.type);
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.send(await file.body(request, reply));
}

const wantsHtml = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

/** The files of the first build that exists, read again when its index has changed. */
function createBuild(folders: readonly string[]): () => Promise<Files> {
  let files: Files = new Map();
  let version = '';
  let checkedMs = -Infinity;
  const check = async (): Promise<Files> => {
    for (const folder of folders) {
      const index = await stat(join(folder, INDEX)).catch(() => null);
      if (index === null) continue;
      const found = `${folder} ${index.mtimeMs} ${index.size}`;
      if (found === version) return files;
      // A build may be writing these files now: then the next look reads them again.
      const read = await readBuild(folder).catch(() => null);
      if (read !== null) [files, version] = [read, found];
      return files;
    }
    [files, version] = [new Map(), ''];
    return files;
  };
  let running: Promise<Files> | null = null;
  return async () => {
    if (performance.now() - checkedMs < FRESH_FOR_MS) return files;
    running ??= check().finally(() => {
      checkedMs = performance.now();
      running = null;
    });
    return running;
  };
}

async function readBuild(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = path.slice(folder.length).replaceAll('\\', '/');
        return [name, fileOf(extname(entry.name), await readFile(path))] as const;
      }),
  );
  return new Map(files);
}

const UNBUILT_FILE = fileOf('.html', Buffer.from(UNBUILT));

function fileOf(extension: string, bytes: Buffer): File {
  const type = TEXTS[extension];
  const tag = hash('sha256', bytes, 'base64url').slice(0, 22);
  if (type === undefined) {
    return { type: BYTES[extension] ?? 'application/octet-stream', tag, text: null, body: async () => bytes };
  }
  const text = bytes.toString('utf8');
  return { type, tag, text, body: createConstant(text) };
}
