/** Accounts: users appear with their first JWT and hold what mails need to say who sends them. */
import type { Context } from '../context.ts';
import { findUser, seeUser, updateUser, type UserRow } from '../db/accounts.ts';
import { notFound } from '../domain/errors.ts';

/** Users that this process saw lately: they need no statement. */
const REMEMBERED_USERS = 10_000;

export interface Claims {
  userId: string;
  email: string;
  name: string | null;
}

/** Makes users at first sight; later sights of the same claims cost nothing. */
export function createUserSight(context: Pick<Context, 'db'>): (claims: Claims) => Promise<void> {
  const seen = new Set<string>();
  return async (claims) => {
    const fingerprint = JSON.stringify([claims.userId, claims.email, claims.name]);
    if (seen.has(fingerprint)) return;
    await seeUser(context.db, claims);
    if (seen.size >= REMEMBERED_USERS) seen.clear();
    seen.add(fingerprint);
  };
}

export async function getAccount(context: Pick<Context, 'db'>, userId: string): Promise<UserRow> {
  const user = await findUser(context.db, userId);
  if (!user) throw notFound('account');
  return user;
}

export interface AccountChanges {
  senderName?: string | null | undefined;
  postalAddress?: string | null | undefined;
  /** IANA name in its canonical form. */
  timezone?: string | undefined;
}

/** Fields that are not given stay as they are. */
export async function changeAccount(
  context: Pick<Context, 'db'>,
  userId: string,
  changes: AccountChanges,
): Promise<UserRow> {
  const user = await updateUser(context.db, userId, {
    ...(changes.senderName !== undefined && { sender_name: changes.senderName }),
    ...(changes.postalAddress !== undefined && { postal_address: changes.postalAddress }),
    ...(changes.timezone !== undefined && { timezone: changes.timezone }),
  });
  if (!user) throw notFound('account');
  return user;
}
