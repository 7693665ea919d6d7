/** At least one of the fields is given: `OneGiven<'amount' | 'amountDecimal'>`. */
export type OneGiven<Field extends string> = {
  [Each in Field]: { readonly [Given in Each]: string | number | bigint | object };
}[Field];
