/** Proves that a mailbox elsewhere sends and can be read, by what its own mail program would do. Choice 105. */
import { activityInfo } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import type { ProvenLogin } from '../../src/db/mailboxes/connected-mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';
import {
  loginToProve,
  notDelivered,
  problemOf,
  seenBy,
  submitProof,
  takeOut,
  TRIES,
  type Protocol,
} from './connection-proof.ts';

interface ConnectionStep {
  operationId: number;
  mailboxId: number;
}

type ConnectionContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailTransport' | 'dns'
>;

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
    await asked(login, 'SMTP', () => submitProof(context, login));
  },

  /**
   * Not there yet: `not_ready`. Takes the message out again, so that no inbox ever shows it. Safe to repeat: what was
   * read is noted before it is deleted.
   */
  async readConnectionProof({ mailboxId }: ConnectionStep): Promise<void> {
    const login = await loginToProve(context, mailboxId);
    const isFound = await asked(login, 'IMAP', async () => {
      const imap = await context.mailTransport.openImap(login.access);
      try {
        return await takeOut(imap, login, seenBy(context, mailboxId, login));
      } finally {
        await imap.close();
      }
    });
    if (isFound) return;
    const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
    if (waitedMs >= context.config.MAILBOX_PROOF_SECONDS * 1_000) throw notDelivered(login);
    throw new ProviderError('not_ready', 'The message is not there yet', {
      provider: 'mail-transport',
    });
  },
});

const isLate = () => activityInfo().attempt >= TRIES;

async function asked<T>(
  login: ProvenLogin,
  protocol: Protocol,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(login, protocol, { error, isLate: isLate() });
  }
}
