/** Money is integer cents of US dollars; nothing else enters or leaves a sum. */

/** `4100` -> `"$41.00"`, `-5` -> `"-$0.05"`. */
export const formatDollars = (cents: number): string => {
  const text = formatCents(Math.abs(cents));
  return cents < 0 ? `-$${text}` : `$${text}`;
};

/** `4100` -> `"41.00"` (absolute cents have at most 15 digits). */
export const formatCents = (cents: number): string => {
  assertCents(cents);
  const sign = cents < 0 ? '-' : '';
  const digits = Math.abs(cents).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** `"-12.50"` -> `-1250`, `"3"` -> `300`; undefined for any other text, such as `1e3`, `0.005` or `$3`. */
export function parseDollars(text: string): number | undefined {
  if (!/^-?\d{1,9}(\.\d{2})?$/.test(text)) return undefined;
  const cents = Number(text.replace('.', '')) * (text.includes('.') ? 1 : 100);
  return Object.is(cents, -0) ? 0 : cents;
}

/** Throws unless `cents` is a safe integer: a float here is a programming error. */
export const assertCents = (cents: number): void => {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`not integer cents: ${cents}`);
};
