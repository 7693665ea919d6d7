#!/usr/bin/env node
// Starts "usance", if this Node is new enough.
import { readFileSync } from 'node:fs';
import { tooOldNode } from './node-version.ts';

const { version, engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

const trouble = tooOldNode(process.versions.node, engines.node);
if (trouble === null) {
  const { start } = await import('./start.ts');
  await start(version);
} else {
  process.stderr.write(trouble);
  process.exitCode = 3;
}
