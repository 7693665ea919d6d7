// The build of the dashboard: small, complete, and allowed by the policy that it is served with.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const outDir = mkdtempSync(join(tmpdir(), 'usance-web-'));
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    root: join(import.meta.dirname, '../../web'),
    configFile: join(import.meta.dirname, '../../web/vite.config.ts'),
    logLevel: 'error',
    build: { outDir },
  });
});

const page = (): string => readFileSync(join(outDir, 'index.html'), 'utf8');
const asset = (name: string): string => readFileSync(join(outDir, name), 'utf8');

test('the page has no inline script or style, and names nothing of another host', () => {
  expect(page()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  expect(page()).not.toMatch(/https?:/);
  const styles = readdirSync(join(outDir, 'assets')).filter((name) => name.endsWith('.css'));
  for (const name of styles) expect(asset(`assets/${name}`), name).not.toMatch(/@import|url\((?!["']?data:)/);
});

test('the first load stays under 300 kB compressed', () => {
  const scripts = [...page().matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
  expect(scripts.length).toBeGreaterThan(1);
  const bytes = scripts.reduce((total, name) => total + gzipSync(asset(name)).length, gzipSync(page()).length);
  expect(bytes).toBeLessThan(300_000);
});
