/** Wire shapes of the leads of campaigns. Choice 9. */
import { z } from 'zod';
import { HOLD_REASONS, RECIPIENT_STATUSES } from '../../domain/campaigns/campaigns.ts';
import { timestamp } from '../../http/schemas.ts';
import type { CampaignLeadView } from '../../services/campaigns/campaign-leads.ts';
import { iso } from './campaign-shapes.ts';

const leadFields = {
  leadId: z.int(),
  personFirstName: z.string(),
  personLastName: z.string(),
  personEmail: z.string().nullable(),
  companyName: z.string().nullable(),
  status: z.enum(RECIPIENT_STATUSES),
  step: z.int().describe('Position of the next message; 0 is the first one.'),
  mailboxId: z.int().nullable().describe('Chosen with the first message; follow-ups stay with it.'),
  nextSendAt: timestamp.nullable().describe('Not before then; null: nothing is to come.'),
  holdReason: z.enum(HOLD_REASONS).nullable(),
  explanation: z.string().describe('Why the lead is, or is not, written to: one sentence.'),
  addedAt: timestamp.nullable().describe('Null: it was never added.'),
  updatedAt: timestamp,
};

export const campaignLead = z.object(leadFields).meta({ id: 'CampaignLead' });

export const presentCampaignLead = ({
  lead,
  outlook,
}: CampaignLeadView): z.input<typeof campaignLead> => ({
  leadId: lead.lead_id,
  personFirstName: lead.first_name,
  personLastName: lead.last_name,
  personEmail: lead.email,
  companyName: lead.company_name,
  status: lead.status,
  step: lead.step,
  mailboxId: lead.mailbox_id,
  nextSendAt: iso(outlook.nextSendAt),
  holdReason: outlook.holdReason,
  explanation: outlook.explanation,
  addedAt: iso(lead.added_at),
  updatedAt: lead.updated_at.toISOString(),
});
