// The result of one check. `fail` means that usance does not work, or that money is at risk; `warn` that it works and an operator
// should know. Both say what to do.

export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly name: string;
  readonly level: Level;
  readonly says: string;
  /** The fix; null if there is no problem, or if `says` has it already. */
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
