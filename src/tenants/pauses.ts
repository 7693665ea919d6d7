import type { Uuid } from '../kernel/index.ts';

export type PauseScope = 'tenant' | 'asset' | 'rail';

export interface Pause {
  readonly tenantId: Uuid;
  readonly scope: PauseScope;
  /** The asset or rail; empty for the whole tenant. */
  readonly value: string;
}

export interface PauseOrder extends Pause {
  readonly actor: string;
  readonly reason: string;
}

export interface ActivePause extends Pause {
  readonly id: Uuid;
  readonly reason: string;
  readonly pausedBy: string;
  readonly pausedAt: Date;
}

/** What is paused, in a form that answers quickly. */
export class Pauses {
  readonly #set: ReadonlySet<string>;

  constructor(pauses: readonly Pause[]) {
    this.#set = new Set(pauses.map((item) => `${item.tenantId} ${item.scope} ${item.value}`));
  }

  covers(payment: { readonly tenantId: Uuid; readonly asset: string; readonly rail: string }): boolean {
    if (this.#set.size === 0) return false;
    const { tenantId, asset, rail } = payment;
    return [`${tenantId} tenant `, `${tenantId} asset ${asset}`, `${tenantId} rail ${rail}`].some((name) =>
      this.#set.has(name),
    );
  }
}
