/** Numbers on the command lines of the drills. */
import { InvalidArgumentError } from 'commander';

const atLeast = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new InvalidArgumentError('a whole number');
  return value;
};

/** For commander: 0, 1, 2 … */
export const countOrNone = atLeast(0);

/** For commander: 1, 2, 3 … */
export const count = atLeast(1);
