// Versions of the HTTP API, by the date of the last change that a program could notice. docs/reference/versions.md has the policy.
import { refuse } from '../kernel/index.ts';

/** Every version that requests may name, oldest first. Answers are those of the last one. */
export const API_VERSIONS = ['2026-11-16'] as const;
export const API_VERSION = API_VERSIONS[API_VERSIONS.length - 1] ?? '';
export const VERSION_HEADER = 'Usance-Version';

/** Refuses a version that this server does not have: its answers could be other than the caller expects. */
export function requireApiVersion(given: string | readonly string[] | undefined): void {
  if (given === undefined || API_VERSIONS.some((version) => version === given)) return;
  refuse('VERSION_UNKNOWN', { param: VERSION_HEADER, known: API_VERSIONS });
}
