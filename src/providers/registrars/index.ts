/** The registrars that exist. A new one is a file beside this one and a line here. */
import { namecom } from './namecom.ts';

export const registrars = { namecom } as const;
