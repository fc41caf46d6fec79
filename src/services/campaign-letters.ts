/** Letters of a campaign before it sends: how they look, and one of them to oneself. Choice 58. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { findUser } from '../db/accounts.ts';
import { listCampaignMailboxes, outReasonOf } from '../db/campaign-leads.ts';
import type { Campaign } from '../db/campaigns.ts';
import { loadSequence } from '../db/campaign-steps.ts';
import { takeHourly } from '../db/hourly-limits.ts';
import {
  findFirstLeadId,
  findLetterRecipient,
  findMailboxLogin,
  isSuppressed,
} from '../db/letter-facts.ts';
import { listSenderNames, passwordBinding } from '../db/mailboxes.ts';
import type { CampaignStep } from '../domain/campaigns.ts';
import { addressKey, type EmailAddress } from '../domain/email-address.ts';
import {
  invalid,
  notFound,
  OutreachError,
  ProviderError,
  upstreamUnavailable,
} from '../domain/errors.ts';
import {
  chooseVariant,
  renderLetter,
  type LetterContent,
  type LetterRecipient,
  type LetterSender,
} from '../domain/letter-content.ts';
import { getUserCampaign } from './campaigns.ts';

type Needs = Pick<Context, 'db' | 'config'>;

interface Subject {
  userId: string;
  id: number;
}

export interface PreviewedLetter extends LetterContent {
  position: number;
  delayDays: number;
  variant: number;
}

export interface Preview {
  /** Null: nobody is enrolled, and the letters are to somebody made up. */
  leadId: number | null;
  letters: PreviewedLetter[];
}

/** All letters as this lead would get them, from the mailbox that is assigned first. */
export async function previewCampaign(
  context: Needs,
  { userId, id }: Subject,
  asked: number | undefined,
): Promise<Preview> {
  const campaign = await getUserCampaign(context, userId, id);
  const [steps, mailboxes, { leadId, recipient }] = await Promise.all([
    loadSequence(context.db, id),
    listCampaignMailboxes(context.db, id),
    recipientOf(context, campaign, asked),
  ]);
  const { email = 'you@example.com', mailbox_id } = mailboxes[0] ?? {};
  const sender = await senderOf(context, userId, { email, mailboxId: mailbox_id });
  return { leadId, letters: lettersTo({ campaign, steps, leadId, recipient, sender }, context) };
}

/** Somebody who does not exist, for campaigns without leads. */
const NOBODY: LetterRecipient = {
  firstName: 'Alex',
  lastName: 'Example',
  email: 'alex@example.com',
  role: 'Owner',
  company: 'Example Ltd',
  companyDomain: 'example.com',
  website: 'https://example.com',
  city: 'London',
  countryCode: 'GB',
};

async function recipientOf(
  { db }: Pick<Context, 'db'>,
  campaign: Campaign,
  asked: number | undefined,
): Promise<{ leadId: number | null; recipient: LetterRecipient }> {
  const leadId = asked ?? (await findFirstLeadId(db, campaign.id));
  const recipient =
    leadId === undefined ? undefined : await findLetterRecipient(db, campaign.user_id, leadId);
  if (asked !== undefined && recipient === undefined) throw notFound('lead');
  return recipient === undefined
    ? { leadId: null, recipient: NOBODY }
    : { leadId: leadId!, recipient };
}

async function senderOf(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { email, mailboxId }: { email: string; mailboxId: number | undefined },
): Promise<LetterSender> {
  const user = await findUser(db, userId);
  const names = await listSenderNames(db, mailboxId === undefined ? [] : [mailboxId]);
  const name = names.get(mailboxId ?? 0) ?? user?.sender_name ?? '';
  return { name, email, postalAddress: user?.postal_address ?? '' };
}

function lettersTo(
  given: {
    campaign: Campaign;
    steps: readonly CampaignStep[];
    leadId: number | null;
    recipient: LetterRecipient;
    sender: LetterSender;
  },
  { config }: Pick<Context, 'config'>,
): PreviewedLetter[] {
  const { campaign, recipient, sender } = given;
  const letters: PreviewedLetter[] = [];
  for (const step of given.steps) {
    const seed = { campaignId: campaign.id, leadId: given.leadId ?? 0, position: step.position };
    const variant = chooseVariant(step, seed);
    // A link of a letter that was never sent unsubscribes nobody.
    const links = { unsubscribeUrl: `${config.PUBLIC_URL.replace(/\/+$/, '')}/u/preview` };
    const thread = letters[0] ? { subject: letters[0].subject, messageIds: [] } : null;
    const content = renderLetter({ step, variant, seed, recipient, sender, links, thread });
    letters.push({ ...content, position: step.position, delayDays: step.delayDays, variant });
  }
  return letters;
}

/**
 * The first letter from one of the campaign's mailboxes, marked `[Test]`. It is no letter of the
 * campaign: nothing counts it, and its unsubscribe link unsubscribes nobody.
 */
export async function sendTestEmail(
  context: Needs & Pick<Context, 'cipher' | 'mailTransport' | 'clock'>,
  subject: Subject,
  { to, leadId }: { to: EmailAddress; leadId?: number | undefined },
): Promise<{ from: string; subject: string; reply: string }> {
  const { userId, id } = subject;
  const campaign = await getUserCampaign(context, userId, id);
  if (await isSuppressed(context.db, userId, addressKey(to))) {
    throw invalid('RECIPIENT_SUPPRESSED', 'This address is on the suppression list');
  }
  const login = await usableLogin(context, campaign);
  await takeTest(context, userId);
  const sender = await senderOf(context, userId, login);
  const [steps, recipient] = await Promise.all([
    loadSequence(context.db, id),
    recipientOf(context, campaign, leadId),
  ]);
  const given = { campaign, steps: steps.slice(0, 1), sender, ...recipient };
  const letter = lettersTo(given, context)[0]!;
  const testSubject = `[Test] ${letter.subject}`;
  const raw = await context.mailTransport.compose({
    from: { address: login.email, name: sender.name },
    to: to.email,
    subject: testSubject,
    text: letter.text,
    html: letter.html,
    messageId: `<test-${randomUUID()}@${login.email.split('@')[1]}>`,
    date: context.clock.now(),
  });
  const reply = await submitTest(context, login, { from: login.email, to: to.email, raw });
  return { from: login.email, subject: testSubject, reply };
}

/** No limit of sending counts a test, and its text and its recipient are anybody's. */
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

interface Login {
  mailboxId: number;
  host: string;
  email: string;
  password: string;
}

async function usableLogin(
  context: Pick<Context, 'db' | 'cipher'>,
  campaign: Campaign,
): Promise<Login> {
  const mailboxes = await listCampaignMailboxes(context.db, campaign.id);
  for (const mailbox of mailboxes) {
    if (outReasonOf(mailbox, 'first') !== null) continue;
    const login = await findMailboxLogin(context.db, mailbox.mailbox_id);
    if (!login?.password) continue;
    const password = context.cipher.open(login.password, passwordBinding(mailbox.mailbox_id));
    const mailboxId = mailbox.mailbox_id;
    return { mailboxId, host: login.host_name, email: login.email, password };
  }
  const message = 'assignedMailboxes needs at least one mailbox that can send';
  throw invalid('CAMPAIGN_NOT_READY', message, [{ field: 'assignedMailboxes', message }]);
}

/** Says what the mail server said: who asks for a test wants to know just that. */
async function submitTest(
  { mailTransport }: Pick<Context, 'mailTransport'>,
  login: Login,
  letter: { from: string; to: string; raw: Buffer },
): Promise<string> {
  try {
    const session = await mailTransport.openSubmission(login);
    try {
      return (await session.send(letter, async () => undefined)).reply;
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected' || error.kind === 'rate_limited') {
      const said = error.facts.reply ?? error.message;
      throw invalid('TEST_EMAIL_REFUSED', `The mail server refused the letter: ${said}`);
    }
    if (error.kind === 'outcome_unknown') {
      throw upstreamUnavailable(
        'The connection broke while the letter was sent: it may or may not arrive',
        error,
      );
    }
    throw upstreamUnavailable(`The mail server of ${login.email} is not available`, error);
  }
}
