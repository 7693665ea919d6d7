// Values that the examples of the catalogue share.
import type { Uuid } from '../type-id.ts';
import type { Money } from './entry.ts';

export const ID: Uuid = '0199ffa1-dd19-7a8c-86f1-8b4a6e0c5f3a';
export const REQUEST_ID = 'req_01k9zt3q8sxa4e6r1t9v2w5y7z';
/** The largest amount of minor units that can be stored. */
export const LARGEST = 9_223_372_036_854_775_807n;

export const at = (text: string): Date => new Date(text);

/** An amount in minor units. The catalogue is public and can be written as JSON, which has no bigint. */
class Example implements Money {
  readonly amount: bigint;
  readonly asset: string;

  constructor(amount: bigint, asset: string) {
    this.amount = amount;
    this.asset = asset;
  }

  toJSON(): { readonly amount: string; readonly asset: string } {
    return { amount: this.amount.toString(), asset: this.asset };
  }
}

export const usd = (cents: bigint): Money => new Example(cents, 'USD/2');
export const usdc = (amount: bigint): Money => new Example(amount, 'USDC/6');
