// An entry of the catalogue: a sentence, the version and schema of the data, and an example.
import type { TProperties, TSchema } from 'typebox';
import { object } from './fields.ts';
import type { PaymentTexts } from './payment-data.ts';

export interface EventDefinition {
  /** When it is emitted: one sentence. */
  readonly says: string;
  /** The version of the schema. A change that breaks a reader of the data gets the next one. */
  readonly version: number;
  /** The data as it is shown outside. */
  readonly data: TSchema;
  /** Values of the example on the catalogue page that differ from the examples of the fields. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Adds to stored data what was left out because it is the usual value. Default: nothing is left out. */
  readonly complete?: (stored: Data, resourceId: string, texts?: PaymentTexts) => Data;
  /** Whether the event shows texts of its payment that it does not store: they are read when it is shown. Default: no. */
  readonly showsTexts?: boolean;
  /** By version: the form of events that were appended with an earlier version, which are shown by it. */
  readonly earlier?: Readonly<Record<number, Pick<EventDefinition, 'data' | 'complete' | 'showsTexts'>>>;
}

export type Data = Readonly<Record<string, unknown>>;

/** An entry with version 1, whose data is stored as it is shown, apart from names and ids. */
export function event(says: string, fields: TProperties, example: Data = {}): EventDefinition {
  return { says, version: 1, data: object(fields), example };
}
