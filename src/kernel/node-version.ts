// The oldest Node that usance runs on. Commands load this file before anything that an older Node cannot parse, so it imports nothing
// and uses nothing newer than Node 14.

/** The same as `engines.node` in package.json. */
export const OLDEST_NODE = '22.18';

/** The message for a Node that is too old; null for any other. */
export function tooOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Node ${version} is too old: install Node ${OLDEST_NODE} or newer`;
}
