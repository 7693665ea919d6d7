// A page for each error code, from the catalogue: for /docs and for docs/reference/errors. The example of the entry is rendered by the
// code that responds to requests.
import type { Code, Entry } from '../../kernel/index.ts';
import { CATALOGUE, COUNTED, EXAMPLE_REQUEST_ID, exampleOf } from '../../kernel/index.ts';
import type { Problem } from '../../contract/index.ts';
import { problemFrom } from '../problem.ts';

export interface ErrorPage {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly remedy: string;
  /** The sentence of each reason, with its fields in braces; one without a name where the code has one sentence. */
  readonly sentences: readonly { readonly reason: string | null; readonly sentence: string }[];
  readonly example: Problem;
}

export const errorPages = (): ErrorPage[] =>
  Object.entries<Entry>(CATALOGUE).map(([code, entry]) => page(code as Code, entry));

function page(code: Code, entry: Entry): ErrorPage {
  const { title, status, retryable, cause, remedy } = entry;
  return {
    code,
    title,
    status,
    retryable,
    cause,
    remedy,
    sentences: sentencesOf(entry).map(({ reason, sentence }) => ({ reason, sentence: withoutKinds(sentence) })),
    example: problemFrom(exampleOf(code), EXAMPLE_REQUEST_ID),
  };
}

function sentencesOf({ detail }: Entry): { reason: string | null; sentence: string }[] {
  if (typeof detail === 'object') return Object.entries(detail).map(([reason, sentence]) => ({ reason, sentence }));
  return [{ reason: null, sentence: detail }];
}

const withoutKinds = (sentence: string): string =>
  sentence.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, kind: string | undefined) =>
    kind !== undefined && COUNTED.has(kind) ? `{${name}} ${kind}` : `{${name}}`,
  );
