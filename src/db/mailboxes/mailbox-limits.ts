/** The columns of a mailbox that bound its sending; null = the configured default. */
import type { Kysely } from 'kysely';
import type { Mailbox } from './mailboxes.ts';
import type { Database } from '../tables.ts';

export type OwnLimits = Pick<Mailbox, 'daily_limit' | 'hourly_limit' | 'min_gap_seconds'>;

const COLUMNS = ['daily_limit', 'hourly_limit', 'min_gap_seconds'] as const;

/** For a live mailbox of the user. */
export const findMailboxLimits = (
  db: Kysely<Database>,
  userId: string,
  mailboxId: number,
): Promise<OwnLimits | undefined> =>
  db
    .selectFrom('mailboxes')
    .select(COLUMNS)
    .where('id', '=', mailboxId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['pending', 'active'])
    .executeTakeFirst();

/** Undefined fields stay. */
export const updateMailboxLimits = (
  db: Kysely<Database>,
  { userId, mailboxId }: { userId: string; mailboxId: number },
  wanted: {
    dailyLimit?: number | null | undefined;
    hourlyLimit?: number | null | undefined;
    minGapSeconds?: number | null | undefined;
  },
): Promise<OwnLimits | undefined> =>
  db
    .updateTable('mailboxes')
    .set({
      updated_at: new Date(),
      ...(wanted.dailyLimit !== undefined && { daily_limit: wanted.dailyLimit }),
      ...(wanted.hourlyLimit !== undefined && { hourly_limit: wanted.hourlyLimit }),
      ...(wanted.minGapSeconds !== undefined && { min_gap_seconds: wanted.minGapSeconds }),
    })
    .where('id', '=', mailboxId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['pending', 'active'])
    .returning(COLUMNS)
    .executeTakeFirst();
