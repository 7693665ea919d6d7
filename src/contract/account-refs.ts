// Every answer that shows the id of an account also shows its ref: `from` has `from_ref` beside it, `guardians` has
// `guardian_refs`. The schema of an answer says where ids are, so no handler adds them and none can forget one: the schema is
// extended when its route is made, and the answer is filled in after its handler, with one read for all refs of a page.
//
// With `expand` the account itself is beside its id too (`from_account`), in the schemas that name it as `x-expand`.
import type { Static, TSchema } from 'typebox';
import type { Account as LedgerAccount, Json, TenantVerbs } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { fromTypeId } from '../kernel/index.ts';
import { Account, showAccount } from './resources/account-shape.ts';
import { textOrNull } from './schemas.ts';

type Node = Readonly<Record<string, unknown>>;

/** The fields of an answer that are ids of accounts. */
export interface AccountPlan {
  readonly fields: readonly IdField[];
  readonly inner: readonly (readonly [name: string, plan: AccountPlan])[];
}

interface IdField {
  readonly name: string;
  /** `from_ref`, or `guardian_refs` of a list. */
  readonly ref: string;
  readonly isList: boolean;
  /** `from_account`, where it can be expanded. */
  readonly account: string | null;
}

const refOf = (name: string) =>
  textOrNull({
    description: `Ref of the account \`${name}\`. An end user gets only their own ref, and null for other accounts.`,
    examples: ['alice'],
  });
const refsOf = (name: string): Node => ({
  type: 'array',
  items: { type: ['string', 'null'] },
  description: `Refs of the accounts \`${name}\`, in the same order.`,
});

const EXTENDED = new WeakMap<object, object>();

/** The schema with the fields that are filled in. */
export function withAccountRefs<S extends TSchema>(schema: S): S {
  return extended(schema) as S;
}

function extended(schema: object): object {
  let found = EXTENDED.get(schema);
  if (!found) EXTENDED.set(schema, (found = extend(schema as Node)));
  return found;
}

function extend(schema: Node): Node {
  const { properties, items, anyOf } = schema;
  if (isNode(properties)) {
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const refs: string[] = [];
    const fields = Object.entries(properties).flatMap(([name, field]) => {
      const own = [name, extended(field as object)] as const;
      const id = idFieldOf(schema, name, field as Node);
      if (!id) return [own];
      if (required.includes(name)) refs.push(id.ref);
      const account = id.account === null ? [] : [[id.account, expandedAccount(name)] as const];
      return [own, [id.ref, id.isList ? refsOf(name) : refOf(name)] as const, ...account];
    });
    return { ...schema, properties: Object.fromEntries(fields), required: [...required, ...refs] };
  }
  if (isNode(items)) return { ...schema, items: extended(items) };
  return Array.isArray(anyOf) ? { ...schema, anyOf: anyOf.map((branch) => extended(branch as object)) } : schema;
}

const expandedAccount = (name: string): Node => ({
  anyOf: [extended(Account), { type: 'null' }],
  description: `Only if \`expand\` has \`${name}\`: the account. An end user gets only their own account, and null for others.`,
});

function idFieldOf(owner: Node, name: string, field: Node): IdField | null {
  const isList = isNode(field['items']) && isAccountId(field['items']);
  if (name === 'id' || !(isList || isAccountId(field) || branchesOf(field).some(isAccountId))) return null;
  const stem = isList ? name.replace(/s$/, '') : name.replace(/_id$/, '');
  const expands = Array.isArray(owner['x-expand']) && owner['x-expand'].includes(name);
  return { name, ref: isList ? `${stem}_refs` : `${stem}_ref`, isList, account: expands ? `${stem}_account` : null };
}

const isAccountId = (schema: Node): boolean => schema['x-id'] === 'account' && schema['x-code'] === 'ID_INVALID';
const branchesOf = ({ anyOf }: Node): Node[] => (Array.isArray(anyOf) ? (anyOf as Node[]) : []);
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The account fields of a handler's answer; null if it shows no account. */
export function accountPlanOf(schema: object): AccountPlan | null {
  const node = schema as Node;
  if (isNode(node['items'])) return accountPlanOf(node['items']);
  const branch = branchesOf(node)
    .map(accountPlanOf)
    .find((plan) => plan !== null);
  if (branch) return branch;
  if (!isNode(node['properties'])) return null;
  const properties = Object.entries(node['properties']) as [string, Node][];
  const fields = properties.flatMap(([name, field]) => idFieldOf(node, name, field) ?? []);
  const inner = properties.flatMap(([name, field]) => {
    const plan = accountPlanOf(field);
    return plan ? [[name, plan] as const] : [];
  });
  return fields.length === 0 && inner.length === 0 ? null : { fields, inner };
}

const PLAN_OF_ACCOUNT = accountPlanOf(Account);

export interface Known {
  /** Null for an account that the caller is not shown. */
  ref(id: string): string | null;
  /** Left out where it was not asked for. */
  account?(field: string, id: string): Json | undefined;
}

/** The value with its refs beside its ids. */
export function filled(plan: AccountPlan | null, value: unknown, known: Known): unknown {
  if (plan === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => filled(plan, item, known));
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    const inner = plan.inner.find(([each]) => each === name);
    result[name] = inner ? filled(inner[1], field, known) : field;
    const id = plan.fields.find((each) => each.name === name);
    if (!id) continue;
    if (Array.isArray(field)) result[id.ref] = field.map((each) => known.ref(String(each)));
    else result[id.ref] = typeof field === 'string' ? known.ref(field) : null;
    const account = id.account !== null && typeof field === 'string' ? known.account?.(id.name, field) : undefined;
    if (id.account !== null && account !== undefined) result[id.account] = account;
  }
  return result;
}

/** The ids of accounts in a value; of some fields only, where they are named. */
function idsIn(
  plan: AccountPlan | null,
  value: unknown,
  only: readonly string[] | null,
  found: Set<string>,
): Set<string> {
  if (plan === null || typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) for (const item of value) idsIn(plan, item, only, found);
  else {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const { name } of plan.fields)
      if (only === null || only.includes(name))
        for (const id of [fields[name]].flat()) if (typeof id === 'string') found.add(id);
    for (const [name, inner] of plan.inner) idsIn(inner, fields[name], only, found);
  }
  return found;
}

const key = (id: string): Uuid => fromTypeId('account', id);

/** The answer of a handler that knows some refs already: it read them with the rows. `showAccounts` reads the others. */
export class WithRefs<T> {
  readonly answer: T;
  readonly refs: ReadonlyMap<Uuid, string>;
  constructor(answer: T, refs: ReadonlyMap<Uuid, string> = NO_REFS) {
    this.answer = answer;
    this.refs = refs;
  }
}

const NO_REFS: ReadonlyMap<Uuid, string> = new Map();

/** The answer of a handler with refs, and with the accounts of the expanded fields. */
export async function showAccounts(
  plan: AccountPlan,
  answer: unknown,
  tenant: Pick<TenantVerbs, 'accountRefs' | 'accountsById'>,
  expand: readonly string[],
  read: ReadonlyMap<Uuid, string> = NO_REFS,
): Promise<unknown> {
  const ids = idsIn(plan, answer, null, new Set());
  const expanded = [...(expand.length === 0 ? [] : idsIn(plan, answer, expand, new Set()))];
  const accounts = expanded.length === 0 ? [] : await tenant.accountsById(expanded.map(key));
  const shown = new Map(accounts.map((account: LedgerAccount) => [account.id, showAccount(account)]));
  for (const account of shown.values()) idsIn(PLAN_OF_ACCOUNT, account, null, ids);
  const missing = [...ids].map(key).filter((id) => !read.has(id));
  const refs = missing.length === 0 ? NO_REFS : await tenant.accountRefs(missing);
  const ref = (id: string): string | null => read.get(key(id)) ?? refs.get(key(id)) ?? null;
  const known: Known = {
    ref,
    account: (field, id) => {
      if (!expand.includes(field)) return undefined;
      return (filled(PLAN_OF_ACCOUNT, shown.get(key(id)) ?? null, { ref }) as Json) ?? null;
    },
  };
  return filled(plan, answer, known);
}

/** The answer of a create, whose refs were read with its accounts. */
export function shownWithRefs<S extends TSchema, R>(
  schema: S,
  show: (row: R) => Static<S>,
): (row: R, refs: ReadonlyMap<Uuid, string>) => Json {
  const plan = accountPlanOf(schema);
  return (row, refs) => filled(plan, show(row), { ref: (id) => refs.get(key(id)) ?? null }) as Json;
}
