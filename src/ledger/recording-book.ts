// The book of a dry run: it decides as every book does, and also keeps each posting in order.
import type { Posting } from '../kernel/index.ts';
import type { BalanceKey, Movement, Refused, Transfer } from './book.ts';
import { Book, isRefused } from './book.ts';

export class RecordingBook extends Book {
  readonly postings: Posting[] = [];

  override transfer(movement: Movement): Refused | Transfer {
    return this.#posted(super.transfer(movement), false);
  }

  override payHeld(movement: Movement, reservationId?: string | null): Refused | Transfer {
    return this.#posted(super.payHeld(movement, reservationId ?? null), true);
  }

  override bookHeld(movement: Movement): Transfer {
    const transfer = super.bookHeld(movement);
    this.#posted(transfer, true);
    return transfer;
  }

  override hold({ tenantId, accountId, asset }: BalanceKey, amount: bigint): Refused | null {
    const refused = super.hold({ tenantId, accountId, asset }, amount);
    if (refused === null) this.postings.push({ type: 'reserve', account: accountId, asset, amount });
    return refused;
  }

  override unhold({ tenantId, accountId, asset }: BalanceKey, amount: bigint): void {
    super.unhold({ tenantId, accountId, asset }, amount);
    this.postings.push({ type: 'release', account: accountId, asset, amount });
  }

  override allOrNothing<T extends Refused | null>(verbs: () => T): T {
    const kept = this.postings.length;
    const outcome = super.allOrNothing(verbs);
    if (outcome !== null) this.postings.length = kept;
    return outcome;
  }

  #posted(outcome: Refused | Transfer, fromReserved: boolean): Refused | Transfer {
    if (isRefused(outcome)) return outcome;
    const { debitAccountId: from, creditAccountId: to, asset, amount, kind, paymentId } = outcome;
    this.postings.push({ type: 'transfer', from, to, asset, amount, kind, fromReserved, paymentId });
    return outcome;
  }
}
