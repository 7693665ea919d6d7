// Objects with many functions of which a caller uses one or two, such as the verbs of a tenant: a request has its own, and making all of
// them for each request took longer than most of the work. Here the functions of a module are made when the first of them is used.
//
// The names are getters of a prototype that all objects of one kind share, so `in`, `for … in` and calls work as with plain objects;
// `Object.entries` and a spread do not see them. `extended` and `mapped` are for those two.

/** Functions of the object's modules that are made already, by the number of the module. */
const MADE = Symbol('made');
const SCOPE = Symbol('scope');
const TARGET = Symbol('target');
const CHANGE = Symbol('change');

type Fields = Record<string | symbol, unknown>;
type Change = (value: unknown) => unknown;

/** Returns a maker of objects with the functions of all parts; a part gets the scope that the maker was given. */
export function lazyVerbs<Scope, V extends object>(
  parts: readonly ((scope: Scope) => object)[],
): (scope: Scope, own?: Partial<V>) => V {
  let prototype: object | null = null;
  return (scope, own) => {
    prototype ??= prototypeOf(
      parts.map((part) => Object.keys(part(scope))),
      (target, n) => {
        const made = target[MADE] as object[];
        return (made[n] ??= (parts[n] as (scope: Scope) => object)(target[SCOPE] as Scope)) as Fields;
      },
    );
    return Object.assign(Object.create(prototype) as Fields, { [SCOPE]: scope, [MADE]: [] }, own) as V;
  };
}

/** The object with further fields, as `{ ...object, ...fields }`. */
export function extended<V extends object, F extends object>(object: V, fields: F): V & F {
  const copy = Object.create(Object.getPrototypeOf(object) as object) as object;
  return Object.assign(copy, object, fields);
}

const MAPPED = new WeakMap<object, object>();

/** The object with each field changed, when it is used. */
export function mapped<V extends object>(object: V, change: Change): V {
  const from = Object.getPrototypeOf(object) as object;
  let prototype = MAPPED.get(from);
  if (!prototype) {
    prototype = prototypeOf([inheritedNames(from)], (target) => target[TARGET] as Fields, true);
    MAPPED.set(from, prototype);
  }
  const own = Object.entries(object).map(([name, value]: [string, unknown]) => [name, change(value)]);
  const made = Object.create(prototype) as Fields;
  return Object.assign(made, { [TARGET]: object, [CHANGE]: change }, Object.fromEntries(own)) as V;
}

/** All names of such an object, or of a plain one. */
export function namesOf(object: object): string[] {
  return [...new Set([...Object.keys(object), ...inheritedNames(Object.getPrototypeOf(object) as object)])];
}

function inheritedNames(prototype: object): string[] {
  return prototype === Object.prototype ? [] : Object.keys(prototype);
}

/** A prototype with a getter for each name, which takes the value out of the fields that it belongs to. */
function prototypeOf(
  names: readonly (readonly string[])[],
  fieldsOf: (target: Fields, part: number) => Fields,
  isMapped = false,
): object {
  const prototype = {};
  for (const [n, ofPart] of names.entries())
    for (const name of ofPart)
      Object.defineProperty(prototype, name, {
        enumerable: true,
        configurable: true,
        get(this: Fields) {
          const value = fieldsOf(this, n)[name];
          return isMapped ? (this[CHANGE] as Change)(value) : value;
        },
        // A field that is set is the object's own.
        set(this: Fields, value: unknown) {
          Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true });
        },
      });
  return prototype;
}
