// Reads a module of processors: it exports a list of definitions, as its default or as `processors`.
import { existsSync } from 'node:fs';
import { errorText } from '../result.ts';

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
  const read = processors.map(readDefinition);
  const names = read.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`it exports two processors named "${twice}": give each its own name`);
  return read;
}

function readDefinition(one: unknown, index: number): LoadedProcessor {
  const { name, description = '', processor } = (one ?? {}) as Readonly<Record<string, unknown>>;
  const lack =
    typeof name !== 'string'
      ? 'no text `name`'
      : typeof processor !== 'function'
        ? 'no function `processor`'
        : typeof description !== 'string'
          ? 'a `description` that is no text'
          : null;
  if (lack !== null) throw new Error(`number ${index + 1} of its processors has ${lack}; ${EXPECTED}`);
  return { name, description, processor } as LoadedProcessor;
}

/** Why a module cannot be loaded. The message of a syntax error leaves out where it is; the first line of its stack has it. */
export function loadingError(error: unknown, file: string): string {
  if (!existsSync(file)) return 'there is no such file';
  if (!(error instanceof SyntaxError)) return errorText(error);
  const [where = ''] = error.stack?.split('\n') ?? [];
  const says = /^(?:file:|\/).*:\d+$/.test(where) ? `${errorText(error)}, at ${where}` : errorText(error);
  return OUTSIDE_MODULE.test(error.message) ? `${says}; ${AS_MODULE}` : says;
}

const OUTSIDE_MODULE = /outside a module|Unexpected token 'export'/;
const AS_MODULE = 'set "type": "module" in its package.json, or let its name end in .mts or .mjs';
