// The version of usance, from its package.json, which is two folders up in a clone and in the published package.
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

export const PACKAGE_VERSION = version;
