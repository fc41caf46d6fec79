/** Messages that are made to be slow to read: nothing of them may cost more than their length. */
import { expect, it } from 'vitest';
import { raw } from '../corpus/mail/message.ts';
import { classOf } from '../support/inbox/score-messages.ts';

const SIZE = 500_000;
/** With room for a machine that is busy; what grows faster than its length takes minutes. */
const MAX_CPU_MS = 3_000;

const HOSTILE: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'letters and spaces': 'a ',
  'words without an end': 'thank you for your message ',
  'half phrases of machines': 'i am we are i will be back when reply until ',
  'half phrases of people': 'please remove me from stop sending do not ',
  'dots of dates': '1.2.3.',
  'question marks': 'what?',
  colons: 'from: a@b.test ',
  'lines of fields': 'Name: a@b.test\n',
  'almost quotes': 'On Monday Anna <a@b.test> wrote\n',
  dashes: '-- a --',
  angles: '<a@b<',
  brackets: '[({',
  typos: 'unsubsubscriscri',
  chinese: '请不要再给我',
  arabic: 'لا تراسلوني ',
  cyrillic: 'не пишите мне ',
  'combining marks': 'é́́',
};

it.each(Object.entries(HOSTILE))('reads 500 kB of %s at once', async (_name, piece) => {
  const text = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
  const message = (subject: string, body: string) =>
    raw({ text: body, subject, headers: { 'In-Reply-To': '<one@acme.test>' } });
  const startedAt = process.cpuUsage();
  await classOf(message('Re: A question', text));
  await classOf(message(text.slice(0, 5_000).replaceAll('\n', ' '), 'No.'));
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(MAX_CPU_MS);
});
