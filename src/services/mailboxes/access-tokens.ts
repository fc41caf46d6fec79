/** Access tokens of mailboxes that are used by OAuth: got when they are needed, once at a time. Choice 132. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import {
  accessTokenBinding,
  claimRefresh,
  endRefresh,
  findGrant,
  refreshTokenBinding,
  type GrantRow,
  type UsableToken,
} from '../../db/mailboxes/oauth-grants.ts';
import type { Database } from '../../db/tables.ts';
import type { Cipher } from '../../domain/cipher.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { OauthGrant, OauthProvider } from '../../domain/mailboxes/oauth.ts';
import type { AccessTokens } from '../../providers/mail-transport/port.ts';
import type { MailboxOauth, OauthTokens } from '../../providers/mailbox-oauth/port.ts';

/** Parts of the context; not the whole, because the transport that uses this is itself a part of it. */
interface Needs {
  db: Kysely<Database>;
  cipher: Cipher;
  clock: { now(): Date };
  mailboxOauth: Readonly<Record<string, MailboxOauth>>;
  /** How long a vendor may take. */
  timeoutMs: number;
}

/** A token is not used in its last minute or, of a short one, its last tenth. */
const LAST_SECONDS = 60;
const LAST_PART = 0.1;

/** How often it is looked whether somebody else has got it. */
const LOOK_MS = 200;

/** From when it came on. */
export function usableOf({ accessToken, expiresInSeconds }: OauthTokens, now: Date): UsableToken {
  const last = Math.min(LAST_SECONDS, expiresInSeconds * LAST_PART);
  const usableUntil = new Date(now.getTime() + (expiresInSeconds - last) * 1_000);
  return { value: accessToken, usableUntil };
}

export const createAccessTokens = (context: Needs): AccessTokens => ({
  async tokenOf(grant, refused) {
    // Whoever claims it first asks the vendor for a document and for tokens.
    const leaseMs = context.timeoutMs * 3;
    const waitUntil = Date.now() + leaseMs;
    for (;;) {
      const row = await findGrant(context.db, grant.grantId);
      if (!row) throw gone(grant.provider, 'it is not known any more');
      const known = usableIn(context, row);
      if (known && known.value !== refused) return { ...known, isNew: false };
      const claimed = await claimRefresh(context.db, row, leaseMs);
      if (claimed) return { ...(await refreshed(context, grant, claimed)), isNew: true };
      if (Date.now() > waitUntil) throw late(grant.provider);
      await sleep(LOOK_MS);
    }
  },
});

function usableIn({ cipher, clock }: Needs, row: GrantRow): UsableToken | undefined {
  const { id, access_token: sealed, usable_until: usableUntil } = row;
  if (sealed === null || usableUntil === null || usableUntil <= clock.now()) return undefined;
  return { value: cipher.open(sealed, accessTokenBinding(id)), usableUntil };
}

/**
 * A process that dies here leaves the claim, which ends by itself. A refresh token that came and was not kept is no
 * loss: of both vendors the one of before stays valid.
 */
async function refreshed(
  context: Needs,
  { provider }: OauthGrant,
  claimed: GrantRow,
): Promise<UsableToken> {
  const { cipher, clock, mailboxOauth } = context;
  try {
    const vendor = mailboxOauth[provider];
    if (!vendor) throw notConfigured(provider);
    const now = clock.now();
    const tokens = await vendor.refresh(
      cipher.open(claimed.refresh_token, refreshTokenBinding(claimed.id)),
    );
    const access = usableOf(tokens, now);
    await endRefresh(context, claimed, { access, refreshToken: tokens.refreshToken });
    return access;
  } catch (error) {
    const isGone = error instanceof ProviderError && error.kind === 'rejected';
    await endRefresh(context, claimed, isGone ? { access: null } : {});
    throw isGone ? gone(provider, 'it was withdrawn, or has expired') : error;
  }
}

const gone = (provider: OauthProvider, why: string) =>
  new ProviderError('rejected', `${provider}: the consent of this mailbox does not hold: ${why}`, {
    provider,
    providerCode: 'invalid_grant',
    loginReply: `The consent does not hold: ${why}`,
  });

const late = (provider: OauthProvider) =>
  new ProviderError('unavailable', `${provider}: nobody has got an access token in time`, {
    provider,
    providerCode: 'timeout',
  });

const notConfigured = (provider: OauthProvider) =>
  new ProviderError('auth', `${provider}: OAuth is not configured any more`, {
    provider,
    providerCode: 'not_configured',
    operatorHint: `Set ${provider.toUpperCase()}_OAUTH_CLIENT_ID and its secret again.`,
  });
