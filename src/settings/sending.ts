/** Rules of sending (defaults: those of a serious sender). Durations scale with DAY_SECONDS. */
import { z } from 'zod';
import { MTA_STS_MODES } from '../domain/domains/mta-sts.ts';
import { DAY_SECONDS } from '../domain/day.ts';
import { parseSeedMailbox, SEED_MAILBOX_FORM } from '../domain/warmup/seed-mailboxes.ts';
import { list, seconds } from './values.ts';

/** Seconds; the ten minutes that a test promises, less what its start and its verdict take. */
const LONGEST_PLACEMENT_LOOK = 570;

export const sendingSettings = {
  /**
   * Campaigns, inboxes and warm-ups that begin now are worked on by shards of the workers; `false` gives each an
   * activity of its own, which heartbeats while it waits. docs/workflow-rules.md#shards.
   */
  SHARDED_SESSIONS: z.stringbool().default(true),
  /** The MTA-STS policy of domains: `testing` only asks for reports, `enforce` refuses what comes without TLS. */
  MTA_STS_MODE: z.enum(['off', ...MTA_STS_MODES]).default('testing'),
  /** How old a DKIM key gets before the next one takes its place; 0 = keys stay. */
  DKIM_ROTATE_DAYS: z.coerce.number().int().nonnegative().default(180),
  /** Cold messages a day from one mailbox. */
  SEND_MAILBOX_DAILY_LIMIT: z.coerce.number().int().positive().default(30),
  /** Messages a day from one mailbox, warm-up included. */
  SEND_MAILBOX_DAILY_MAX: z.coerce.number().int().positive().default(50),
  SEND_MAILBOX_HOURLY_LIMIT: z.coerce.number().int().positive().default(8),
  /** Between two messages from one mailbox. */
  SEND_MIN_GAP_SECONDS: z.coerce.number().int().nonnegative().default(600),
  /** Share of the gap by which it varies, either way. */
  SEND_GAP_JITTER: z.coerce.number().min(0).max(0.9).default(0.2),
  /** Cold messages a day from all mailboxes of one of our domains; 0 = no limit. */
  SEND_DOMAIN_DAILY_LIMIT: z.coerce.number().int().nonnegative().default(150),
  /** Messages a day of one campaign to one recipient domain, free-mail excepted; 0 = no limit. */
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: z.coerce.number().int().nonnegative().default(2),
  /** Shares over SEND_HEALTH_DAYS at which a campaign is warned about, or paused. */
  SEND_BOUNCE_WARN_RATE: z.coerce.number().min(0).max(1).default(0.02),
  SEND_BOUNCE_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.05),
  SEND_COMPLAINT_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.001),
  SEND_HEALTH_DAYS: z.coerce.number().int().positive().default(7),
  /** With fewer messages, or complaints, the shares are not significant. */
  SEND_HEALTH_MIN_SENDS: z.coerce.number().int().positive().default(50),
  SEND_HEALTH_MIN_COMPLAINTS: z.coerce.number().int().positive().default(2),
  /**
   * Share of messages that are refused as spam or by a policy, over SEND_HEALTH_DAYS, at which the
   * mailbox, the sending domain, the server, or the recipients' provider is paused for so many hours.
   */
  SEND_REJECTION_PAUSE_RATE: z.coerce.number().min(0).max(1).default(0.05),
  SEND_REJECTION_PAUSE_HOURS: z.coerce.number().positive().default(24),
  /** With fewer messages, or refusals, the share is not significant. */
  SEND_REJECTION_MIN_SENDS: z.coerce.number().int().positive().default(20),
  SEND_REJECTION_MIN: z.coerce.number().int().positive().default(3),
  /** Minutes after which a deferred message is retried, one entry per retry; then it is given up. */
  SEND_RETRY_MINUTES: z
    .string()
    .default('1,5,15,60')
    .transform((text) => text.split(',').map(Number))
    .refine((minutes) => minutes.every((each) => each > 0), 'minutes above 0, comma separated'),
  /** External addresses that take part in warm-up, comma separated. */
  WARMUP_SEED_ADDRESSES: list,
  /**
   * `imaps://user%40example.com:password@host`, comma separated: seeds whose mailboxes warm-up reads itself.
   */
  WARMUP_SEED_MAILBOXES: list
    .refine((texts) => texts.every((text) => parseSeedMailbox(text) !== undefined), {
      error: SEED_MAILBOX_FORM,
    })
    .transform((texts) => texts.map((text) => parseSeedMailbox(text)!)),
  /** Days of warm-up before cold mail. */
  WARMUP_DAYS: z.coerce.number().int().positive().default(14),
  /** Cold messages a day on the first day after them, and the increase on each healthy day after. */
  WARMUP_COLD_START: z.coerce.number().int().positive().default(5),
  WARMUP_COLD_INCREASE: z.coerce.number().int().nonnegative().default(5),
  /** How long the message that proves a connected mailbox may take to come back. */
  MAILBOX_PROOF_SECONDS: seconds.default(300),
  /** Logins of an account that mail hosts may refuse in a day (UTC); then no further password is tried. */
  MAILBOX_REFUSED_LOGINS_PER_DAY: z.coerce.number().int().positive().default(500),
  /** When a placement test has decided on all its messages, whatever hangs. */
  PLACEMENT_LOOK_SECONDS: seconds
    .max(LONGEST_PLACEMENT_LOOK, {
      error: `at most ${LONGEST_PLACEMENT_LOOK}: a placement test promises its result within ten minutes`,
    })
    .default(LONGEST_PLACEMENT_LOOK),
  /** How often the folders of a mailbox are listed; at most five times as rarely where nothing comes. */
  INBOX_POLL_SECONDS: seconds.default(60),
  /** Connections to mailboxes that a worker holds at most, some 0.3 MB each; the others are visited. */
  INBOX_CONNECTIONS: z.coerce.number().int().nonnegative().default(600),

  /** How long a day of sending lasts; a development setting. */
  DAY_SECONDS: seconds.default(DAY_SECONDS),
};
