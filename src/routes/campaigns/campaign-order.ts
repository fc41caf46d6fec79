/** The fields of a campaign in requests. Spec: POST /v1/campaigns; choices 9-12. */
import { z } from 'zod';
import { RISKY_KINDS } from '../../domain/campaigns/address-risk.ts';
import { CAMPAIGN_STATUSES, WEEKDAYS, type StepVariant } from '../../domain/campaigns/campaigns.ts';
import { MESSAGE_LANGUAGES } from '../../domain/sending/message-languages.ts';
import { PAGE_LANGUAGES } from '../../domain/sending/page-words.ts';
import { MAX_FOLLOWUPS } from '../../domain/campaigns/follow-ups.ts';
import {
  DEFAULT_DAYS,
  inWeekOrder,
  TIME_OF_DAY,
  weekdayOf,
} from '../../domain/campaigns/send-times.ts';
import { canonicalTimeZone } from '../../domain/time-zone.ts';
import { bodyId, oneLineText, shortText } from '../../http/schemas.ts';
import type { CampaignChange } from '../../services/campaigns/campaign-changes.ts';
import type { CampaignOrder } from '../../services/campaigns/campaigns.ts';
import { startsOn } from './campaign-start-shapes.ts';
import { autoWinner, chosenWinners } from './campaign-winner-shapes.ts';

/** Choice 47: bodies have at most 100 kB. */
const body = z.string().trim().min(1).max(100_000);
/** The subject of a message is one line (RFC 5322, 3.6.5). */
const subject = oneLineText;
export const MAX_VARIANTS = 10;
const MAX_MAILBOXES = 1_000;
const MAX_LISTS = 100;

const variants = z
  .array(z.object({ subjectTemplate: subject.optional(), bodyTemplate: body }))
  .max(MAX_VARIANTS);

const delayDays = z.int().min(1).max(90);

const steps = z
  .array(
    z.object({
      order: z.int().min(1).max(MAX_FOLLOWUPS),
      delayDays: delayDays
        .optional()
        .describe('Default: `followupDelayDays` of the campaign, whatever that becomes.'),
      subjectTemplate: subject.optional(),
      bodyTemplate: body,
      variants: variants.optional(),
    }),
  )
  .max(MAX_FOLLOWUPS);

const timezone = z
  .string()
  .max(64)
  .refine((name) => canonicalTimeZone(name) !== undefined, 'must be an IANA time zone')
  .transform((name) => canonicalTimeZone(name)!);

/** Choice 11: full names too, in any case. */
const activeDays = z
  .array(
    z
      .string()
      .max(20)
      .refine(
        (text) => weekdayOf(text) !== undefined,
        'must be mon, tue, wed, thu, fri, sat or sun',
      )
      .transform((text) => weekdayOf(text)!)
      .meta({ type: 'string', enum: [...WEEKDAYS], description: 'In any case; full names, too.' }),
  )
  .min(1)
  .max(50)
  .transform(inWeekOrder);

const time = z.string().regex(TIME_OF_DAY, 'must be a time such as 09:00');

/** Choice 12: ids as strings, as in the specification, or as numbers. */
const mailboxId = z.union(
  [
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
    bodyId,
  ],
  { error: 'must be the id of a mailbox' },
);
const once = (ids: number[]) => [...new Set(ids)];

/** The parts of RFC 5646 that are used here. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'must be a language such as de or pt-BR')
  .max(35)
  .nullable()
  .describe(
    `Of the footer and the page that ends the mails: ${PAGE_LANGUAGES.join(', ')}; of built-in reminders: ` +
      `${MESSAGE_LANGUAGES.join(', ')}. English for others. ` +
      'Null, the default: that in which the first message is written.',
  );

const fields = {
  name: shortText,
  subjectTemplate: subject,
  bodyTemplate: body,
  variants,
  timezone,
  activeDays,
  startTime: time,
  endTime: time,
  assignedMailboxes: z.array(mailboxId).max(MAX_MAILBOXES).transform(once),
  leadListIds: z.array(bodyId).max(MAX_LISTS).transform(once),
  maxFollowups: z.int().min(0).max(MAX_FOLLOWUPS),
  followupDelayDays: delayDays,
  steps,
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  textOnly: z
    .boolean()
    .describe(
      'Sends text/plain alone: what HTML says becomes text, and `trackOpens` and `trackClicks`, which ' +
        'need HTML, are refused.',
    ),
  language,
  minValidationScore: z
    .int()
    .min(1)
    .max(100)
    .nullable()
    .describe('Addresses with a lower score, or none, are held; null: no address is.'),
  riskyAddresses: z
    .partialRecord(z.enum(RISKY_KINDS), z.enum(['allow', 'hold']))
    .describe(
      'Whether addresses of each kind are written to. A held lead waits until the verdict or this ' +
        'changes. Invalid addresses are never written to.',
    ),
  maxNewLeadsPerDay: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe(
      'Leads who get their first message on one day, midnight to midnight in `timezone`; follow-ups ' +
        'are not counted. Null: as many as the mailboxes may send.',
    ),
  newLeadShare: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      'Per cent of the messages that the mailboxes of the campaign may send a day which may be first ' +
        'ones, rounded down, but at least one while above 0. Follow-ups go before and may use all. 0: no ' +
        'new leads; null: no share. With `maxNewLeadsPerDay` the smaller number holds.',
    ),
  trackingDomainId: z
    .int()
    .nullable()
    .describe(
      'A tracking domain of the account: the links of new messages are on it while it is `active`, and on the ' +
        'installation’s own name else. Null: always on that.',
    ),
  useRecipientTimezone: z
    .boolean()
    .describe(
      'Whether days and times are those of the recipient: of the `personTimezone` of the lead, else of the state ' +
        'or country of their company. Where neither tells, they are those of `timezone`.',
    ),
  onlyNeverContacted: z
    .boolean()
    .describe(
      'Leaves out leads to whom, at whatever address, or to whose address the account has ever sent a message of ' +
        'any campaign (`contacted_before`): when they are added, and again before their first message.',
    ),
  startsOn,
  autoWinner,
  stopCompanyOnReply: z
    .boolean()
    .describe(
      'When somebody answers, all others of their company (the `companyId` of the lead) are ended in this ' +
        'campaign (`company_replied`), and who is added later is left out. Automatic answers do not count. ' +
        'Switched on later it holds for answers of before, too; switched off, who was ended stays so.',
    ),
};

export const campaignBody = z
  .object({
    ...fields,
    variants: fields.variants.default([]),
    timezone: fields.timezone.default('America/New_York'),
    activeDays: fields.activeDays.default([...DEFAULT_DAYS]),
    startTime: time.default('09:00'),
    endTime: time.default('17:00'),
    assignedMailboxes: fields.assignedMailboxes.default([]),
    leadListIds: fields.leadListIds.default([]),
    maxFollowups: fields.maxFollowups
      .optional()
      .describe('Default: as many as `steps` has follow-ups, 0 without any.'),
    followupDelayDays: delayDays.default(3),
    steps: steps.default([]),
    trackOpens: z.boolean().default(false),
    trackClicks: z.boolean().default(false),
    trackingDomainId: fields.trackingDomainId.default(null),
    textOnly: fields.textOnly.default(false),
    language: language.default(null),
    minValidationScore: fields.minValidationScore.default(null),
    riskyAddresses: fields.riskyAddresses.default({}),
    maxNewLeadsPerDay: fields.maxNewLeadsPerDay.default(null),
    newLeadShare: fields.newLeadShare.default(null),
    useRecipientTimezone: fields.useRecipientTimezone.default(false),
    onlyNeverContacted: fields.onlyNeverContacted.default(false),
    stopCompanyOnReply: fields.stopCompanyOnReply.default(false),
    startsOn: startsOn.default(null),
    autoWinner: autoWinner.default(null),
  })
  .refine(({ startTime, endTime }) => startTime !== endTime, {
    path: ['endTime'],
    message: 'must differ from startTime',
  });

/**
 * Spec: POST /v1/campaigns. `maxFollowups` is 0 by default, or the number of follow-ups that are given.
 * Choice 10.
 */
export const orderOfCampaign = (given: z.output<typeof campaignBody>): CampaignOrder => ({
  ...given,
  variants: given.variants as StepVariant[],
  maxFollowups: given.maxFollowups ?? given.steps.length,
});

export const campaignChanges = z
  .object(fields)
  .partial()
  .extend({
    archived: z.boolean().optional(),
    winners: chosenWinners.optional(),
    ifStatus: z
      .array(z.enum(CAMPAIGN_STATUSES))
      .min(1)
      .max(CAMPAIGN_STATUSES.length)
      .optional()
      .meta({
        description: 'Change it in one of these statuses alone; in any other: 400 `INVALID_STATE`',
      }),
  });

/** Follow-ups that are added are sent, as on creation. */
export const changeOfCampaign = (
  given: Omit<z.output<typeof campaignChanges>, 'ifStatus'>,
): CampaignChange => ({
  ...given,
  maxFollowups: given.maxFollowups ?? given.steps?.length,
});
