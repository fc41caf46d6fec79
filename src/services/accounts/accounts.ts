/**
 * Accounts: a user's is created with their first JWT, and holds what messages must say about their
 * sender.
 */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import { findUser, seeUser, updateUser, type UserRow } from '../../db/accounts/accounts.ts';
import { insertAdjustment } from '../../db/wallet/adjustments.ts';
import { PLAY_MONEY_CENTS } from '../../domain/accounts/modes.ts';
import { hasActiveCampaign } from '../../db/campaigns/campaigns.ts';
import { endQuestionsOf } from '../../db/inbox/interest-questions.ts';
import { invalid, notFound } from '../../domain/errors.ts';

/** Users whose rows this process has lately ensured: they need no statement. */
const REMEMBERED_USERS = 10_000;

export interface Claims {
  userId: string;
  email: string;
  name: string | null;
}

/**
 * Creates a user's row on their first request; later requests with the same claims cost nothing. In test mode the
 * wallet begins with play money. Choice 113.
 */
export function createUserSight(
  context: Pick<Context, 'db' | 'config'>,
): (claims: Claims) => Promise<void> {
  const seen = new Set<string>();
  return async (claims) => {
    const fingerprint = JSON.stringify([claims.userId, claims.email, claims.name]);
    if (seen.has(fingerprint)) return;
    await seeUser(context.db, claims);
    if (context.config.OUTREACH_MODE === 'test') await givePlayMoney(context, claims.userId);
    if (seen.size >= REMEMBERED_USERS) seen.clear();
    seen.add(fingerprint);
  };
}

/** Once per account: a second adjustment of its key changes nothing. */
const givePlayMoney = ({ db }: Pick<Context, 'db'>, userId: string) =>
  db.transaction().execute((trx) =>
    insertAdjustment(trx, {
      userId,
      amountCents: PLAY_MONEY_CENTS,
      actor: 'operator:test-mode',
      reason: 'play money of test mode',
      key: `play-money:${userId}`,
    }),
  );

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
  /** False: no language model reads what the account gets. */
  useLanguageModel?: boolean | undefined;
}

/**
 * Fields that are not given stay as they are. Choice 56: 400 INVALID_STATE for emptying what messages
 * must contain while a campaign is active. The row is changed first: that waits for a campaign start
 * that has just read it.
 */
export async function changeAccount(
  context: Pick<Context, 'db'>,
  userId: string,
  changes: AccountChanges,
): Promise<UserRow> {
  const emptied = (['senderName', 'postalAddress'] as const).filter(
    (field) => changes[field] === null,
  );
  return commitOnce(context.db, async (trx) => {
    const before = await findUser(trx, userId);
    const user = await updateUser(trx, userId, {
      ...(changes.senderName !== undefined && { sender_name: changes.senderName }),
      ...(changes.postalAddress !== undefined && { postal_address: changes.postalAddress }),
      ...(changes.timezone !== undefined && { timezone: changes.timezone }),
      ...(changes.useLanguageModel !== undefined && {
        use_language_model: changes.useLanguageModel,
      }),
    });
    if (!user) throw notFound('account');
    if (emptied.length > 0 && (await hasActiveCampaign(trx, userId))) {
      throw invalid(
        'INVALID_STATE',
        `${emptied.join(' and ')} cannot be emptied while a campaign is active; ` +
          'pause or cancel the active campaigns first, or set another value',
      );
    }
    if (changes.useLanguageModel === false) await endQuestionsOf(trx, userId);
    const resourceId = userId;
    if (before) noteChange({ resourceId, ...difference(AUDITED_FIELDS.account, before, user) });
    return user;
  });
}
