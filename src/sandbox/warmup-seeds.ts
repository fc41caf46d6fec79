/** People outside who take part in warm-up: they read its letters and answer some, as partners do. */
import { choose } from '../domain/seeded-choice.ts';
import { isWarmup } from '../domain/warmup-header.ts';
import type { AcceptedLetter } from './mail-books.ts';

export const SEED_DOMAIN = 'seeds.test';

/** `WARMUP_SEED_ADDRESSES` of the world: enough for the first days of a mailbox that is alone. */
export const SEED_ADDRESSES = [
  'anna.berg',
  'tom.reed',
  'clara.novak',
  'paul.weber',
  'julia.rossi',
  'martin.dupont',
  'nora.lind',
  'peter.kowalski',
].map((name) => `${name}@${SEED_DOMAIN}`);

/** More than partners', since an answer is all that a seed shows of itself. */
const ANSWERED_PERCENT = 60;

const ANSWERS = [
  'Thanks for the note, that works for me.',
  'Good to hear from you. Let me look into it and come back to you this week.',
  'Yes, I think so too. Shall we talk about it on the phone?',
  'Thank you, I have passed it on. I will tell you what they say.',
  'That sounds fine. I have nothing to add for now.',
];

/** The words of a seed's answer to a letter; undefined where it only reads it. */
export function seedAnswer({ to, headers, messageId }: AcceptedLetter): string | undefined {
  if (!to.toLowerCase().endsWith(`@${SEED_DOMAIN}`)) return undefined;
  if (
    !isWarmup(new Map(Object.entries(headers))) ||
    choose(`${messageId}/answered`, 100) >= ANSWERED_PERCENT
  )
    return undefined;
  return ANSWERS[choose(`${messageId}/answer`, ANSWERS.length)]!;
}
