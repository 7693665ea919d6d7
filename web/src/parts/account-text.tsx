// A text of the API with its accounts by name. Texts of failures have ids, because refs are personal data that can be erased.
import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { useAllowed } from '../app/session.tsx';
import { shortId } from './format.ts';
import { withInstants } from './text.tsx';
import { AccountLink } from './values.tsx';

const ACCOUNT = /"?(acct_[0-9a-z]{26})"?/;

export function WithAccounts({ text }: { readonly text: string }): ReactNode {
  const mayRead = useAllowed('ledger:read');
  const { data } = useRead('accounts.list', ['refs'], refsOfAccounts, { enabled: mayRead && ACCOUNT.test(text) });
  return (
    <span className="sentence">
      {text.split(ACCOUNT).map((part, index) => (
        <Fragment key={`${part}${index}`}>
          {index % 2 === 0 ? (
            withInstants(part)
          ) : mayRead ? (
            <AccountLink id={part} name={data?.get(part)} />
          ) : (
            <span className="mono" title={part}>
              {shortId(part)}
            </span>
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** Of the newest accounts, in one read; the others are shown by their ids. */
async function refsOfAccounts(): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.accounts.list({ limit: 100 }).page();
  return new Map(data.map(({ id, ref }) => [id, ref]));
}
