// How lists of holds and payments are narrowed.
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { ListFilter, NotForRunNow, Payment, PaymentPage, PaymentStatus } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import { WithRefs } from '../account-refs.ts';
import type { Page } from '../cursor.ts';
import { before, stretch } from '../cursor.ts';
import { accountKey } from '../wire-format.ts';
import type { PageQuery } from '../schemas.ts';
import {
  AccountName,
  CREATED,
  MetadataFilter,
  Reference,
  expandQuery,
  instantIn,
  oneOf,
  pageQuery,
  readCreated,
} from '../schemas.ts';
import { EXPANDS } from './payment-shape.ts';

export const FILTERS = {
  account: Type.Optional({ ...AccountName, description: 'Payer or payee: id or ref.' } as typeof AccountName),
  execute_from: Type.Optional(instantIn('Due at this instant or later. Default: any.')),
  execute_before: Type.Optional(instantIn('Due before this instant. Default: any.')),
  reference: Type.Optional(Reference),
};

const LIST_FILTERS = {
  ...FILTERS,
  approval: Type.Optional(oneOf(['awaited', 'given'], { description: '`awaited`: payments that wait for approval.' })),
  ...CREATED,
  metadata: Type.Optional(MetadataFilter),
};

export const filterQuery = <S extends TSchema>(status: S) =>
  pageQuery({ status: Type.Optional(status), ...LIST_FILTERS, ...expandQuery(EXPANDS) });

/** Said of every list that is narrowed so. */
export const LOOKED_FOR =
  '`reference`, `account`, `approval=awaited`, a range of `created` (except with a test clock) and the status `scheduled` use an ' +
  'index. For the other filters a page reads at most 5,000 payments, so it can be short or empty without ' +
  'being the last: continue with `next_cursor`. An end user cannot filter by `metadata`, which belongs to the tenant.';

export async function pageOf<T>(
  query: PageQuery,
  read: (range: { readonly limit: number; readonly before?: string }) => Promise<PaymentPage>,
  show: (payment: Payment) => T,
): Promise<WithRefs<Page<T>>> {
  let known: PaymentPage['refs'];
  const page = await stretch(
    query,
    async (limit, mark) => {
      const { payments, refs, next } = await read({ limit, ...before(mark) });
      known = refs;
      return { rows: payments, next };
    },
    show,
  );
  return new WithRefs(page, known);
}

interface Filters {
  readonly account?: string;
  readonly execute_from?: string;
  readonly execute_before?: string;
  readonly reference?: string;
}

interface ListFilters extends Filters {
  readonly approval?: 'awaited' | 'given';
  readonly created_from?: string;
  readonly created_before?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export function readListFilter(query: ListFilters, status: readonly PaymentStatus[] | undefined): ListFilter {
  const { approval, metadata } = query;
  return {
    ...readFilter(query),
    ...(status ? { status } : {}),
    ...(approval === undefined ? {} : { approval }),
    ...readCreated(query),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function readFilter(query: Filters): Omit<ListFilter, NotForRunNow> {
  const { account, execute_from, execute_before, reference } = query;
  return {
    ...(account === undefined ? {} : { account: accountKey(account) }),
    ...(execute_from === undefined ? {} : { executeFrom: parseInstant(execute_from, 'execute_from') }),
    ...(execute_before === undefined ? {} : { executeBefore: parseInstant(execute_before, 'execute_before') }),
    ...(reference === undefined ? {} : { reference }),
  };
}
