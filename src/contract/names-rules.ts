// The rules by which the names of an operation follow from `resource.verb`.
import { kebabCase, snakeCase } from '../kernel/index.ts';

const singular = (noun: string): string => noun.replace(/s$/, '');

/** `payments` is about a `payment`, `executionCap` about an `execution_cap`. */
export const nounOf = (resource: string): string => singular(snakeCase(resource));

/** `payments.runNow`: `payments run-now`. */
export const commandOf = (resource: string, verb: string): string => `${kebabCase(resource)} ${kebabCase(verb)}`;

/** `payments.cancel`: `payment.cancelled`; a verb with an object names it first: `account.tokens_revoked`. */
export function eventOf(resource: string, verb: string): string {
  const [word = '', ...object] = snakeCase(verb.replace('Many', '')).split('_');
  const happened = object[0] === 'now' ? [participle(word), 'now'] : [...object, participle(word)];
  return `${nounOf(resource)}.${happened.join('_')}`;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  set: 'set',
  run: 'run',
  cancel: 'cancelled',
  unfreeze: 'unfrozen',
};

function participle(verb: string): string {
  if (IRREGULAR[verb] !== undefined) return IRREGULAR[verb];
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

/** The verbs that are methods of HTTP. */
const PLAIN: Readonly<Record<string, string>> = {
  create: 'POST',
  list: 'GET',
  get: 'GET {id}',
  update: 'PATCH {id}',
  delete: 'DELETE {id}',
};

/** `payments.get`: `GET /payments/{id}`, `accounts.listTransfers`: `GET /accounts/{id}/transfers`, `payments.cancel`: `POST /payments/{id}/cancel`. */
export function routesOf(resource: string, verb: string): readonly string[] {
  const root = `/${kebabCase(resource)}`;
  // A resource that a tenant has once has no id.
  if (!resource.endsWith('s'))
    return verb === 'get' ? [`GET ${root}`] : ['POST', 'PATCH'].map((method) => `${method} ${root}`);
  if (verb === 'set') return [`POST ${root}`];
  const plain = PLAIN[verb]?.split(' ');
  if (plain) return [`${plain[0]} ${[root, ...plain.slice(1)].join('/')}`];
  const [, part] = /^(?:list|get)([A-Z]\w*)$/.exec(verb) ?? [];
  if (part !== undefined) return [`GET ${root}/{id}/${kebabCase(part.charAt(0).toLowerCase() + part.slice(1))}`];
  const path = kebabCase(verb.replace('Many', ''));
  return [verb.includes('Many') ? `POST ${root}/${path}` : `POST ${root}/{id}/${path}`];
}
