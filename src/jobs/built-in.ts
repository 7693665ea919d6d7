// Processors that are part of usance. A job for one of them is managed: the resource that owns it creates, changes and deletes it.
import { SetupError, refuse } from '../kernel/index.ts';
import type { RunnableProcessor } from './processor.ts';

export const BUILT_IN_PROCESSORS = ['webhook-delivery', 'notification', 'email'] as const;
export type BuiltInProcessor = (typeof BUILT_IN_PROCESSORS)[number];

export const isBuiltIn = (name: string): name is BuiltInProcessor =>
  (BUILT_IN_PROCESSORS as readonly string[]).includes(name);

/** For jobs of callers. */
export function refuseBuiltIn(processor: string): void {
  if (isBuiltIn(processor)) refuse('JOB_PROCESSOR_BUILT_IN', { param: 'processorName', processor });
}

/** For processors of an application: they cannot have the name of a built-in one. */
export function requireOwnName({ name, builtIn = false }: RunnableProcessor): void {
  if (isBuiltIn(name) && !builtIn)
    throw new SetupError(`"${name}" is the name of a built-in processor: give yours another name`);
}
