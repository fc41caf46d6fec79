/** The numbers of warm-up, each with its reason. Settings of a user are in `warmup.ts`. */

export const WARMUP_RULES = {
  /** Messages go out between these hours of a day: nobody writes to colleagues at night. */
  wakeHour: 8,
  sleepHour: 20,
  /** With less than this share of the waking hours left, a day is not begun: it would be a burst. */
  leastShareOfDay: 0.25,

  /**
   * Messages (not answers) to the same partner: more between two strangers would look made. The
   * week's bound is two on each weekday, so that a small installation does not run dry.
   */
  pairDailyMax: 2,
  pairWeeklyMax: 10,
  /** Share of a day's messages for seed addresses where there are partners: seeds are few. */
  seedShare: 0.2,
  /** How often partners are looked for where nobody is enrolled yet; seconds of sending. */
  partnerRetrySeconds: 600,
  /** Candidates considered for a day's plan: more than the largest volume needs. */
  candidates: 120,

  /** An answer follows after minutes to hours, as people's do; seconds of sending. */
  answerAfterSeconds: { from: 20 * 60, to: 5 * 3600 },
  /** Answers to answers are rarer, and a thread ends after so many messages. */
  answerToAnswerShare: 0.5,
  longestThread: 4,

  /** How many days health covers: mailbox providers forgive at about that pace. */
  healthDays: 7,
  /** Seen messages that are taken as good beforehand, so that one message in spam is no verdict. */
  healthPrior: 5,
  /** The same for lost messages: one in the first days is chance. */
  lossPrior: 20,
  /** A lost message (bounced, refused) weighs so many times one in spam: addresses here all exist. */
  lossWeight: 5,
  /** Below, the volume is halved; from `healedAt` on it is whole again (apart, so that it rests). */
  throttleBelow: 70,
  healedAt: 80,
  /** Below, nothing is sent: two in three are in spam, and each more makes it worse. */
  quarantineBelow: 40,
  /**
   * The same share at which a campaign pauses (docs/sending-rules.md#when-sending-pauses), once it says
   * something.
   */
  quarantineBounceRate: 0.05,
  quarantineMinMessages: 20,
  /** Nothing is sent for so long at least; then what is left of the seven days has to be clean. */
  quarantineDays: 3,
  /** How often a refused login is retried: a person has to correct the password. */
  loginRetrySeconds: 3_600,

  /** How long messages that were not found in the partner's mailbox are searched for. */
  lookDays: 3,
} as const;
