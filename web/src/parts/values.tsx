// Values in tables and facts: money, instants, ids and accounts.
import type { ReactNode } from 'react';
import { Fragment, useState } from 'react';
import { Link } from '../app/router.tsx';
import type { TimeOf } from '../app/tenant-time.ts';
import { useRelative } from '../app/tenant-time.ts';
import { codeOf, formatAmount, formatInstant, shortAddress, shortId } from './format.ts';
import { Icon } from './icons.tsx';

export function Money({ minor, asset }: { readonly minor: string; readonly asset: string }): ReactNode {
  return (
    <span className="amount">
      {formatAmount(minor, asset)}
      <span className="asset">{codeOf(asset)}</span>
    </span>
  );
}

/**
 * The relative time, with the exact one on hover, or the other way round. `of` says which time the instant is of: that of the tenant, which
 * a test clock may give, or the real one.
 */
export function When({
  at,
  exact = false,
  of = 'tenant',
}: {
  readonly at: string | null | undefined;
  readonly exact?: boolean;
  readonly of?: TimeOf;
}): ReactNode {
  const relativeOf = useRelative();
  if (at === null || at === undefined) return <span className="soft">–</span>;
  const [relative, instant] = [relativeOf(at, of), formatInstant(at)];
  return (
    <time dateTime={at} title={exact ? relative : `${instant} (${at})`} className="number">
      {exact ? instant : relative}
    </time>
  );
}

const PAGES: Readonly<Record<string, string>> = {
  pay: '/payments/',
  hold: '/payments/',
  acct: '/accounts/',
  sch: '/schedules/',
  sub: '/subscriptions/',
  job: '/jobs/',
  exe: '/executions/',
  whe: '/webhooks/',
  qte: '/quotes/',
  nch: '/notifications/',
};

/** The page of a resource by the prefix of its id; null if it has none. */
export function pageOf(id: string): string | null {
  const prefix = id.split('_')[0] ?? '';
  const page = PAGES[prefix];
  return page === undefined || !id.includes('_') ? null : page + id;
}

export function Id({ of, full = false }: { readonly of: string; readonly full?: boolean }): ReactNode {
  const page = pageOf(of);
  const text = full ? of : shortId(of);
  return page === null ? (
    <span className="mono" title={of}>
      {text}
    </span>
  ) : (
    <Link to={page} className="mono" title={of}>
      {text}
    </Link>
  );
}

export function CopyId({ of }: { readonly of: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(of).then(() => setCopied(true));
  };
  return (
    <span className="copyable">
      <span className="mono">{of}</span>
      <button type="button" className="quiet" onClick={copy} aria-label={`Copy ${of}`}>
        <Icon name="copy" size={14} />
        {copied && <span role="status">copied</span>}
      </button>
    </span>
  );
}

export function AccountLink({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string | null | undefined;
}): ReactNode {
  return <Link to={`/accounts/${id}`}>{name ?? <span className="mono">{shortId(id)}</span>}</Link>;
}

/** The payee of a payment: an account, several, or an address on a chain. */
export function Payees({
  of,
}: {
  readonly of: {
    readonly to: string | null;
    readonly toRef: string | null;
    readonly legs: readonly { readonly to: string; readonly toRef: string | null }[];
    readonly destinations: Readonly<Record<string, unknown>> | null;
  };
}): ReactNode {
  if (of.destinations !== null) return <Destinations of={of.destinations} />;
  if (of.to !== null) return <AccountLink id={of.to} name={of.toRef} />;
  const names = of.legs.map(({ to, toRef }) => toRef ?? shortId(to));
  return <span title={names.join(', ')}>{names.length} payees</span>;
}

/** A pattern of types of events: it breaks between types, not inside of one. */
export function Pattern({ of }: { readonly of: string }): ReactNode {
  return (
    <code className="pattern">
      {of.split(',').map((type, index) => (
        <Fragment key={type}>
          {index > 0 && (
            <>
              ,<wbr />
            </>
          )}
          {type}
        </Fragment>
      ))}
    </code>
  );
}

/** Addresses by chain. In a table one is enough: the others are on hover. */
export function Destinations({ of }: { readonly of: Readonly<Record<string, unknown>> }): ReactNode {
  const [first, ...rest] = Object.entries(of);
  if (first === undefined) return <span className="soft">–</span>;
  const [start = '', end = ''] = shortAddress(String(first[1])).split(/(?<=…)/);
  const all = Object.entries(of).map(([chain, address]) => `${chain}: ${String(address)}`);
  return (
    <span title={all.join('\n')}>
      <span className="mono pattern">
        {start}
        <wbr />
        {end}
      </span>
      <span className="soft"> on {rest.length === 0 ? first[0] : `${all.length} chains`}</span>
    </span>
  );
}
