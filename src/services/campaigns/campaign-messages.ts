/** Previews of a campaign's messages. Choice 58. */
import type { Context } from '../../context.ts';
import { listCampaignMailboxes } from '../../db/campaigns/campaign-leads.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { findRecipient, readSender } from '../../db/sending/message-setting.ts';
import { notFound } from '../../domain/errors.ts';
import type { MessageRecipient } from '../../domain/sending/message-content.ts';
import {
  sequenceMessages,
  type MessageChoice,
  type SequenceMessage,
  type SequenceSetting,
} from '../../domain/sending/sequence-messages.ts';
import { previewLinks } from './campaign-links.ts';
import { getUserCampaign } from './campaigns.ts';

type Needs = Pick<Context, 'db' | 'config'>;

export interface Subject {
  userId: string;
  id: number;
}

export interface Preview {
  /** Null: no lead is enrolled, and the messages are rendered for a made-up person. */
  leadId: number | null;
  letters: SequenceMessage[];
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
  const sender = await readSender(context.db, userId, { email, mailboxId: mailbox_id });
  const given = { campaign, steps, leadId, recipient, sender };
  return { leadId, letters: await messagesTo(given, choice, context) };
}

export async function recipientOf(
  { db }: Pick<Context, 'db'>,
  campaign: Campaign,
  asked: number | undefined,
): Promise<{ leadId: number | null; recipient: MessageRecipient }> {
  const found = await findRecipient(db, campaign, asked);
  if (!found) throw notFound('lead', { field: 'leadId', ids: [asked!] });
  return found;
}

/** The link of a message that was never sent unsubscribes nobody. */
export const messagesTo = async (
  given: Omit<SequenceSetting, 'links'> & { campaign: Campaign },
  choice: MessageChoice,
  context: Needs,
): Promise<SequenceMessage[]> =>
  sequenceMessages({ ...given, links: await previewLinks(context, given.campaign) }, choice);
