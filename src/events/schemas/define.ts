// An entry of the catalogue: what happened, the version of the schema, and the schema of the data.
import type { TProperties, TSchema } from 'typebox';
import { object } from './fields.ts';

export interface EventDefinition {
  /** When it is emitted: one sentence. */
  readonly says: string;
  /** The version of the schema. A change that breaks a reader of the data gets the next one. */
  readonly version: number;
  /** The data as it is shown outside. */
  readonly data: TSchema;
  /** What the example on the catalogue page has instead of the examples of the fields. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The stored data with everything that was left out because it is the usual value. Default: it is stored whole. */
  readonly whole?: (stored: Data, resourceId: string) => Data;
}

export type Data = Readonly<Record<string, unknown>>;

/** Version 1. */
export function event(says: string, fields: TProperties, example: Data = {}): EventDefinition {
  return { says, version: 1, data: object(fields), example };
}
