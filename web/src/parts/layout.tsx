// The parts that pages are made of: a heading, panels, facts and notes.
import type { ReactNode } from 'react';
import { Fragment, useEffect, useRef } from 'react';
import { Link } from '../app/router.tsx';

export function PageHead({
  title,
  lead,
  state,
  back,
  children,
}: {
  readonly title: string;
  /** The list that the page belongs to. */
  readonly back?: readonly [label: string, path: string];
  readonly lead?: ReactNode;
  readonly state?: ReactNode;
  /** The actions. */
  readonly children?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · usance`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        {back !== undefined && (
          <p className="back small">
            <Link to={back[1]}>{back[0]}</Link>
          </p>
        )}
        <h1 tabIndex={-1}>
          {title} {state}
        </h1>
        {lead !== undefined && <p className="soft lead">{lead}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </header>
  );
}

export function Panel({
  title,
  note,
  actions,
  flush = false,
  children,
}: {
  readonly title?: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** The content reaches the border, as a table does. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className={flush ? 'panel flush' : 'panel'}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {note !== undefined && <span className="soft small">{note}</span>}
          {actions !== undefined && <div className="actions">{actions}</div>}
        </header>
      )}
      <div className="content">{children}</div>
    </section>
  );
}

/** Tabs of one page, kept in its address. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly to: string; readonly isCurrent: boolean }[];
}): ReactNode {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    // More tabs than a phone has room for: the current one is brought to the middle, without moving the page.
    const [row, tab] = [nav.current, nav.current?.querySelector('[aria-current]')];
    if (!row || !tab) return;
    const [all, own] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
    row.scrollLeft += own.left - all.left - (all.width - own.width) / 2;
  }, [current]);
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ name, to, isCurrent }) => (
        <Link key={name} to={to} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

export type FactRow = readonly [name: string, value: ReactNode];

/** Names and values; rows without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly (FactRow | null | false)[] }): ReactNode {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row && (
            <Fragment key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function Note({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warn' | 'bad' | 'good';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={`note ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      {children}
    </div>
  );
}

export function Data({ of }: { readonly of: unknown }): ReactNode {
  return <pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre>;
}
