/** Writes the messages of warm-up: plain text, no links, another one for each token. */
import { isRoleAddress } from '../email-validation/email-roles.ts';
import { choose } from '../seeded-choice.ts';
import { CLOSINGS, FILLINGS, GREETINGS, SIDE_NOTES, WARMUP_TOPICS } from './warmup-topics.ts';
import type { WarmupTopic } from './topics/topic.ts';

/** A message of a thread, oldest first; the token decides every word of it. */
export interface WarmupSheet {
  token: string;
  from: string;
  to: string;
  /** When it was sent; what a quote says. */
  at: Date;
}

export interface WarmupText {
  subject: string;
  /** LF line ends. */
  text: string;
}

/**
 * The last message of a thread: a message of its own, or an answer in the same topic that quotes the
 * one before. The same thread gives the same words, so that nothing of them has to be kept.
 */
export function writeWarmupMessage(thread: readonly WarmupSheet[]): WarmupText {
  const first = thread[0];
  const last = thread.at(-1);
  if (first === undefined || last === undefined) throw new Error('A thread has a message');
  const pick = picker(first.token);
  const topic = pick('topic', WARMUP_TOPICS);
  const subject = fill(pick('subject', topic.subjects), first.token, first.token);
  if (thread.length === 1) return { subject, text: ownText(topic, first) };
  const before = thread.at(-2)!;
  const said =
    thread.length === 2 ? ownText(topic, before) : answerText(topic, before, first.token);
  const quote = said.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  const attribution = `On ${dateOf(before.at)}, ${nameOf(before.from) ?? before.from} wrote:`;
  const text = [answerText(topic, last, first.token), attribution, quote.join('\n')].join('\n\n');
  return { subject: `Re: ${subject}`, text };
}

function ownText(topic: WarmupTopic, sheet: WarmupSheet): string {
  const { token } = sheet;
  const pick = picker(token);
  const body = [pick('opening', topic.openings)];
  const middle = choose(`${token}/middle`, topic.middles.length);
  const further = 1 + choose(`${token}/further`, topic.middles.length);
  // The fifth of five is the first one again: then there is no second.
  const second = (middle + further) % topic.middles.length;
  body.push(topic.middles[middle]!);
  if (second !== middle) body.push(topic.middles[second]!);
  if (pick('noted', [true, false])) body.push(pick('note', SIDE_NOTES));
  body.push(pick('ask', topic.asks));
  return framed(sheet, paragraphs(body, token), token);
}

function answerText(topic: WarmupTopic, sheet: WarmupSheet, rootToken: string): string {
  const { token } = sheet;
  const pick = picker(token);
  const body = [pick('answer', topic.answers), pick('after', topic.afters)];
  if (choose(`${token}/noted`, 3) === 0) body.push(pick('note', SIDE_NOTES));
  return framed(sheet, paragraphs(body, token), rootToken);
}

/** Greeting, text and signature; what is filled in comes from the thread, so that answers fit. */
function framed({ token, from, to }: WarmupSheet, body: string, rootToken: string): string {
  const pick = picker(token);
  const addressee = nameOf(to);
  const greeting =
    addressee === undefined ? 'Hello' : `${pick('greeting', GREETINGS)} ${addressee}`;
  const signature = [pick('closing', CLOSINGS), nameOf(from)].filter(Boolean).join(',\n');
  return `${greeting},\n\n${fill(body, token, rootToken)}\n\n${signature}`;
}

/** All in one paragraph, or the last sentence in its own. */
function paragraphs(sentences: string[], token: string): string {
  if (choose(`${token}/paragraphs`, 2) === 0) return sentences.join(' ');
  return `${sentences.slice(0, -1).join(' ')}\n\n${sentences.at(-1)}`;
}

const picker =
  (token: string) =>
  <T>(slot: string, pieces: readonly T[]): T =>
    pieces[choose(`${token}/${slot}`, pieces.length)]!;

type Filling = keyof typeof FILLINGS;

/** Days, things and places are the thread's; times, numbers and names are the message's own. */
const SHARED: ReadonlySet<string> = new Set(['day', 'otherday', 'thing', 'place', 'month']);

function fill(text: string, token: string, rootToken: string): string {
  const day = choose(`${rootToken}/day`, FILLINGS.day.length);
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, slot: Filling) => {
    // The other day is another one.
    if (slot === 'otherday') {
      const ahead = 1 + choose(`${rootToken}/otherday`, FILLINGS.day.length - 1);
      return FILLINGS.day[(day + ahead) % FILLINGS.day.length]!;
    }
    return picker(SHARED.has(slot) ? rootToken : token)(slot, FILLINGS[slot]);
  });
  return capital(filled.replaceAll('’', "'"));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `anna.berg@acme.com` -> `Anna`; undefined for `sales@` and what is no name. */
export function nameOf(email: string): string | undefined {
  const local = email.slice(0, email.indexOf('@'));
  const first = /^[a-z]+/.exec(local)?.[0] ?? '';
  if (first.length < 3 || first.length > 12 || isRoleAddress(local) || isRoleAddress(first)) {
    return undefined;
  }
  return capital(first);
}

/** `anna.berg@acme.com` -> `Anna Berg`; what stands before the address in `From`. */
export function fullNameOf(email: string): string | undefined {
  if (nameOf(email) === undefined) return undefined;
  const parts = email.slice(0, email.indexOf('@')).split(/[._-]/);
  const words = parts.filter((part) => /^[a-z]{2,}$/.test(part));
  return words.slice(0, 2).map(capital).join(' ') || undefined;
}

/** `Tue, 3 Mar 2026 at 10:12`, UTC. */
function dateOf(at: Date): string {
  const [weekday, day, month, year, time] = at.toUTCString().split(' ');
  return `${weekday} ${Number(day)} ${month} ${year} at ${time!.slice(0, 5)}`;
}
