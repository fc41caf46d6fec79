/** The letters of a campaign in their order, with short built-in reminders where no text is given. */
import type { CampaignStep, StepVariant, WrittenStep } from './campaigns.ts';

/** Choice 12. */
export const MAX_FOLLOWUPS = 10;

/** What a client has written: the first letter and the follow-ups after it. */
export interface WrittenSequence {
  /** Position 0 is the first letter. */
  steps: readonly WrittenStep[];
  /** No more follow-ups than this, whatever is written. */
  maxFollowups: number;
  /** Of built-in reminders, and where a follow-up has none of its own. */
  followupDelayDays: number;
}

/**
 * All letters of a campaign. Where fewer follow-ups are written than `maxFollowups`, reminders
 * follow: in the same thread, never the first text again, never one twice in a row. Choice 10.
 */
export function sequenceOf(written: WrittenSequence): CampaignStep[] {
  const { steps, maxFollowups, followupDelayDays } = written;
  const letters = steps
    .filter(({ position }) => position <= maxFollowups)
    .map((step) => ({ ...step, delayDays: step.delayDays ?? followupDelayDays }));
  for (let position = letters.length; position <= maxFollowups; position += 1) {
    letters.push(reminder(position, followupDelayDays));
  }
  return letters;
}

function reminder(position: number, delayDays: number): CampaignStep {
  const bodyTemplate = REMINDERS[(position - 1) % REMINDERS.length]!;
  return { position, delayDays, subjectTemplate: null, bodyTemplate, variants: [] };
}

/** Each has a few ways to say the same, so that no two recipients compare notes. */
const REMINDERS = [
  `{Hi|Hello} {{firstName}},

{did you have a chance to read my last message?|I wanted to make sure that you saw my last message.} {I would be glad to hear what you think.|A short answer is enough.}

{Best regards|Kind regards}
{{senderName}}`,
  `{Hi|Hello} {{firstName}},

{I am coming back to my message below.|a short note on my message below.} {If somebody else is the right person for this, a name would help me a lot.|Is this something for you, or should I ask somebody else?}

{Best regards|Kind regards}
{{senderName}}`,
  `{Hi|Hello} {{firstName}},

{if now is not a good time, tell me when to ask again.|is there a better time to come back to this?} {I am happy to wait.|Any hint helps.}

{Best regards|Kind regards}
{{senderName}}`,
  `{Hi|Hello} {{firstName}},

{I do not want to fill your inbox.|I will keep this short.} {If this is of no interest, just tell me and I will not ask again.|A "no" is a good answer too.}

{Best regards|Kind regards}
{{senderName}}`,
];

/** One of the texts of a step; 0 is its own. A variant without a subject has that of the step. */
export function variantOf(step: CampaignStep, variant: number): StepVariant {
  const own = { subjectTemplate: step.subjectTemplate ?? undefined };
  const other = step.variants[variant - 1];
  if (!other) return { ...own, bodyTemplate: step.bodyTemplate };
  return {
    subjectTemplate: other.subjectTemplate ?? own.subjectTemplate,
    bodyTemplate: other.bodyTemplate,
  };
}
