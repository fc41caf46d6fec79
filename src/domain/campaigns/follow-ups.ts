/** The messages of a campaign in order, with short built-in reminders where no text is given. */
import type { CampaignStep, StepVariant, WrittenStep } from './campaigns.ts';
import { languageOf, messageLanguageOf } from '../sending/message-languages.ts';
import { reminderText } from '../sending/reminders.ts';

/** Choice 12. */
export const MAX_FOLLOWUPS = 10;

/** What a client has written: the first message and the follow-ups after it. */
export interface WrittenSequence {
  /** Position 0 is the first message. */
  steps: readonly WrittenStep[];
  /** The maximum number of follow-ups, however many are written. */
  maxFollowups: number;
  /** The delay of built-in reminders, and of follow-ups without their own. */
  followupDelayDays: number;
  /** The campaign's language; null: that of its first message. */
  language: string | null;
}

/**
 * All messages of a campaign. Where fewer follow-ups are written than `maxFollowups`, reminders
 * follow: in the same thread, never the first text again, never one twice in a row. Choice 10.
 */
export function sequenceOf(written: WrittenSequence): CampaignStep[] {
  const { steps, maxFollowups, followupDelayDays } = written;
  const messages = steps
    .filter(({ position }) => position <= maxFollowups)
    .map((step) => ({ ...step, delayDays: step.delayDays ?? followupDelayDays }));
  if (messages.length > maxFollowups) return messages;
  const language = messageLanguageOf(languageOf(written.language, steps[0]));
  for (let position = messages.length; position <= maxFollowups; position += 1) {
    const bodyTemplate = reminderText(language, position - 1);
    messages.push({
      position,
      delayDays: followupDelayDays,
      subjectTemplate: null,
      bodyTemplate,
      variants: [],
    });
  }
  return messages;
}

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
