// How lists of holds and payments are narrowed.
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { ListFilter, Payment, PaymentPage, PaymentStatus } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import type { Page } from '../cursor.ts';
import { before, stretch } from '../cursor.ts';
import { accountKey } from '../names.ts';
import type { PageQuery } from '../schemas.ts';
import { AccountName, InstantIn, Reference, oneOf, pageQuery } from '../schemas.ts';

export const FILTERS = {
  account: Type.Optional({ ...AccountName, description: 'Payer or payee: id or ref.' } as typeof AccountName),
  execute_from: Type.Optional(InstantIn),
  execute_before: Type.Optional(InstantIn),
  reference: Type.Optional(Reference),
  approval: Type.Optional(oneOf(['awaited', 'given'], { description: '`awaited`: what waits for a second person.' })),
};

export const filterQuery = <S extends TSchema>(status: S) => pageQuery({ status: Type.Optional(status), ...FILTERS });

/** Said of every list that is narrowed so. */
export const LOOKED_FOR =
  '`reference`, `account`, `approval=awaited` and a status of `scheduled` are looked up; the other filters are looked for backwards in ' +
  'time, 20,000 payments at most for a page: one that fits little may give a page that is short or empty, and `next_cursor` goes on behind it.';

export const pageOf = <T>(
  query: PageQuery,
  read: (range: { readonly limit: number; readonly before?: string }) => Promise<PaymentPage>,
  show: (payment: Payment) => T,
): Promise<Page<T>> =>
  stretch(
    query,
    async (limit, mark) => {
      const { payments, next } = await read({ limit, ...before(mark) });
      return { rows: payments, next };
    },
    show,
  );

interface Filters {
  readonly account?: string;
  readonly execute_from?: string;
  readonly execute_before?: string;
  readonly reference?: string;
  readonly approval?: 'awaited' | 'given';
}

export function readFilter(query: Filters, status: PaymentStatus | undefined): ListFilter {
  const { account, execute_from, execute_before, reference, approval } = query;
  return {
    ...(status ? { status } : {}),
    ...(account === undefined ? {} : { account: accountKey(account) }),
    ...(execute_from === undefined ? {} : { executeFrom: parseInstant(execute_from, 'execute_from') }),
    ...(execute_before === undefined ? {} : { executeBefore: parseInstant(execute_before, 'execute_before') }),
    ...(reference === undefined ? {} : { reference }),
    ...(approval === undefined ? {} : { approval }),
  };
}
