// Whether a settlement counts on funds that are not reserved (settle.ts). Where they were missing, the whole batch was decided twice, so
// for a while it does not.
export class Foresight {
  static readonly #WARY_FOR = 32;
  #wary = 0;

  failed(): void {
    this.#wary = Foresight.#WARY_FOR;
  }

  /** Of the next batch. */
  expectsFunds(): boolean {
    this.#wary = Math.max(0, this.#wary - 1);
    return this.#wary === 0;
  }
}
