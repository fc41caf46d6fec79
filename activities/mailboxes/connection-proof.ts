/** The proof of a mailbox elsewhere: its message, where that is found, and the words when it fails. Choice 105. */
import type { Context } from '../../src/context.ts';
import {
  findLoginToProve,
  noteProofSeen,
  type ProvenLogin,
} from '../../src/db/mailboxes/connected-mailboxes.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import {
  connectionCodeOf,
  connectionWords,
  vendorWords,
  type AskedServer,
  type ConnectionCode,
} from '../../src/domain/mailboxes/connection-problems.ts';
import { provesAddress } from '../../src/domain/mailboxes/address-proof.ts';
import { OAUTH_GUIDANCE } from '../../src/domain/mailboxes/oauth.ts';
import { presetOf } from '../../src/domain/mailboxes/mail-servers.ts';
import type { ImapSession, OutgoingMessage } from '../../src/providers/mail-transport/port.ts';

export type Protocol = AskedServer['protocol'];

/** A host that does not answer is tried so often; then its owner is told. */
export const TRIES = 3;

/**
 * Where a message to oneself may be; it is taken out of all of them. The inbox stays selected where it is not there
 * yet: a copy in "sent" alone proves nothing.
 */
const PLACES = ['junk', 'inbox', 'sent'];

/** How the mailbox that is being proven is logged in to; 400 MAILBOX_NOT_FOUND where it was deleted meanwhile. */
export async function loginToProve(
  context: Pick<Context, 'db' | 'cipher'>,
  mailboxId: number,
): Promise<ProvenLogin> {
  const login = await findLoginToProve(context, mailboxId);
  if (login) return login;
  throw deletedMeanwhile();
}

const deletedMeanwhile = () =>
  invalid('MAILBOX_NOT_FOUND', 'The mailbox has been deleted meanwhile');

/** Hands the message over. It may have gone out where nobody knows: whether it has is seen by IMAP. */
export async function submitProof(
  { mailTransport }: Pick<Context, 'mailTransport'>,
  login: ProvenLogin,
): Promise<void> {
  try {
    await mailTransport.submit(login.access, proofMessage(login));
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'outcome_unknown')) throw error;
  }
}

/** The message from a mailbox to itself. */
function proofMessage({ access, proofId }: ProvenLogin): OutgoingMessage {
  return {
    to: access.email,
    subject: subjectOf(proofId),
    text:
      'This message proves that the mailbox sends and can be read, for the service to which it is being ' +
      'connected. It is deleted as soon as it was found.\r\n',
    messageId: `<proof-${proofId}@${access.email.split('@')[1]!}>`,
  };
}

const subjectOf = (proofId: string) => `Connecting this mailbox ${proofId}`;

/** Notes that the message was read, from then on it may be gone, and whether the login is the address's own. */
export const seenBy =
  (context: Pick<Context, 'db' | 'clock' | 'dns'>, mailboxId: number, login: ProvenLogin) =>
  async () => {
    const now = context.clock.now();
    const isOwn = await isAddressProven(context, login);
    const { proofId, isSameInbox } = login;
    const stays = isOwn === undefined && isSameInbox;
    const seen = { proof_seen_at: now, ...(!stays && { address_proven_at: isOwn ? now : null }) };
    const isNoted = await noteProofSeen(context.db, { mailboxId, proofId }, seen);
    if (!isNoted) throw deletedMeanwhile();
  };

/** Undefined: name servers do not answer. That fails no proof, and what the same login has shown before stays. */
async function isAddressProven(
  { dns }: Pick<Context, 'dns'>,
  { access }: ProvenLogin,
): Promise<boolean | undefined> {
  const domain = access.email.split('@')[1]!;
  const exchangers = await dns.resolveMx(domain).catch(() => undefined);
  return exchangers && provesAddress(access, exchangers);
}

/** Whether it has come in, now or before. */
export async function takeOut(
  imap: ImapSession,
  { proofId, isSeen }: ProvenLogin,
  noteSeen: () => Promise<void>,
): Promise<boolean> {
  const subject = subjectOf(proofId);
  const folders = await imap.folders();
  let isFound = isSeen;
  for (const role of PLACES) {
    if (role === 'sent' && !isFound) break;
    for (const { path } of folders.filter((folder) => folder.role === role)) {
      await imap.open(path);
      const uids = await imap.search(path, { name: 'Subject', value: subject });
      if (uids.length === 0) continue;
      if (!isFound) {
        await noteSeen();
        isFound = true;
      }
      await imap.remove(path, uids);
    }
  }
  return isFound;
}

/** What the owner has to cure ends the proof; what may pass is retried, a host for some times only. */
export function problemOf(
  login: ProvenLogin,
  protocol: Protocol,
  { error, isLate }: { error: unknown; isLate: boolean },
): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, facts } = error;
  const said = connectionCodeOf(error);
  const isPassword = said === 'LOGIN_REFUSED' || said === 'APP_PASSWORD_NEEDED';
  const code = isPassword && login.access.servers.oauth ? 'ACCESS_REFUSED' : said;
  if (code === undefined) return error;
  if (code === 'HOST_UNREACHABLE' && !isLate) return error;
  const isMessage = kind === 'rejected' && facts.reply !== undefined;
  if (isMessage) return problem(login, 'PROOF_REFUSED', { protocol, reply: facts.reply });
  const told = code === 'TLS_REFUSED' ? error.message.split(': ').at(-1) : undefined;
  return problem(login, code, { protocol, reply: facts.loginReply ?? facts.reply ?? told });
}

/** A message that was taken and is not found. */
export const notDelivered = (login: ProvenLogin) =>
  problem(login, 'PROOF_NOT_DELIVERED', { protocol: 'IMAP' });

function problem(
  { access, preset }: ProvenLogin,
  code: ConnectionCode,
  { protocol, reply }: { protocol: Protocol; reply?: string | undefined },
) {
  const { password, servers } = access;
  const { username } = servers;
  const secrets = [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`\0${username}\0${password}`).toString('base64'),
  ];
  const { host } = protocol === 'SMTP' ? servers.smtp : servers.imap;
  const words = vendorWords(reply, secrets);
  const guidance = servers.oauth ? OAUTH_GUIDANCE : presetOf(preset)?.guidance;
  return invalid(code, connectionWords(code, { protocol, host }, { words, guidance }));
}
