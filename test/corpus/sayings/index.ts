/** Sayings in all languages: a second set beside many-languages.ts. */
import { GERMANIC } from './germanic.ts';
import { OTHERS } from './others.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';

export const MORE_SAYINGS = { ...GERMANIC, ...ROMANCE, ...SLAVIC, ...OTHERS };
