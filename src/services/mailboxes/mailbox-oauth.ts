/** Connecting mailboxes by OAuth: the owner is asked in a browser, and what comes back begins the proof. Choice 132. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { insertAuditEntries, noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { findOwnMailbox } from '../../db/mailboxes/connected-mailboxes.ts';
import { updateMailbox } from '../../db/mailboxes/mailboxes.ts';
import {
  insertConsent,
  takeConsent,
  type AskedConsent,
} from '../../db/mailboxes/oauth-consents.ts';
import { insertGrant, keepGrant } from '../../db/mailboxes/oauth-grants.ts';
import type { WantedMailbox } from '../../db/mailboxes/oauth-tables.ts';
import type { Operation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import type { AuditEntry } from '../../domain/accounts/audit-log.ts';
import { invalid, OutreachError, ProviderError, upstreamUnavailable } from '../../domain/errors.ts';
import { MAIL_PRESETS, type MailServers } from '../../domain/mailboxes/mail-servers.ts';
import {
  redirectAddress,
  type OauthError,
  type OauthProvider,
} from '../../domain/mailboxes/oauth.ts';
import type { Consent, MailboxOauth } from '../../providers/mailbox-oauth/port.ts';
import { orderOnce } from '../operations/order-once.ts';
import { usableOf } from './access-tokens.ts';
import { beginConnection, beginReconnection } from './mailbox-connections.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'mailboxOauth' | 'startOperation'
>;

/** How long somebody may take to consent. */
const CONSENT_MS = 15 * 60_000;

export interface ConsentAsked {
  authorizationUrl: string;
  expiresAt: Date;
}

/** What a person is to open in a browser. 400 OAUTH_NOT_CONFIGURED. */
export async function askConsent(
  context: Needs,
  userId: string,
  { provider, wanted }: { provider: OauthProvider; wanted: WantedMailbox },
): Promise<ConsentAsked> {
  const vendor = context.mailboxOauth[provider];
  if (!vendor) {
    const message = `This installation has no OAuth for ${provider}: its operator registers an app there`;
    throw invalid('OAUTH_NOT_CONFIGURED', message);
  }
  const [state, codeVerifier, nonce] = [secret(), secret(), secret()];
  const authorizationUrl = await consentUrl(vendor, {
    redirectUri: redirectUri(context),
    state,
    nonce,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    loginHint: wanted.address ?? undefined,
  });
  const expiresAt = new Date(context.clock.now().getTime() + CONSENT_MS);
  return commitOnce(context.db, async (trx) => {
    const consent = { state, provider, secret: { codeVerifier, nonce }, wanted, expiresAt };
    await insertConsent(trx, { cipher: context.cipher, userId }, consent);
    noteChange({ after: { email: wanted.address, preset: provider, leftOut: ['state'] } });
    return { authorizationUrl, expiresAt };
  });
}

/** 256 bits, in 43 characters that a URL and RFC 7636 take. */
const secret = (): string => randomBytes(32).toString('base64url');

const redirectUri = ({ config }: Pick<Context, 'config'>): string =>
  redirectAddress(config.PUBLIC_URL);

async function consentUrl(
  vendor: MailboxOauth,
  request: Parameters<MailboxOauth['consentUrl']>[0],
): Promise<string> {
  try {
    return await vendor.consentUrl(request);
  } catch (error) {
    throw upstreamUnavailable(`${vendor.name} is out of reach; try again`, error);
  }
}

/** As the vendor sends it with the browser. */
export interface ConsentAnswer {
  state: string;
  code: string | undefined;
  error: string | undefined;
  /** `X-Request-Id` of the browser's request. */
  requestId?: string | undefined;
}

/** What became of it. `returnUrl`: where the browser goes on. */
export interface ConsentOutcome {
  returnUrl: string | null;
  done: { mailboxId: number } | { error: OauthError };
}

/**
 * Takes the answer of the vendor, once. Undefined where its state is none of ours. A process that dies between the
 * code and the rows leaves nothing but a consent that is used up: its owner is asked again.
 */
export async function takeAnswer(
  context: Needs,
  answer: ConsentAnswer,
): Promise<ConsentOutcome | undefined> {
  const asked = await takeConsent(context, answer.state, context.clock.now());
  if (!asked) return undefined;
  return { returnUrl: asked.wanted.returnUrl, done: await outcomeOf(context, asked, answer) };
}

async function outcomeOf(
  context: Needs,
  asked: AskedConsent,
  { code, error, requestId }: ConsentAnswer,
): Promise<ConsentOutcome['done']> {
  const { provider, known, wanted } = asked;
  if (!known) return { error: 'STATE_USED' };
  if (asked.expires_at <= context.clock.now()) return { error: 'STATE_EXPIRED' };
  if (code === undefined) {
    const isDown = error === 'server_error' || error === 'temporarily_unavailable';
    return { error: isDown ? 'UNAVAILABLE' : 'CONSENT_REFUSED' };
  }
  const vendor = context.mailboxOauth[provider];
  if (!vendor) return { error: 'UNAVAILABLE' };
  try {
    const consent = await vendor.exchange({ ...known, code, redirectUri: redirectUri(context) });
    const address = wanted.address ?? consent.addresses[0];
    if (!consent.addresses.includes(address)) return { error: 'ADDRESS_MISMATCH' };
    const operation = await orderOnce(
      context,
      { userId: asked.user_id, requestKey: undefined },
      (trx) => beginProof(context, trx, { asked, consent, address, requestId }),
    );
    return { mailboxId: operation.resource_id };
  } catch (err) {
    const problem = problemOf(err);
    context.logger.warn({ err, provider, problem }, 'a consent was not taken');
    return { error: problem };
  }
}

/** The rows of the mailbox with its tokens, and the intent to prove it: a new one, or another login of one. */
async function beginProof(
  context: Needs,
  trx: Transaction<Database>,
  of: { asked: AskedConsent; consent: Consent; address: string; requestId: string | undefined },
): Promise<Operation> {
  const { asked, consent, address: email } = of;
  const { provider, user_id: userId } = asked;
  const { senderName, dailyLimit } = asked.wanted;
  const { smtp, imap } = MAIL_PRESETS[provider];
  const oauth = { provider, grantId: randomUUID() };
  const servers: MailServers = { username: consent.username, smtp, imap, oauth };
  const own = await findOwnMailbox(trx, userId, email);
  const operation = own
    ? await beginReconnection(
        context,
        trx,
        { userId, id: own.id },
        { ...servers, preset: provider },
      )
    : await beginConnection(context, trx, {
        userId,
        order: { email, password: null, servers, preset: provider, senderName, dailyLimit },
      });
  const mailboxId = operation.resource_id;
  if (own) {
    // Those of attempts that were given up.
    await keepGrant(trx, [mailboxId], own.servers.oauth?.grantId);
    await updateMailbox(trx, mailboxId, {
      ...(senderName !== null && { sender_name: senderName }),
      ...(dailyLimit !== null && { daily_limit: dailyLimit }),
    });
  }
  await noteConsent(trx, { ...of, mailboxId, servers });
  const access = usableOf(consent, context.clock.now());
  const { refreshToken, subject } = consent;
  const tokens = { refreshToken, subject, access };
  await insertGrant(trx, { cipher: context.cipher, mailboxId }, oauth, tokens);
  return operation;
}

/** The account has asked for it, and somebody outside has decided: a GET that has an entry. */
const noteConsent = (
  trx: Transaction<Database>,
  of: {
    asked: AskedConsent;
    address: string;
    requestId: string | undefined;
    mailboxId: number;
    servers: MailServers;
  },
): Promise<void> => {
  const { username, oauth } = of.servers;
  const entry: AuditEntry = {
    userId: of.asked.user_id,
    actor: { kind: 'system', id: null, name: 'mailbox owner' },
    action: 'mailboxes.takeConsent',
    resourceType: 'mailbox',
    resourceId: of.mailboxId,
    requestId: of.requestId,
    after: { email: of.address, username, oauth: oauth?.provider, leftOut: ['tokens'] },
  };
  return insertAuditEntries(trx, [entry]);
};

function problemOf(error: unknown): OauthError {
  if (error instanceof OutreachError) {
    const { code } = error;
    return code === 'MAILBOX_EXISTS' || code === 'INVALID_STATE' ? code : 'UNAVAILABLE';
  }
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return 'UNAVAILABLE';
  return error.facts.providerCode === 'scope_missing' ? 'CONSENT_INCOMPLETE' : 'CODE_REFUSED';
}
