/** Proves that a mailbox elsewhere sends and can be read, by what its own mail program would do. Choice 105. */
import { activityInfo } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import {
  findLoginToProve,
  updateConnection,
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
import { presetOf } from '../../src/domain/mailboxes/mail-servers.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';

interface ConnectionStep {
  operationId: number;
  mailboxId: number;
}

type ConnectionContext = Pick<Context, 'db' | 'clock' | 'config' | 'cipher' | 'mailTransport'>;

/** A host that does not answer is tried so often; then its owner is told. */
const TRIES = 3;

/** Where a message to oneself may be; it is taken out of all of them. */
const PLACES = ['inbox', 'junk', 'sent'];

export const connectionActivities = (context: ConnectionContext) => ({
  /** Logs in to both servers, and out. Harmless to repeat. */
  async checkConnectedLogins({ mailboxId }: ConnectionStep): Promise<void> {
    const login = await loginToProve(context, mailboxId);
    await asked(login, 'SMTP', () => context.mailTransport.checkSubmission(login.access));
    await asked(login, 'IMAP', () => context.mailTransport.checkImap(login.access));
  },

  /** A repeat may send it twice, to the mailbox itself: both are taken out. */
  async sendConnectionProof({ operationId, mailboxId }: ConnectionStep): Promise<void> {
    const login = await loginToProve(context, mailboxId);
    await assertNotCancelled(context, { operationId });
    const { access, proofId } = login;
    const message = {
      to: access.email,
      subject: subjectOf(proofId),
      text:
        'This message proves that the mailbox sends and can be read, for the service to which it is being ' +
        'connected. It is deleted as soon as it was found.\r\n',
      messageId: `<proof-${proofId}@${access.email.split('@')[1]!}>`,
    };
    try {
      await context.mailTransport.submit(access, message);
    } catch (error) {
      // It may have gone out: whether it has is seen by IMAP.
      if (error instanceof ProviderError && error.kind === 'outcome_unknown') return;
      throw problemOf(login, 'SMTP', error);
    }
  },

  /**
   * Not there yet: `not_ready`. Takes the message out again, so that no inbox ever shows it. Safe to repeat: what was
   * read is noted before it is deleted.
   */
  async readConnectionProof({ mailboxId }: ConnectionStep): Promise<void> {
    const login = await loginToProve(context, mailboxId);
    const noteSeen = () =>
      updateConnection(context.db, mailboxId, { proof_seen_at: context.clock.now() });
    const isFound = await asked(login, 'IMAP', async () => {
      const imap = await context.mailTransport.openImap(login.access);
      try {
        return await takeOut(imap, login, noteSeen);
      } finally {
        await imap.close();
      }
    });
    if (isFound) return;
    const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
    if (waitedMs >= context.config.MAILBOX_PROOF_SECONDS * 1_000) {
      throw problem(login, 'PROOF_NOT_DELIVERED', 'IMAP');
    }
    throw new ProviderError('not_ready', 'The message is not there yet', {
      provider: 'mail-transport',
    });
  },
});

const subjectOf = (proofId: string) => `Connecting this mailbox ${proofId}`;

async function loginToProve(context: ConnectionContext, mailboxId: number): Promise<ProvenLogin> {
  const login = await findLoginToProve(context, mailboxId);
  if (login) return login;
  throw invalid('MAILBOX_NOT_FOUND', 'The mailbox has been deleted meanwhile');
}

/** Whether it has come in, now or before. */
async function takeOut(
  imap: ImapSession,
  { proofId, isSeen }: ProvenLogin,
  noteSeen: () => Promise<void>,
): Promise<boolean> {
  const subject = subjectOf(proofId);
  const folders = await imap.folders();
  let isFound = isSeen;
  for (const role of PLACES) {
    for (const { path } of folders.filter((folder) => folder.role === role)) {
      await imap.open(path);
      const uids = await imap.search(path, { name: 'Subject', value: subject });
      if (uids.length === 0) continue;
      if (!isFound && role !== 'sent') {
        await noteSeen();
        isFound = true;
      }
      if (isFound) await imap.remove(path, uids);
    }
  }
  return isFound;
}

async function asked<T>(
  login: ProvenLogin,
  protocol: AskedServer['protocol'],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(login, protocol, error);
  }
}

/** What the owner has to cure ends the proof; what may pass is retried, a host for some times only. */
function problemOf(login: ProvenLogin, protocol: AskedServer['protocol'], error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, facts } = error;
  const code = connectionCodeOf(error);
  if (code === undefined) return error;
  const isLate = activityInfo().attempt >= TRIES;
  if (code === 'HOST_UNREACHABLE' && !isLate) return error;
  const isMessage = kind === 'rejected' && facts.reply !== undefined;
  if (isMessage) return problem(login, 'PROOF_REFUSED', protocol, facts.reply);
  const said = code === 'TLS_REFUSED' ? error.message.split(': ').at(-1) : undefined;
  return problem(login, code, protocol, facts.loginReply ?? facts.reply ?? said);
}

function problem(
  { access, preset }: ProvenLogin,
  code: ConnectionCode,
  protocol: AskedServer['protocol'],
  reply?: string,
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
  const { guidance } = presetOf(preset) ?? {};
  return invalid(code, connectionWords(code, { protocol, host }, { words, guidance }));
}
