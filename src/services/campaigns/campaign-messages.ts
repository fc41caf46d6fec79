/** Previews of a campaign's messages. Choice 58. */
import type { Context } from '../../context.ts';
import { findUser } from '../../db/accounts/accounts.ts';
import { listCampaignMailboxes } from '../../db/campaigns/campaign-leads.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { findFirstLeadId, findMessageRecipient } from '../../db/sending/message-facts.ts';
import { listSenders } from '../../db/mailboxes/mailboxes.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import { notFound, validationError } from '../../domain/errors.ts';
import {
  chooseVariant,
  renderMessage,
  type MessageContent,
  type MessageRecipient,
  type MessageSender,
  type MessageThread,
} from '../../domain/sending/message-content.ts';
import { languageOf } from '../../domain/sending/message-languages.ts';
import { PREVIEW_TOKEN } from '../../domain/sending/recipient-links.ts';
import { getUserCampaign } from './campaigns.ts';

type Needs = Pick<Context, 'db' | 'config'>;

export interface Subject {
  userId: string;
  id: number;
}

export interface PreviewedMessage extends MessageContent {
  position: number;
  delayDays: number;
  variant: number;
}

export interface Preview {
  /** Null: no lead is enrolled, and the messages are rendered for a made-up person. */
  leadId: number | null;
  letters: PreviewedMessage[];
}

/** What to show or send as a test; by default what the lead would get. */
export interface MessageChoice {
  leadId?: number | undefined;
  /** The position of one message of the sequence. */
  step?: number | undefined;
  /** 0 is the step's own text. */
  variant?: number | undefined;
}

/** The messages as this lead would get them, from the mailbox that is assigned first. */
export async function previewCampaign(
  context: Needs,
  { userId, id }: Subject,
  choice: MessageChoice,
): Promise<Preview> {
  const campaign = await getUserCampaign(context, userId, id);
  const [steps, mailboxes, { leadId, recipient }] = await Promise.all([
    loadSequence(context.db, id),
    listCampaignMailboxes(context.db, id),
    recipientOf(context, campaign, choice.leadId),
  ]);
  const { email = 'you@example.com', mailbox_id } = mailboxes[0] ?? {};
  const sender = await senderOf(context, userId, { email, mailboxId: mailbox_id });
  const given = { campaign, steps, leadId, recipient, sender };
  return { leadId, letters: messagesTo(given, choice, context) };
}

/** A made-up person, for campaigns without leads. */
const NOBODY: MessageRecipient = {
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

export async function recipientOf(
  { db }: Pick<Context, 'db'>,
  campaign: Campaign,
  asked: number | undefined,
): Promise<{ leadId: number | null; recipient: MessageRecipient }> {
  const leadId = asked ?? (await findFirstLeadId(db, campaign.id));
  const recipient =
    leadId === undefined ? undefined : await findMessageRecipient(db, campaign.user_id, leadId);
  if (asked !== undefined && recipient === undefined) throw notFound('lead');
  return recipient === undefined
    ? { leadId: null, recipient: NOBODY }
    : { leadId: leadId!, recipient };
}

export async function senderOf(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { email, mailboxId }: { email: string; mailboxId: number | undefined },
): Promise<MessageSender> {
  const user = await findUser(db, userId);
  const senders = await listSenders(db, mailboxId === undefined ? [] : [mailboxId]);
  const own = senders.get(mailboxId ?? 0);
  const name = own?.name ?? user?.sender_name ?? '';
  const signature = own?.signature ?? null;
  return { name, email, postalAddress: user?.postal_address ?? '', signature };
}

export function messagesTo(
  given: {
    campaign: Campaign;
    steps: readonly CampaignStep[];
    leadId: number | null;
    recipient: MessageRecipient;
    sender: MessageSender;
  },
  choice: MessageChoice,
  { config }: Pick<Context, 'config'>,
): PreviewedMessage[] {
  const { campaign, recipient, sender } = given;
  checkChoice(given.steps, choice);
  const messages: PreviewedMessage[] = [];
  const language = languageOf(campaign.language, given.steps[0]);
  let thread: MessageThread | null = null;
  for (const step of given.steps) {
    const seed = { campaignId: campaign.id, leadId: given.leadId ?? 0, position: step.position };
    const asked = hasVariant(step, choice.variant) ? choice.variant : undefined;
    const variant = asked ?? chooseVariant(step, seed);
    // The link of a message that was never sent unsubscribes nobody.
    const links = {
      unsubscribeUrl: `${config.PUBLIC_URL.replace(/\/+$/, '')}/u/${PREVIEW_TOKEN}`,
      unsubscribeToken: PREVIEW_TOKEN,
    };
    const setting = { sender, links, language, textOnly: campaign.text_only };
    const order = { step, variant, seed, recipient, thread, ...setting };
    const content: MessageContent = renderMessage(order);
    if (!content.isAnswer) thread = { subject: content.subject, messageIds: [] };
    messages.push({ ...content, position: step.position, delayDays: step.delayDays, variant });
  }
  return choice.step === undefined ? messages : [messages[choice.step]!];
}

const hasVariant = (step: CampaignStep | undefined, variant: number | undefined): boolean =>
  step !== undefined && (variant ?? 0) <= step.variants.length;

/** A variant without a step needs one message that has it. */
function checkChoice(steps: readonly CampaignStep[], { step, variant }: MessageChoice): void {
  const at = (field: string, message: string) =>
    validationError([{ field, message: `${field} ${message}` }]);
  if (step !== undefined && !steps[step]) {
    throw at('step', `must be at most ${steps.length - 1}: 0 is the first message`);
  }
  const shown = step === undefined ? steps : [steps[step]];
  if (!shown.some((each) => hasVariant(each, variant))) {
    throw at('variant', 'must be one that the message has: 0 is its own text');
  }
}
