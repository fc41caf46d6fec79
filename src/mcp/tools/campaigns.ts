/** Campaigns: their texts, their times, whom they write to. None of these tools sends anything. */
import { z } from 'zod';
import { zoneOfAccount } from '../../domain/accounts/account-zone.ts';
import { isOutreachError, type Campaign } from '../../../clients/typescript/src/index.ts';
import { cut } from '../lists.ts';
import { ToolRefusal } from '../refusal.ts';
import { READS, SETS, tool, WRITES } from '../tool.ts';

export const campaignSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  pauseReason: z.string().nullable(),
  warning: z.string().nullable(),
  subjectTemplate: z.string(),
  timezone: z.string(),
  useRecipientTimezone: z.boolean(),
  activeDays: z.array(z.string()),
  startTime: z.string(),
  endTime: z.string(),
  messages: z.int().describe('The first one and its follow-ups'),
  mailboxIds: z.array(z.string()),
  leadListIds: z.array(z.int()),
  leads: z.int(),
  sent: z.int(),
  replied: z.int(),
});

export const campaignOf = (campaign: Campaign): z.input<typeof campaignSchema> => ({
  ...campaign,
  messages: 1 + campaign.maxFollowups,
  mailboxIds: campaign.assignedMailboxes,
  ...campaign.stats,
});

const texts = {
  name: z.string().min(1).max(200),
  subjectTemplate: z.string().min(1).describe('May hold variables: {{firstName|there}}'),
  bodyTemplate: z
    .string()
    .min(1)
    .describe(
      'Text, or HTML. {{firstName}}, {{company}}, {{role}}, {{city}}, {{senderName}}, {{custom.name}}, each with a fallback as {{firstName|there}}; {Hi|Hello} takes one. Sender, postal address and unsubscribe link are added by themselves',
    ),
  followUps: z
    .array(
      z.strictObject({
        delayDays: z.int().min(1).max(60),
        bodyTemplate: z.string().min(1),
        subjectTemplate: z.string().optional().describe('Without it: a reply in the thread'),
      }),
    )
    .max(10)
    .describe('To those who have not answered, in this order'),
  mailboxIds: z.array(z.int()).min(1).describe('Who sends'),
  leadListIds: z.array(z.int()).describe('Who is written to'),
};

const zone = z.string().optional();

const times = {
  timezone: zone.describe('IANA name, of days and times'),
  useRecipientTimezone: z
    .boolean()
    .optional()
    .describe('Days and times are those of each recipient, where theirs are known'),
  activeDays: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).optional(),
  startTime: z.string().optional().describe('Such as 09:00'),
  endTime: z.string().optional().describe('Such as 17:00'),
  maxNewLeadsPerDay: z.int().min(1).optional(),
};

interface Texts {
  followUps?: z.output<typeof texts.followUps> | undefined;
  mailboxIds?: number[] | undefined;
}

/** In the words of the API. */
const bodyOf = <Given extends Texts>({ followUps, mailboxIds, ...rest }: Given) => ({
  ...rest,
  ...(mailboxIds && { assignedMailboxes: mailboxIds.map(String) }),
  ...(followUps && {
    steps: followUps.map((step, at) => ({ order: at + 1, ...step })),
    maxFollowups: followUps.length,
  }),
});

const createCampaign = tool({
  name: 'create_campaign',
  title: 'Draft a campaign',
  description:
    'Makes a draft, which sends nothing: look at it with preview_campaign. `skipped` counts people who cannot be written to, by reason.',
  annotations: WRITES,
  input: z.strictObject({
    ...texts,
    followUps: texts.followUps.default([]),
    ...times,
    timezone: zone.describe(
      'IANA name, of days and times. Default: that of the account, or America/New_York for a key that may not read it',
    ),
  }),
  output: campaignSchema.extend({ skipped: z.record(z.string(), z.int()) }),
  async run(input, { outreach }) {
    const timezone = input.timezone ?? (await zoneOfAccount(outreach));
    const made = await outreach.campaigns.create({ body: { ...bodyOf(input), timezone } });
    return { ...campaignOf(made), skipped: { ...made.skippedReasons } };
  },
});

const NOT_SENDING = ['draft', 'paused', 'completed', 'cancelled'] as const;

const sendsNow = () =>
  new ToolRefusal('The campaign sends at the moment', {
    code: 'INVALID_STATE',
    next: 'Pause it with control_job, change it, then start_campaign.',
  });

const updateCampaign = tool({
  name: 'update_campaign',
  title: 'Change a campaign that does not send',
  description:
    'Changes texts, times, mailboxes or lists; fields left out stay. A campaign that sends has to be paused first, and starting it again asks for a confirmation.',
  annotations: SETS,
  input: z.strictObject({ id: z.int(), ...partial(texts), ...times }),
  output: campaignSchema,
  async run({ id, ...input }, { outreach }) {
    // New lists of an active campaign would be written to at once, without a confirmation. Looked at by the API, too:
    // somebody else may start it at this moment. An older one reads past `ifStatus`.
    const refuseSending = async () => {
      const { status } = await outreach.campaigns.read({ id });
      if (status === 'active') throw sendsNow();
    };
    await refuseSending();
    const body = { ...bodyOf(input), ifStatus: [...NOT_SENDING] };
    try {
      return campaignOf(await outreach.campaigns.update({ id, body }));
    } catch (error) {
      if (isOutreachError(error, 'INVALID_STATE')) await refuseSending();
      throw error;
    }
  },
});

const noteSchema = z.object({ field: z.string(), message: z.string() });

const previewCampaign = tool({
  name: 'preview_campaign',
  title: 'Show what a campaign would send',
  description:
    'Shows the messages as one person would get them, what a start would be refused for, and how good the addresses are.',
  annotations: READS,
  input: z.strictObject({
    id: z.int(),
    leadId: z.int().optional().describe('Default: the first lead of the campaign'),
  }),
  output: z.object({
    ready: z.boolean(),
    problems: z.array(noteSchema),
    warnings: z.array(noteSchema),
    leads: z.int(),
    mailboxes: z.int().describe('Those that can send'),
    addresses: z.record(z.string(), z.int()),
    missingValues: z
      .array(
        z.object({
          variable: z.string(),
          fields: z.array(z.string()),
          leads: z.int(),
          examples: z.array(z.object({ id: z.int(), name: z.string() })),
        }),
      )
      .describe('What people lack of what the texts say without a fallback'),
    messages: z.array(
      z.object({
        delayDays: z.int(),
        subject: z.string(),
        text: z.string(),
        isAnswer: z.boolean(),
        missing: z.array(z.string()).describe('Variables that are empty for this person'),
      }),
    ),
  }),
  async run({ id, leadId }, { outreach }) {
    const preflight = await outreach.campaigns.readPreflight({ id });
    const { letters } = await outreach.campaigns.preview({ id, body: { leadId } });
    const messages = letters.map((letter) => ({ ...letter, text: cut(letter.text, 2_000) }));
    return { ...preflight, addresses: { ...preflight.addresses }, messages };
  },
});

/** Each of them may be left out. */
function partial<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).partial().shape;
}

export const campaignTools = [createCampaign, updateCampaign, previewCampaign];
