/** Which contact finders there are, in the order in which they are asked. */
import { apollo } from './apollo.ts';
import { hunter } from './hunter.ts';

export const contactFinders = { hunter, apollo } as const;
