/** The message of a placement test: the campaign's own, to a lead of it, as it would be sent now. Choice 124. */
import type { Kysely } from 'kysely';
import { findUser, missingSenderFields } from '../../db/accounts/accounts.ts';
import { findLinkOrigin } from '../../db/domains/tracking-domains.ts';
import { findUserCampaign, type Campaign } from '../../db/campaigns/campaigns.ts';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { findRecipient, readSender } from '../../db/sending/message-setting.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { languageOf } from '../../domain/sending/message-languages.ts';
import { pageLanguageOf } from '../../domain/sending/page-words.ts';
import { PREVIEW_TOKEN, type RecipientLinks } from '../../domain/sending/recipient-links.ts';
import { sequenceMessages, type SequenceMessage } from '../../domain/sending/sequence-messages.ts';

/** No message has this id: links made of it look and lead on like others, but count and unsubscribe nobody. */
export const NO_SEND_ID = 0;

export interface TestedMessage {
  userId: string;
  campaignId: number;
  mailbox: { id: number; email: string };
  step: number;
  variant: number | undefined;
  leadId: number | undefined;
}

export interface RenderedTest {
  content: SequenceMessage;
  senderName: string;
  leadId: number | null;
}

interface Links {
  recipientLinks: Pick<RecipientLinks, 'at'>;
  /** LINKS_HOST. */
  linksHost: string | undefined;
}

/** `links` undefined: only to see whether it can be rendered. Throws what its owner has to cure. */
export async function renderTestMessage(
  db: Kysely<Database>,
  { userId, campaignId, mailbox, step, variant, leadId: asked }: TestedMessage,
  links: Links | undefined,
): Promise<RenderedTest> {
  const campaign = await findUserCampaign(db, userId, campaignId);
  if (!campaign) throw notFound('campaign', { field: 'campaignId', ids: [campaignId] });
  const missing = missingSenderFields(await findUser(db, userId));
  if (missing.length > 0) {
    const details = missing.map((field) => ({ field, message: `${field} is not set` }));
    const message = `Messages need the account’s ${missing.join(' and ')}: PATCH /v1/account`;
    throw invalid('CAMPAIGN_NOT_READY', message, details);
  }
  const [steps, found, sender] = await Promise.all([
    loadSequence(db, campaignId),
    findRecipient(db, campaign, asked),
    readSender(db, userId, { email: mailbox.email, mailboxId: mailbox.id }),
  ]);
  if (!found) throw notFound('lead', { field: 'leadId', ids: [asked!] });
  const language = pageLanguageOf(languageOf(campaign.language, steps[0]));
  const origin = await findLinkOrigin(db, campaign.tracking_domain_id, links?.linksHost);
  const own = linksOf(campaign, language, links?.recipientLinks.at(origin));
  const given = { campaign, steps, sender, ...found, links: own };
  const content = sequenceMessages(given, { step, variant })[0]!;
  if (content.isEmpty) {
    throw invalid('CAMPAIGN_NOT_READY', 'Nothing is left of the subject or the body');
  }
  return { content, senderName: sender.name, leadId: found.leadId };
}

function linksOf(campaign: Campaign, language: string, links: RecipientLinks | undefined) {
  if (!links) return { unsubscribeUrl: PREVIEW_TOKEN, unsubscribeToken: PREVIEW_TOKEN };
  return {
    unsubscribeUrl: links.unsubscribeUrl(NO_SEND_ID, language),
    unsubscribeToken: links.unsubscribeToken(NO_SEND_ID, language),
    ...(campaign.track_opens && { openUrl: links.openUrl(NO_SEND_ID) }),
    ...(campaign.track_clicks && { clickUrl: (url: string) => links.clickUrl(NO_SEND_ID, url) }),
  };
}
