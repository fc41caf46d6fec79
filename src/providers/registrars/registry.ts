/** One line for each registrar; everything that lists registrars derives from here. */
export { namecom } from './namecom.ts';
export { porkbun } from './porkbun.ts';
