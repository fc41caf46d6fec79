/** The e-mail verifiers that exist, in the order in which they are asked. */
import { reacher } from './reacher.ts';
import { zerobounce } from './zerobounce.ts';

export const emailVerifiers = { reacher, zerobounce } as const;
