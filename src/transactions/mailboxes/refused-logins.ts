/** Logins that an account may have tried for it: a service that tries any number of passwords is one for guessing. Choice 157. */
import type { Kysely } from 'kysely';
import { countRefusedToday, secondsLeftToday } from '../../db/mailboxes/refused-logins.ts';
import type { Database } from '../../db/tables.ts';
import { OutreachError } from '../../domain/errors.ts';

export interface LoginLimit {
  MAILBOX_REFUSED_LOGINS_PER_DAY: number;
}

/** Why no further password of the account is tried today; undefined: one is. */
export async function whyNoLogins(
  db: Kysely<Database>,
  { MAILBOX_REFUSED_LOGINS_PER_DAY: limit }: LoginLimit,
  userId: string,
): Promise<string | undefined> {
  if ((await countRefusedToday(db, userId)) < limit) return undefined;
  return `Mail hosts have refused ${limit} logins of this account today; from 0:00 UTC on others are tried`;
}

/** 429 RATE_LIMITED, until the next day, where a request brings a further password. */
export async function assertLoginsLeft(
  db: Kysely<Database>,
  limit: LoginLimit,
  userId: string,
): Promise<void> {
  const why = await whyNoLogins(db, limit, userId);
  if (why === undefined) return;
  const error = new OutreachError('rate_limited', 'RATE_LIMITED', why);
  error.retryAfterSeconds = await secondsLeftToday(db);
  throw error;
}
