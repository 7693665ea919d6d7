/**
 * A person's name as it is compared: without regard to case, spacing and the forms that Unicode has for one character, so that "Jo Miller"
 * and "jo  miller" are one person. It is stored and shown as it was written.
 */
export function comparedName(person: string): string {
  return person.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}
