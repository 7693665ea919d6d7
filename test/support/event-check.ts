// Holds events against the catalogue (src/events/schemas): what is appended must, once it is shown, fit the schema of its type.
import { Compile } from 'typebox/compile';
import { shownComplete } from '../../src/contract/event-data.ts';
import type { Fact } from '../../src/events/index.ts';
import { EVENT_CATALOGUE, definitionOf, eventVersion } from '../../src/events/index.ts';
import { toJson } from '../../src/kernel/index.ts';

/** Only the event that sets a text of a payment stores it: no other copy would be erased with it. */
const TEXTS = ['reference', 'metadata'] as const;
const sets = ({ changed }: Fact['data'], text: string): boolean => Array.isArray(changed) && changed.includes(text);

type Validator = ReturnType<typeof Compile>;

const validators = new Map<string, Validator>();
const ANY_REF = { get: () => 'ref' } as unknown as ReadonlyMap<string, string>;
const state = { isChecked: true, misfits: [] as string[] };

/** For files that test how events are stored, with data of their own: `unchecked()` at the top. */
export function unchecked(): void {
  state.isChecked = false;
}

export function startChecking(): void {
  state.isChecked = true;
  state.misfits = [];
}

export function noteMisfits(facts: readonly Fact[]): void {
  if (state.isChecked) state.misfits.push(...facts.flatMap((fact) => misfitOf(fact) ?? []));
}

/** What did not fit since the last call. */
export function takeMisfits(): string[] {
  const { misfits } = state;
  state.misfits = [];
  return misfits;
}

/** Why an event does not fit; null where it does. */
export function misfitOf({ type, resourceId, data: given }: Pick<Fact, 'type' | 'resourceId' | 'data'>): string | null {
  const version = eventVersion(type);
  const definition = definitionOf({ type, version });
  if (definition === undefined) return `the event ${type} is not in the catalogue in src/events/schemas`;
  let validator = validators.get(type);
  if (!validator) validators.set(type, (validator = Compile(EVENT_CATALOGUE[type].data)));
  const data = JSON.parse(toJson(given)) as Fact['data'];
  const copied = definition.showsTexts === true ? TEXTS.filter((text) => text in data && !sets(data, text)) : [];
  if (copied.length > 0) return `the event ${type} stores ${copied.join(' and ')} of the payment without having set it`;
  const shown = shownComplete({ type, version, resourceId, data }, ANY_REF);
  if (validator.Check(shown)) return null;
  const errors = [...validator.Errors(shown)].map(({ instancePath, message, params }) =>
    `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
  );
  return `the event ${type} does not fit its schema in src/events/schemas: ${errors.join('; ')}\n  as shown: ${JSON.stringify(shown)}`;
}
