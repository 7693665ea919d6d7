// Persons by name.

/**
 * A person's name as it is compared: without regard to case, spacing and the forms that Unicode has for one character, so that "Jo Miller"
 * and "jo  miller" are one person. It is stored and shown as it was written.
 */
export function comparedName(person: string): string {
  return person.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

/** The names of an actor that is no key: its own, with and without the prefix of commands, as they are compared. */
export const personsOf = (actor: string): string[] => [
  ...new Set([actor, actor.replace(/^cli:/, '')].map(comparedName)),
];

/** The key under which approval thresholds count a person, by the compared name. */
export const countedAs = (comparedPerson: string): string => `person:${comparedPerson}`;
