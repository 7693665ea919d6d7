// What looking at one thing gave. `fail` means that usance does not work, or that money is at risk; `warn` that it works
// and somebody should know. Both say what to do.

export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly name: string;
  readonly level: Level;
  readonly says: string;
  /** What to do about it; null when it is well, or when `says` says it already. */
  readonly todo: string | null;
}

export const ok = (name: string, says: string): Finding => ({ name, level: 'ok', says, todo: null });
export const warn = (name: string, says: string, todo: string): Finding => ({ name, level: 'warn', says, todo });
export const fail = (name: string, says: string, todo: string | null = null): Finding => ({
  name,
  level: 'fail',
  says,
  todo,
});
