/** People outside who take part in warm-up: they read its messages and answer some, like partners. */
import { choose } from '../domain/seeded-choice.ts';
import { warmupIdsAmong } from '../domain/warmup/warmup-message-id.ts';
import type { AcceptedMessage } from './mail/mail-records.ts';

export const SEED_DOMAIN = 'seeds.test';

/** The host of their mailboxes, and one password for all. */
export const SEED_HOST = 'imap.seeds.test';
export const SEED_PASSWORD = 'seeds-sandbox-password';

/** Enough seeds for the first days of a mailbox without partners. */
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

/** `WARMUP_SEED_MAILBOXES` of the world. */
export const SEED_MAILBOXES = SEED_ADDRESSES.map((email) => {
  const login = [email, SEED_PASSWORD].map((part) => encodeURIComponent(part)).join(':');
  return `imaps://${login}@${SEED_HOST}`;
}).join(',');

/** More than partners', since answers are all that a seed shows. */
const ANSWERED_PERCENT = 60;

const ANSWERS = [
  'Thanks for the note, that works for me.',
  'Good to hear from you. Let me look into it and come back to you this week.',
  'Yes, I think so too. Shall we talk about it on the phone?',
  'Thank you, I have passed it on. I will tell you what they say.',
  'That sounds fine. I have nothing to add for now.',
];

/** The text of a seed's answer to a message; undefined where it only reads it. */
export function seedAnswer({ to, messageId }: AcceptedMessage): string | undefined {
  if (!to.toLowerCase().endsWith(`@${SEED_DOMAIN}`)) return undefined;
  if (
    warmupIdsAmong([messageId]).length === 0 ||
    choose(`${messageId}/answered`, 100) >= ANSWERED_PERCENT
  )
    return undefined;
  return ANSWERS[choose(`${messageId}/answer`, ANSWERS.length)]!;
}
