import { join } from 'node:path';
import { defineConfig } from 'vite';

// The server that `vite web` sends calls to.
const api = process.env['USANCE_API'] ?? 'http://127.0.0.1:3001';

// The dashboard: hashed files, nothing inline (the policy of the server allows neither inline scripts nor data URLs as scripts).
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark their modules for frameworks with server components; here everything runs in the browser.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/session', '/docs', '/openapi.json'].map((path) => [path, { target: api, changeOrigin: false }]),
    ),
  },
});
