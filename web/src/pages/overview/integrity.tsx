import type { ReactNode } from 'react';
import { useRelative } from '../../app/tenant-time.ts';
import { State } from '../../parts/state.tsx';
import type { Overview } from '../../../../src/client/index.ts';

/** Whether the books add up, as the continuous check last found. */
export function Integrity({ of: { integrity, freezes } }: { readonly of: Overview }): ReactNode {
  const relativeOf = useRelative();
  if (freezes.length > 0 || integrity?.state === 'frozen') return <State of="frozen" word="The books do not add up" />;
  const checked = integrity?.checkedAt ?? null;
  // Silence would look like a light that is green.
  if (integrity?.state === 'unknown') {
    const last =
      checked === null ? 'The books are not checked yet' : `The books were last checked ${relativeOf(checked, 'real')}`;
    return <State of="waiting" word={last} />;
  }
  if (integrity === undefined) return null;
  return (
    <State of="ok" word={`The books add up${checked === null ? '' : `, checked ${relativeOf(checked, 'real')}`}`} />
  );
}
