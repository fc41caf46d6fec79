/** Takes the consents of a mailbox that leaves back at their vendors. Choice 135. */
import type { Context } from '../../src/context.ts';
import { withMailboxLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import {
  isGrantShared,
  listGrants,
  refreshTokenBinding,
  type GrantRow,
} from '../../src/db/mailboxes/oauth-grants.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { REVOKED_BY_OWNER } from '../../src/domain/mailboxes/oauth.ts';

interface ConsentStep {
  operationId: number;
  mailboxId: number;
}

type ConsentContext = Pick<Context, 'db' | 'cipher' | 'mailboxOauth'>;

const STEP = 'consent_revoke';

export const consentActivities = (context: ConsentContext) => ({
  /**
   * Null once nothing of it is left at the vendor, else why it stays. Its tokens stay in their rows until the mailbox
   * is deleted. Safe to repeat: a vendor that does not know a token any more has done it.
   */
  async revokeConsents({ mailboxId }: ConsentStep): Promise<{ left: string | null }> {
    let left: string | null = null;
    // An attempt that was taken for dead must not take back what its owner may have given anew since.
    await withMailboxLease(context.db, mailboxId, async (_mailbox, assertMine) => {
      for (const grant of await listGrants(context.db, mailboxId)) {
        left = (await revoke(context, grant, assertMine)) ?? left;
      }
    });
    return { left };
  },

  /** Writes into the operation's log what stays, and what its owner can do. Safe to repeat. */
  async noteConsentsLeft(input: ConsentStep & { why: string }): Promise<void> {
    const { operationId, mailboxId, why } = input;
    const known = await context.db
      .selectFrom('operation_events')
      .select('id')
      .where('operation_id', '=', operationId)
      .where('kind', '=', 'consent_left')
      .executeTakeFirst();
    if (known) return;
    const grants = await listGrants(context.db, mailboxId);
    const ways = new Set(grants.map(({ provider }) => REVOKED_BY_OWNER[provider]));
    const reason = `The consent stays at the vendor: ${why}. Its owner can take it back at ${[...ways].join(', ')}`;
    const event = { operationId, kind: 'consent_left', step: STEP, actor: 'system' } as const;
    await insertOperationEvent(context.db, { ...event, reason });
  },
});

/**
 * Why it stays; null: it is gone. Who consents for another mailbox between the look and the call loses that consent
 * with it: the proof of that mailbox says so, and its owner consents again.
 */
async function revoke(
  { db, cipher, mailboxOauth }: ConsentContext,
  grant: GrantRow,
  assertMine: () => Promise<void>,
): Promise<string | null> {
  const { id, provider, refresh_token: sealed } = grant;
  const vendor = mailboxOauth[provider];
  if (!vendor) throw notConfigured(provider);
  if (await isGrantShared(db, grant)) return `another mailbox uses the same account at ${provider}`;
  await assertMine();
  const isGone = await vendor.revoke(cipher.open(sealed, refreshTokenBinding(id)));
  return isGone ? null : `${provider} has no way for applications to take consents back`;
}

const notConfigured = (provider: string) =>
  new ProviderError('auth', `${provider}: OAuth is not configured any more`, {
    provider,
    providerCode: 'not_configured',
  });
