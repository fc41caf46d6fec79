/** Sends one message of a campaign as a test. Choice 58. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { listCampaignMailboxes, outReasonOf } from '../../db/campaigns/campaign-leads.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { takeHourly } from '../../db/accounts/hourly-limits.ts';
import { isSuppressed } from '../../db/sending/message-facts.ts';
import { readSender } from '../../db/sending/message-setting.ts';
import { findMailboxAccess, type MailboxLogin } from '../../db/mailboxes/mailbox-access.ts';
import { addressKey, type EmailAddress } from '../../domain/email-validation/email-address.ts';
import { invalid, OutreachError, ProviderError, upstreamUnavailable } from '../../domain/errors.ts';
import type { MessageChoice } from '../../domain/sending/sequence-messages.ts';
import { messagesTo, recipientOf, type Subject } from '../campaigns/campaign-messages.ts';
import { getUserCampaign } from '../campaigns/campaigns.ts';

type Needs = Pick<Context, 'db' | 'config'>;

/**
 * Sends one message, the first by default, from one of the campaign's mailboxes, marked `[Test]`. It is
 * not counted as a message of the campaign, and its unsubscribe link unsubscribes nobody.
 */
export async function sendTestEmail(
  context: Needs & Pick<Context, 'cipher' | 'mailTransport' | 'clock'>,
  subject: Subject,
  { to, ...choice }: MessageChoice & { to: EmailAddress },
): Promise<{ from: string; subject: string; reply: string }> {
  const { userId, id } = subject;
  const campaign = await getUserCampaign(context, userId, id);
  if (await isSuppressed(context.db, userId, addressKey(to))) {
    throw invalid('RECIPIENT_SUPPRESSED', 'This address is on the suppression list');
  }
  const login = await usableLogin(context, campaign);
  await takeTest(context, userId);
  const sender = await readSender(context.db, userId, login);
  const [steps, recipient] = await Promise.all([
    loadSequence(context.db, id),
    recipientOf(context, campaign, choice.leadId),
  ]);
  const given = { campaign, steps, sender, ...recipient };
  const message = (await messagesTo(given, { step: 0, ...choice }, context))[0]!;
  const testSubject = `[Test] ${message.subject}`;
  const raw = await context.mailTransport.compose({
    from: { address: login.email, name: sender.name },
    to: to.email,
    subject: testSubject,
    text: message.text,
    html: message.html ?? undefined,
    messageId: `<test-${randomUUID()}@${login.email.split('@')[1]}>`,
    date: context.clock.now(),
    headers: message.headers,
  });
  const reply = await submitTest(context, login, { from: login.email, to: to.email, raw });
  noteChange({ after: { mailboxId: login.mailboxId, step: choice.step ?? 0, leftOut: ['to'] } });
  return { from: login.email, subject: testSubject, reply };
}

/** Needed because sending limits do not count tests, whose text and recipient can be anything. */
const TESTS_AN_HOUR = 20;

async function takeTest({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  const seconds = await takeHourly(db, `test-email:${userId}`, TESTS_AN_HOUR);
  if (seconds === undefined) return;
  throw new OutreachError(
    'rate_limited',
    'RATE_LIMITED',
    `No more than ${TESTS_AN_HOUR} test e-mails an hour, try again in ${seconds} seconds`,
  );
}

interface Login extends MailboxLogin {
  mailboxId: number;
}

async function usableLogin(
  context: Pick<Context, 'db' | 'cipher'>,
  campaign: Campaign,
): Promise<Login> {
  const mailboxes = await listCampaignMailboxes(context.db, campaign.id);
  for (const mailbox of mailboxes) {
    if (outReasonOf(mailbox, 'first') !== null) continue;
    const { mailbox_id: mailboxId } = mailbox;
    const access = await findMailboxAccess(context, mailboxId);
    if (access) return { mailboxId, ...access };
  }
  const message = 'assignedMailboxes needs at least one mailbox that can send';
  throw invalid('CAMPAIGN_NOT_READY', message, [{ field: 'assignedMailboxes', message }]);
}

/** Reports what the mail server said, which is what a test is for. */
async function submitTest(
  { mailTransport }: Pick<Context, 'mailTransport'>,
  login: Login,
  message: { from: string; to: string; raw: Buffer },
): Promise<string> {
  try {
    const session = await mailTransport.openSubmission(login);
    try {
      return (await session.send(message, async () => undefined)).reply;
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected' || error.kind === 'rate_limited') {
      const said = error.facts.reply ?? error.message;
      throw invalid('TEST_EMAIL_REFUSED', `The mail server refused the message: ${said}`);
    }
    if (error.kind === 'outcome_unknown') {
      throw upstreamUnavailable(
        'The connection broke while the message was sent: it may or may not arrive',
        error,
      );
    }
    throw upstreamUnavailable(`The mail server of ${login.email} is not available`, error);
  }
}
