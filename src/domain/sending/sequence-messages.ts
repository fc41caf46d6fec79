/** The messages of a sequence as one lead would get them: for previews and tests, which nobody else gets. Choice 58. */
import type { CampaignStep } from '../campaigns/campaigns.ts';
import { validationError } from '../errors.ts';
import {
  chooseVariant,
  renderMessage,
  type MessageContent,
  type MessageLinks,
  type MessageRecipient,
  type MessageSender,
  type MessageThread,
} from './message-content.ts';
import { languageOf } from './message-languages.ts';

export interface SequenceMessage extends MessageContent {
  position: number;
  delayDays: number;
  variant: number;
}

/** What to show or send as a test; by default what the lead would get. */
export interface MessageChoice {
  leadId?: number | undefined;
  /** The position of one message of the sequence. */
  step?: number | undefined;
  /** 0 is the step's own text. */
  variant?: number | undefined;
}

/** A made-up person, for campaigns without leads. */
export const NOBODY: MessageRecipient = {
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

/** A campaign's sequence, and for whom it is rendered. */
export interface SequenceSetting {
  campaign: { id: number; language: string | null; text_only: boolean };
  steps: readonly CampaignStep[];
  /** Null: a made-up person. */
  leadId: number | null;
  recipient: MessageRecipient;
  sender: MessageSender;
  links: MessageLinks;
}

/** All of them, or the one of `step`. Throws 400 for a step or a variant that is not there. */
export function sequenceMessages(given: SequenceSetting, choice: MessageChoice): SequenceMessage[] {
  const { campaign, recipient, sender, links } = given;
  checkChoice(given.steps, choice);
  const messages: SequenceMessage[] = [];
  const language = languageOf(campaign.language, given.steps[0]);
  let thread: MessageThread | null = null;
  for (const step of given.steps) {
    const seed = { campaignId: campaign.id, leadId: given.leadId ?? 0, position: step.position };
    const asked = hasVariant(step, choice.variant) ? choice.variant : undefined;
    const variant = asked ?? chooseVariant(step, seed);
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
