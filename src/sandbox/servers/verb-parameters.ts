/** What the verbs of the mail host script take as parameters and on stdin. */
import { createPrivateKey } from 'node:crypto';
import { domainOf } from './host-context.ts';

/** Names are lower case here, as the script wants them. */
export function isName(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.(?=.)|$)){2,}$/.test(text);
}

export function isMode(text: string): boolean {
  return text === 'testing' || text === 'enforce';
}

export function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text);
}

export function isSelector(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
}

export function isAddress(text: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*@[^@]+$/.test(text) && isName(domainOf(text));
}

export function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

/** Type and key, without the comment. */
export const publicKeyOf = (line: string): string | undefined =>
  /^ssh-ed25519 [A-Za-z0-9+/]{40,}=*(?=\s|$)/.exec(line)?.[0];
