/** Options of a call that changes something. */
export interface KeyOptions {
  /** The same key with the same request returns the first answer and changes nothing. Default: none, so a second call repeats the change. */
  readonly idempotencyKey?: string;
  /** `true`: a dry run, which needs no key. Default false. */
  readonly dryRun?: false;
  /** The ETag of a resource (`etagOf`): the change is refused with PRECONDITION_FAILED if the resource has changed since. Default: none; `undefined` is refused. */
  readonly ifMatch?: string;
}

/** Options of a call that moves or reserves money: your own key, a new one for each new request. */
export interface RequiredKey {
  /** The same key with the same request returns the first answer and changes nothing. 1 to 255 printable characters. */
  readonly idempotencyKey: string;
  /** The ETag of a resource (`etagOf`): the change is refused with PRECONDITION_FAILED if the resource has changed since. Default: none; `undefined` is refused. */
  readonly ifMatch?: string;
  /** `true`: a dry run, which needs no key. Default false. */
  readonly dryRun?: false;
}

/** Options of a dry run: the call is executed, answers with a `DryRun`, and is rolled back. */
export interface DryRunOptions {
  /** A refusal is thrown as without it. */
  readonly dryRun: true;
  /** Not used: a dry run stores no key. Default: none. */
  readonly idempotencyKey?: string;
  /** The ETag of a resource (`etagOf`): the change is refused with PRECONDITION_FAILED if the resource has changed since. Default: none; `undefined` is refused. */
  readonly ifMatch?: string;
}
