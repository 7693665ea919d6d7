// A page that fails to render says so, and leaves the navigation usable.
import type { ReactNode } from 'react';
import { Component } from 'react';
import { Note } from '../parts/layout.tsx';

export class Failure extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Note tone="bad">
        <p>
          <strong>This page failed.</strong> {error instanceof Error ? error.message : 'Unknown error.'}
        </p>
        <p>
          <button type="button" onClick={() => window.location.reload()}>
            Load it again
          </button>
        </p>
      </Note>
    );
  }
}
