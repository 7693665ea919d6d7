// An endpoint's error says nothing about where the bytes are. Nodes report a transaction that they already have, or one that is already
// in a block, as an error ("already known", "nonce too low"); relayers that read these as failures have paid twice. So an error
// only gets a name here, for operators and metrics. It never becomes a failure.

/** An endpoint answered with an error, or did not answer. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/timed? ?out|ETIMEDOUT|aborted/i, 'timeout'],
  [/ECONNRESET|ECONNREFUSED|socket hang up|disconnected/i, 'connection_lost'],
  [/already known|already been processed|already imported|known transaction/i, 'already_known'],
  [/nonce too low|nonce has already been used/i, 'nonce_too_low'],
  [/blockhash not found|block height exceeded/i, 'blockhash_unknown'],
  [/replacement transaction underpriced|transaction underpriced/i, 'underpriced'],
  [/insufficient funds|insufficient lamports/i, 'insufficient_funds'],
  [/rate limit|too many requests|\b429\b/i, 'rate_limited'],
];

/** The reason of an unknown outcome: a short name for known messages, `rpc_error` for others. */
export function reasonOfError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return NAMES.find(([pattern]) => pattern.test(message))?.[1] ?? 'rpc_error';
}
