// Ends every token that an end user has: a lost phone, a stolen session. Tokens are not stored, so an instant is: a token issued
// before it, or up to 30 s (the leeway between clocks) after it, is refused, however long it would last. Tokens issued later are good.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { findAccounts } from '../ledger/index.ts';
import type { KeyContext } from './create-key.ts';
import { requireMayEnd } from './grant.ts';
import { writeRevocation } from './issuer-store.ts';
import { END_USER } from './scope.ts';

export interface RevokedTokens {
  readonly accountId: Uuid;
  /** Real time: tokens issued before it, or up to 30 s after it, are refused everywhere within five seconds. */
  readonly revokedAt: Date;
}

export async function revokeTokens(
  tx: Transaction,
  { tenantId, actor, maker }: KeyContext,
  account: string,
): Promise<RevokedTokens> {
  requireMayEnd(maker, END_USER);
  const [found] = await findAccounts(tx, tenantId, [account]);
  if (!found) return refuse('ACCOUNT_NOT_FOUND', { param: 'account', account });
  return { accountId: found.id, revokedAt: await writeRevocation(tx, tenantId, found.id, actor) };
}
