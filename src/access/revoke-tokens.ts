// Ends every token that an end user has: a lost phone, a stolen session. Tokens are not stored, so what is kept is an instant: a
// token issued before it is refused, however long it would last. New ones, issued later, are as good as ever.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { findAccounts } from '../ledger/index.ts';
import { writeRevocation } from './issuer-store.ts';

export interface RevokedTokens {
  readonly accountId: Uuid;
  /** Real time: tokens issued before it are refused everywhere within five seconds. */
  readonly revokedAt: Date;
}

export async function revokeTokens(
  tx: Transaction,
  { tenantId, actor }: { readonly tenantId: Uuid; readonly actor: string },
  account: string,
): Promise<RevokedTokens> {
  const [found] = await findAccounts(tx, tenantId, [account]);
  if (!found) return refuse('ACCOUNT_NOT_FOUND', `there is no account "${account}"`, { param: 'account' });
  return { accountId: found.id, revokedAt: await writeRevocation(tx, tenantId, found.id, actor) };
}
