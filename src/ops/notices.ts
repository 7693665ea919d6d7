// Lines for the operator about work that a loop could not do. They name a resource by its TypeID, as lists and commands do.
import type { IdKind, Uuid } from '../kernel/index.ts';
import { describeError, toTypeId } from '../kernel/index.ts';

type Notice = (id: Uuid, error: unknown) => void;

export interface Notices {
  /** Work that fails whenever it is tried. */
  poisoned(kind: IdKind): Notice;
  /** Work that is tried again later. `what` names it, by default by its kind. */
  setAside(kind: IdKind, what?: string): Notice;
}

export function noticesTo(onNotice: ((line: string) => void) | undefined): Notices {
  return {
    poisoned: (kind) => (id, error) =>
      onNotice?.(`${kind} ${toTypeId(kind, id)} could not be executed: ${describeError(error)}`),
    setAside:
      (kind, what = kind) =>
      (id, error) =>
        onNotice?.(`${what} ${toTypeId(kind, id)} was set aside: ${describeError(error)}`),
  };
}
