/** What answers mean in eighteen languages, whatever their headers say. Choice 34. */
import { describe, expect, it } from 'vitest';
import { WORDINGS } from '../corpus/mail/in-other-words.ts';
import { quoted, raw } from '../corpus/mail/message.ts';
import { SAYINGS } from '../corpus/mail/many-languages.ts';
import { MORE_SAYINGS } from '../corpus/sayings/index.ts';
import { SECOND } from '../corpus/sayings/second.ts';
import { REPORTS } from '../corpus/mail/reports-and-others.ts';
import { classOf, scoreMessages, type TakenFor } from '../support/inbox/score-messages.ts';

const SENT = '<o.7f3a9c51@mail.acme-outreach.test>';
const TO = 'Anna <anna@mail.acme-outreach.test>';
const ANSWERING = { 'In-Reply-To': SENT, References: SENT };

const answer = (text: string, headers: Record<string, string> = {}, subject = 'Re: A question') =>
  raw({ text: text + quoted, subject, to: TO, headers: { ...ANSWERING, ...headers } });

/** Texts that are taken for something else. */
async function misread(
  texts: readonly string[],
  expected: readonly TakenFor[],
  headers: Record<string, string>,
): Promise<string[]> {
  const taken = await Promise.all(texts.map((text) => classOf(answer(text, headers))));
  return texts.flatMap((text, at) =>
    expected.includes(taken[at]!) ? [] : [`${taken[at]}: ${text}`],
  );
}

const HELPDESKS: Record<string, string>[] = [
  { Precedence: 'bulk' },
  { 'Auto-Submitted': 'auto-generated' },
  { 'X-Auto-Response-Suppress': 'All' },
];
const RESPONDER = { 'Auto-Submitted': 'auto-replied' };

describe.each(Object.entries(SAYINGS))('%s', (_language, { automatic, optOuts, answers }) => {
  it('is understood without telling headers', async () => {
    expect(await misread(automatic, ['auto_reply'], {})).toEqual([]);
    expect(await misread(optOuts, ['unsubscribe'], {})).toEqual([]);
    expect(await misread(answers, ['reply'], {})).toEqual([]);
  });

  it.each(HELPDESKS)('is understood against the headers of a helpdesk: %o', async (headers) => {
    expect(await misread(automatic, ['auto_reply'], headers)).toEqual([]);
    expect(await misread(optOuts, ['unsubscribe'], headers)).toEqual([]);
    expect(await misread(answers, ['reply'], headers)).toEqual([]);
  });

  it('is never taken for a machine by the header of a responder alone', async () => {
    expect(await misread(automatic, ['auto_reply'], RESPONDER)).toEqual([]);
    expect(await misread(optOuts, ['unsubscribe'], RESPONDER)).toEqual([]);
    expect(await misread(answers, ['reply'], RESPONDER)).toEqual([]);
  });
});

describe.each(Object.entries(MORE_SAYINGS))('more of %s', (_language, sayings) => {
  it('is understood', async () => {
    const { automatic, optOuts, answers } = sayings;
    expect(await misread(automatic, ['auto_reply'], {})).toEqual([]);
    expect(await misread(optOuts, ['unsubscribe'], {})).toEqual([]);
    expect(await misread(answers, ['reply'], {})).toEqual([]);
  });
});

describe('other wordings', () => {
  it('are understood as well', async () => {
    const messages = WORDINGS.map(([is, text, subject, headers]) => ({
      id: text.slice(0, 60),
      class: is,
      raw: answer(text, headers, subject),
    }));
    expect(messages.length).toBeGreaterThan(150);
    expect((await scoreMessages(messages)).mistakes).toEqual([]);
  });
});

describe('a second set of messages', () => {
  it('is told apart', async () => {
    const messages = SECOND.map(([is, text, subject, headers]) => ({
      id: text.slice(0, 30),
      class: is,
      raw: answer(text, headers, subject),
    }));
    expect((await scoreMessages(messages)).mistakes).toEqual([]);
  });
});

describe('reports, notices and strangers', () => {
  it('are told apart, true bounces from forged ones', async () => {
    const messages = REPORTS.map(([is, id, source]) => ({ id, class: is, raw: source }));
    expect((await scoreMessages(messages)).mistakes).toEqual([]);
  });
});

/** docs/sending-rules.md#headers-against-the-text */
describe('a text against headers that say a machine wrote it', () => {
  const CONTRADICTED = [RESPONDER, ...HELPDESKS];

  it.each([
    ['Interesting.', 'reply'],
    ['Interessant.', 'reply'],
    ['Not interested.', 'reply'],
    ['Yes, please', 'reply'],
    ['Sounds good, Tuesday at 10?', 'reply'],
    ['Hi Anna, interesting.', 'reply'],
    ['We use another tool for this and it works well enough for our team.', 'reply'],
    ['Hmm.', 'needs_review'],
    ['OK', 'needs_review'],
    ['No', 'needs_review'],
    ['Thanks', 'needs_review'],
    ['Noted.', 'needs_review'],
    ['Merci', 'needs_review'],
    ['شكرا', 'needs_review'],
    ['Will do.', 'needs_review'],
    ['Forwarded to Tim.', 'needs_review'],
    ['Please call 030 123456.', 'needs_review'],
    ['See attachment', 'needs_review'],
    ['I am out of the office until Monday.', 'auto_reply'],
    ['Please remove me from your list.', 'unsubscribe'],
  ] as const)('%s: %s', async (text, expected) => {
    for (const headers of CONTRADICTED) {
      expect(await classOf(answer(text, headers))).toBe(expected);
    }
  });

  it.each(['Hmm.', 'OK', 'Will do.', 'Interesting.'])(
    'is an answer without them: %s',
    async (text) => {
      expect(await classOf(answer(text))).toBe('reply');
    },
  );
});

describe('a giant text', () => {
  it('costs no more than its beginning', async () => {
    const startedAt = process.cpuUsage();
    for (const word of ['please remove ', 'i am ', 'ne plus ', '不要', 'a'])
      await classOf(answer(word.repeat(200_000 / word.length)));
    const { user } = process.cpuUsage(startedAt);
    expect(user / 1_000).toBeLessThan(4_000);
  });
});
