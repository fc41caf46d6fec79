/** Converts dollars as vendors write them into the integer cents that everything else uses. */

/** The shortest decimal text of a JSON number, or a vendor's own: `12.99`, `0.1`, `70`. */
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * `12.99` -> `1299`, without arithmetic on floats. Parts of a cent are rounded up, so that a price
 * is never understated. Null for nothing; throws for what is not a plain amount.
 */
export function centsFromDollars(dollars: number | string | null | undefined): number | null {
  if (dollars === null || dollars === undefined) return null;
  const [, whole, fraction = ''] = DECIMAL.exec(String(dollars)) ?? [];
  if (whole === undefined) throw new TypeError(`not an amount of dollars: ${dollars}`);
  const cents = Number(whole + fraction.slice(0, 2).padEnd(2, '0'));
  return /[1-9]/.test(fraction.slice(2)) ? cents + 1 : cents;
}
