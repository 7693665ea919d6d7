// Options of the calls of the library. The client's are in src/client/send.ts.

/** Options that a call and its dry run have in common. */
export interface CommonOptions {
  /** The ETag of a resource (`etagOf`): the change is refused with PRECONDITION_FAILED if the resource has changed since. Default: none; `undefined` is refused. */
  readonly ifMatch?: string;
}

/** Options of a call that takes no idempotency key: running it again is safe. */
export interface RunOptions {
  /** Leave it out; for a dry run pass `{ dryRun: true }`. Default false. */
  readonly dryRun?: false;
}

/** Options of the dry run of such a call: it is executed, returns a `DryRun`, and is rolled back. */
export interface DryRunOnly {
  /** A refusal is thrown as without it. */
  readonly dryRun: true;
}

/** Options of a call that changes something. */
export interface KeyOptions extends CommonOptions {
  /** The same key with the same request returns the first result and changes nothing. Default: none, so a second call repeats the change. */
  readonly idempotencyKey?: string;
  /** Leave it out; for a dry run pass `DryRunOptions`. Default false. */
  readonly dryRun?: false;
}

/** Options of a call that moves or reserves money: your own key, a new one for each new request. */
export interface RequiredKey extends KeyOptions {
  /** The same key with the same request returns the first result and changes nothing. 1 to 255 printable ASCII characters. */
  readonly idempotencyKey: string;
}

/** Options of a dry run: the call is executed, returns a `DryRun`, and is rolled back. */
export interface DryRunOptions extends CommonOptions {
  /** A refusal is thrown as without it. */
  readonly dryRun: true;
  /** Not used: a dry run stores no key. Default: none. */
  readonly idempotencyKey?: string;
}
