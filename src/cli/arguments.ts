/** Parsers of what is typed: a wrong value ends with the usage, code 2. */
import { InvalidArgumentError } from 'commander';

/** A whole number from 1. */
export function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Not a positive whole number.');
}

/** A whole number from 0. */
export function natural(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new InvalidArgumentError('Not a whole number.');
}

/** Without blanks around it. */
export function notEmpty(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new InvalidArgumentError('Must not be empty.');
}

/** An option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

/** The same, of numbers. */
export const collectNumbers = (value: string, before: readonly number[] = []): number[] => [
  ...before,
  positive(value),
];
