// Reads a module of processors: it exports a list of definitions, as its default or as `processors`.
export interface LoadedProcessor {
  readonly name: string;
  readonly description: string;
  readonly processor: (
    event: unknown,
    execution: unknown,
    context: { readonly signal: AbortSignal; readonly tenantId: string },
  ) => unknown;
}

const EXPECTED = 'it must export a list of { name, description, processor }, as its default export or as "processors"';

/** Throws if the module exports something else. */
export function readModule(loaded: unknown): LoadedProcessor[] {
  const { default: byDefault, processors = byDefault } = loaded as Readonly<Record<string, unknown>>;
  if (!Array.isArray(processors) || processors.length === 0) throw new Error(EXPECTED);
  return processors.map((one: unknown) => {
    const { name, description = '', processor } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || typeof description !== 'string' || typeof processor !== 'function')
      throw new Error(EXPECTED);
    return { name, description, processor: processor as LoadedProcessor['processor'] };
  });
}
