// One requirement of the designs that usance combines, and what shows that it holds. docs/reference/requirements.md is made of these.

/** Parts of the product that do not exist yet. */
export type Part = 'payouts' | 'chains' | 'brokers' | 'dashboard';

export type Proof =
  /** `scenario`: of those that the test is run for. */
  | { readonly file: string; readonly title: string; readonly scenario?: string }
  | { readonly command: string }
  | { readonly waits: Part }
  /** Nothing shows it yet: what is missing. */
  | { readonly open: string };

export interface Requirement {
  readonly id: string;
  readonly says: string;
  readonly shown: readonly [Proof, ...Proof[]];
}

export const row = (id: string, says: string, ...shown: [Proof, ...Proof[]]): Requirement => ({ id, says, shown });

/** A test by its file, without `test/` and `.test.ts`, and its title as it is written there. */
export const by = (file: string, title: string): Proof => ({ file: `test/${file}.test.ts`, title });
/** A crash at each statement of a scenario in test/faults: its writes are all there or none is. */
export const interrupted = (scenario: string): Proof => ({
  file: 'test/faults/crash-suite.ts',
  title: 'interrupted at any statement leaves what was committed, and is then done once',
  scenario,
});
export const run = (command: string): Proof => ({ command });
export const waits = (part: Part): Proof => ({ waits: part });
export const open = (missing: string): Proof => ({ open: missing });
