// The frame of every page: navigation, search, tenant, and the state of the event stream.
import type { ReactNode } from 'react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LiveState } from '../api/live.ts';
import { followLive } from '../api/live.ts';
import { allows } from '../api/scope.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { formatInstant } from '../parts/format.ts';
import { PageHead } from '../parts/layout.tsx';
import { say } from '../parts/toast.tsx';
import { Failure } from './failure.tsx';
import { Help, useKeyboard } from './keyboard.tsx';
import type { NavGroup } from './routes.tsx';
import { NAVIGATION, ROUTES } from './routes.tsx';
import { matchPath } from './match-path.ts';
import { Link, useAddress } from './router.tsx';
import { Search } from './search.tsx';
import { switchTenant, useAllowed, useSession } from './session.tsx';
import { KeyForm } from './sign-in.tsx';
import { SignOut } from './sign-out.tsx';
import { useTenantTime } from './tenant-time.ts';
import { useTheme } from './theme.ts';

export function Shell(): ReactNode {
  const { key } = useSession();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const groups = useMemo(
    () =>
      NAVIGATION.map(({ label, items }) => ({
        label,
        items: items.filter(({ scope }) => scope === null || allows(key.scopes, scope)),
      })).filter(({ items }) => items.length > 0),
    [key.scopes],
  );
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const search = useCallback(() => setSearching(true), []);
  const [isHelpOpen, setHelpOpen] = useKeyboard(items, search);
  const { path } = useAddress();
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Sidebar groups={groups} path={path} />
      <div className="scrim" aria-hidden="true" onClick={() => setMenuOpen(false)} />
      <div className="column">
        <header className="top">
          <button
            type="button"
            className="quiet menu"
            aria-expanded={isMenuOpen}
            aria-label="Navigation"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            <Icon name="menu" />
          </button>
          <button type="button" className="find" onClick={search} aria-label="Search by id, reference or account">
            <Icon name="search" />
            <span>Search by id, reference or account</span>
            <kbd>/</kbd>
          </button>
          <Live />
          <TenantSwitch />
          <Account onHelp={() => setHelpOpen(true)} onSignOut={() => setLeaving(true)} />
        </header>
        <TestTime />
        <main id="content">
          <CurrentPage path={path} />
        </main>
      </div>
      {isSearching && <Search onClose={() => setSearching(false)} />}
      {isLeaving && <SignOut onClose={() => setLeaving(false)} />}
      {isHelpOpen && <Help items={items} onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Sidebar({ groups, path }: { readonly groups: readonly NavGroup[]; readonly path: string }): ReactNode {
  const isCurrent = (to: string): boolean => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <nav className="sidebar" aria-label="Pages">
      <Link to="/" className="brand">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        usance
      </Link>
      {groups.map(({ label, items }) => (
        <div key={label} className="group">
          <p aria-hidden="true">{label}</p>
          <ul aria-label={label}>
            {items.map((item) => (
              <li key={item.name}>
                <Link to={item.path} aria-current={isCurrent(item.path) ? 'page' : undefined}>
                  <Icon name={item.icon} />
                  {item.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="foot">
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
      </p>
    </nav>
  );
}

function CurrentPage({ path }: { readonly path: string }): ReactNode {
  const { key } = useSession();
  const main = useRef(path);
  useEffect(() => {
    // A new page begins at its top, and a screen reader hears its heading.
    if (main.current !== path) {
      window.scrollTo(0, 0);
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }
    main.current = path;
  }, [path]);
  for (const { name, path: pattern, scope, Page } of ROUTES) {
    const params = matchPath(pattern, path);
    if (!params) continue;
    if (scope !== null && !allows(key.scopes, scope)) return <Hidden scope={scope} />;
    return (
      <Failure key={path}>
        <Suspense
          fallback={
            <p className="loading" role="status">
              Loading the page …
            </p>
          }
        >
          <div data-page={name}>
            <Page params={params} />
          </div>
        </Suspense>
      </Failure>
    );
  }
  return (
    <>
      <PageHead
        title="No such page"
        lead={
          <>
            Nothing is at <code>{path}</code>.
          </>
        }
      />
      <p>
        <Link to="/">Open the overview</Link>, or press <kbd>/</kbd> to search.
      </p>
    </>
  );
}

function Hidden({ scope }: { readonly scope: string }): ReactNode {
  const { key } = useSession();
  return (
    <>
      <PageHead title="Not for this key" />
      <p>
        This page reads with the scope <code>{scope}</code>. The key "{key.name}" does not have it; an admin can create
        one that does.
      </p>
    </>
  );
}

const LIVE: Readonly<Record<LiveState, readonly [string, string]>> = {
  connecting: ['Connecting', 'Connecting to the event stream.'],
  live: ['Live', 'This page follows the event stream.'],
  polling: ['Polling', 'No event stream: this page is read again every few seconds.'],
};

function Live(): ReactNode {
  const { key, tenant } = useSession();
  const mayFollow = allows(key.scopes, 'events:read');
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (!mayFollow) return undefined;
    const controller = new AbortController();
    void followLive(`${tenant.id} ${key.id}`, controller.signal, setState);
    return () => controller.abort();
  }, [mayFollow, tenant.id, key.id]);
  if (!mayFollow) return null;
  const [word, title] = LIVE[state];
  return (
    <span className={`live ${state}`} title={title} role="status">
      <i aria-hidden="true" />
      <span>{word}</span>
    </span>
  );
}

/** In a test tenant that does not follow the real time: what time it is there, on every page, or why that is not known. */
function TestTime(): ReactNode {
  const time = useTenantTime();
  const mayRead = useAllowed('ops:read');
  if (time.kind === 'test')
    return (
      <section className="test-time" aria-label="Time of the tenant">
        <p>
          {time.hasClock ? 'Test clock' : 'Time of the tenant'}:{' '}
          <time dateTime={time.now}>{formatInstant(time.now)}</time>
        </p>
        <p className="soft">
          <span>
            {time.hasClock
              ? 'What is due, late or expired is so by this clock. '
              : 'What is due, late or expired is so by this time, which does not change since the test clock was deleted.'}
          </span>
          {time.hasClock && <Link to="/settings/clocks">Open the clock</Link>}
        </p>
      </section>
    );
  if (time.kind === 'real' || mayRead) return null;
  return (
    <section className="test-time" aria-label="Time of the tenant">
      <p>The time of this test tenant needs the scope ops:read: dates are shown instead of "in 3 days".</p>
    </section>
  );
}

const ADD = 'add';

function TenantSwitch(): ReactNode {
  const { tenant, tenants } = useSession();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <label className={`tenant kind-${tenant.kind}`}>
        <span className="visually-hidden">Tenant</span>
        <select
          value={tenant.id}
          onChange={({ target }) => {
            if (target.value === ADD) return setAdding(true);
            void switchTenant(target.value).catch(() =>
              say(`The tenant cannot be read; this is still ${tenant.name}.`),
            );
          }}
        >
          {tenants.map(({ id, name, kind }) => (
            <option key={id} value={id}>
              {name}
              {kind === 'test' ? ' (test)' : ''}
            </option>
          ))}
          <option value={ADD}>Add a tenant by its key …</option>
        </select>
      </label>
      {isAdding && (
        <Dialog title="Add a tenant" onClose={() => setAdding(false)}>
          <p className="soft">The tenant of the key joins this session. Each tab shows one tenant at a time.</p>
          <KeyForm onDone={() => setAdding(false)} />
        </Dialog>
      )}
    </>
  );
}

function Account({ onHelp, onSignOut }: { readonly onHelp: () => void; readonly onSignOut: () => void }): ReactNode {
  const { key, version } = useSession();
  const [theme, toggleTheme] = useTheme();
  return (
    <div className="account">
      <span className="who" title={`usance ${version}, key ${key.prefix}…`}>
        {key.person ?? key.name}
        <span className="soft">{key.role ?? 'own scopes'}</span>
      </span>
      <button
        type="button"
        className="quiet"
        onClick={toggleTheme}
        aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
      >
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button type="button" className="quiet help" onClick={onHelp} aria-label="Keyboard help">
        <kbd>?</kbd>
      </button>
      <button
        type="button"
        className="quiet"
        onClick={onSignOut}
        aria-haspopup="dialog"
        aria-label="Sign out"
        title="Sign out"
      >
        <Icon name="out" />
      </button>
    </div>
  );
}
