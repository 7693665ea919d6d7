#!/usr/bin/env node
// Starts "usance", if this Node is new enough.
import { readFileSync } from 'node:fs';
import { tooOldNode } from '../kernel/node-version.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const trouble = tooOldNode(process.versions.node);
if (trouble === null) {
  const { start } = await import('./start.ts');
  await start(version);
} else {
  process.stderr.write(`usance: ${trouble}\n`);
  process.exitCode = 3;
}
