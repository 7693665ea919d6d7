// Ledger amounts and chain amounts differ by a power of ten. The conversion is exact or it is refused: a rounded unit is money that
// one of the two books does not have.

const TEN = 10n;

/** Minor units of the ledger as units of the chain; null if the chain has no unit small enough. */
export function toChainUnits(amount: bigint, scale: number, decimals: number): bigint | null {
  return shift(amount, decimals - scale);
}

/** Units of the chain as minor units of the ledger; null if the ledger has no unit small enough. */
export function toLedgerUnits(units: bigint, scale: number, decimals: number): bigint | null {
  return shift(units, scale - decimals);
}

/** The same without the rest that the ledger cannot write: for comparing and for opening balances, never for an amount that is paid. */
export function toLedgerUnitsRoundedDown(units: bigint, scale: number, decimals: number): bigint {
  return toLedgerUnits(units, scale, decimals) ?? units / TEN ** BigInt(decimals - scale);
}

function shift(value: bigint, places: number): bigint | null {
  if (places >= 0) return value * TEN ** BigInt(places);
  const divisor = TEN ** BigInt(-places);
  return value % divisor === 0n ? value / divisor : null;
}
