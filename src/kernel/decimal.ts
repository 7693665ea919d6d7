/** Minor units with as many decimals as the scale has: 1050 is "10.50" with two. The reverse of parseDecimal. */
export function formatDecimal(amount: bigint, scale: number): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - scale)}`;
}
