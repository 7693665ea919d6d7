// Announces the processors of this process: jobs can be created for them, and lists show when they were last alive.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { SetupError, isStorable } from '../kernel/index.ts';
import { LONGEST_DESCRIPTION, LONGEST_JOB_NAME, isName } from './job.ts';
import { upsertProcessors } from './lease-store.ts';

const EVERY_MS = 30_000;

export interface Announced {
  readonly name: string;
  readonly description: string;
  /** The one tenant that it serves. Left out: all. */
  readonly tenantId?: Uuid;
}

/** Throws a SetupError for a name that no job could have as its `processorName`, or a description that is too long. */
export function requireAnnounceable({ name, description }: Announced): void {
  if (!isName(name))
    throw new SetupError(
      `a processor needs a name of 1 to ${LONGEST_JOB_NAME} visible characters, without spaces around them`,
    );
  if (typeof description !== 'string' || description.length > LONGEST_DESCRIPTION || !isStorable(description))
    throw new SetupError(
      `the description of the processor "${name}" must be a text of at most ${LONGEST_DESCRIPTION} characters`,
    );
}

export class Announcer {
  #announcedAtMs = -Infinity;
  #names = '';

  /** Announces them if they changed, and at most every 30 seconds otherwise. */
  async announce(sql: Sql, processors: readonly Announced[]): Promise<void> {
    const names = JSON.stringify(processors.map(({ name, description, tenantId }) => [name, description, tenantId]));
    if (names === this.#names && performance.now() - this.#announcedAtMs < EVERY_MS) return;
    if (processors.length > 0) await upsertProcessors(sql, processors, EVERY_MS);
    this.#announcedAtMs = performance.now();
    this.#names = names;
  }
}
