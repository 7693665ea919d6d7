// The session decides what is shown: the sign-in, or the pages of a tenant.
import type { ReactNode } from 'react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { followSession, sessionState } from '../api/session.ts';
import { Toasts } from '../parts/toast.tsx';
import { SessionContext, readSession, signIn } from './session.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

export function App(): ReactNode {
  const { session, ended } = useSyncExternalStore(followSession, sessionState);
  const [linkError, setLinkError] = useState<string | null>(null);
  useEffect(() => {
    void start().catch((error: unknown) => setLinkError(error instanceof Error ? error.message : String(error)));
  }, []);
  if (session === undefined)
    return (
      <p className="splash" role="status">
        Reading the session …
      </p>
    );
  if (session === null) return <SignIn ended={ended} linkError={linkError} />;
  return (
    <SessionContext value={session}>
      <Shell key={session.tenant.id} />
      <Toasts />
    </SessionContext>
  );
}

let started: Promise<void> | undefined;

/** Once, although React runs effects twice while developing: a link works once. */
const start = (): Promise<void> => (started ??= openLinkOrSession());

async function openLinkOrSession(): Promise<void> {
  const link = new URLSearchParams(window.location.hash.slice(1)).get('link');
  if (link === null) return readSession();
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  try {
    await signIn({ link });
  } catch (error) {
    // A link that was used before may belong to the session that this browser still has.
    await readSession();
    if (sessionState().session === null) throw error;
  }
}
