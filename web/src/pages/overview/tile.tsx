import type { ReactNode } from 'react';
import { Link } from '../../app/router.tsx';
import { formatCount } from '../../parts/format.ts';

/** One number that leads to its list. */
export function Tile({
  label,
  to,
  value,
  isExact = true,
  tone,
  note,
}: {
  readonly label: string;
  readonly to: string;
  readonly value: number;
  /** False: there is more than was counted. */
  readonly isExact?: boolean;
  readonly tone?: 'warn' | 'bad' | undefined;
  readonly note: ReactNode;
}): ReactNode {
  return (
    <Link to={to} className={tone === undefined ? 'tile' : `tile ${tone}`}>
      <span className="label">{label}</span>
      <span className="value number">
        {!isExact && <span className="bound">at least </span>}
        {formatCount(value)}
      </span>
      <span className="note-line small">{note}</span>
    </Link>
  );
}
