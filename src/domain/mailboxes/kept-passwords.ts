/** A password that is kept is said where its owner gave it for, and nowhere else. Choice 105. */
import { validationError } from '../errors.ts';
import type { MailServer } from './mail-servers.ts';

/** What decides who hears a password. */
export interface NamedLogin {
  username: string;
  smtp?: MailServer;
  imap: MailServer;
}

/**
 * Whoever may change a login may not read its password, so that a request without one keeps its servers and its
 * user name. 400 VALIDATION_ERROR for `password`.
 */
export function assertPasswordStays(before: NamedLogin, after: NamedLogin): void {
  const changed = FIELDS.filter(([, valueOf]) => valueOf(before) !== valueOf(after)).map(
    ([field]) => field,
  );
  if (changed.length === 0) return;
  throw passwordRequired(`with another ${changed.join(', ')}: the stored one goes nowhere else`);
}

export const passwordRequired = (why: string) =>
  validationError([{ field: 'password', message: `password is required ${why}` }]);

const ofServer = (name: 'smtp' | 'imap') =>
  (['host', 'port', 'tls'] as const).map(
    (part) => [`${name}.${part}`, (login: NamedLogin) => login[name]?.[part]] as const,
  );

const FIELDS: readonly (readonly [string, (login: NamedLogin) => unknown])[] = [
  ['username', ({ username }) => username],
  ...ofServer('smtp'),
  ...ofServer('imap'),
];
