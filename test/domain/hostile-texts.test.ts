/** Texts that are made to be slow to read. Each took from seconds to hours of a process that serves everybody. */
import { describe, expect, it } from 'vitest';
import { companyNameKey } from '../../src/domain/leads/company-names.ts';
import { textOfHtml } from '../../src/domain/sending/message-bodies.ts';
import { fillTemplate } from '../../src/domain/campaigns/templates.ts';
import { textForModel } from '../../src/domain/inbox/interest/text-for-model.ts';
import { refusedRowWords } from '../../src/domain/suppressions/refused-rows.ts';
import { redactPerson } from '../../src/domain/suppressions/redact-person.ts';
import { sameWords } from '../../src/providers/email-verifiers/smtp-replies.ts';
import { cpuMs } from '../support/cpu-time.ts';

const LIMIT_MS = 2_500;
const TIMEOUT = { timeout: 300_000 };

const filled = (template: string) => fillTemplate(template, { values: {}, seed: 'x', use: 'text' });

describe('a template with an empty value', () => {
  const BLANKS = 60_000;

  it.each([
    ['blanks', ' '.repeat(BLANKS)],
    ['tabs', '\t'.repeat(BLANKS)],
    ['lines that begin with blanks', '\n  '.repeat(BLANKS / 3)],
    ['empty values', '{{lastName}} '.repeat(5_000)],
    ['empty values in brackets', '({{lastName}}'.repeat(5_000)],
  ])('is filled in time with many %s', TIMEOUT, async (_, text) => {
    expect(await cpuMs(() => filled(`Hi {{firstName}}!${text}x`))).toBeLessThan(LIMIT_MS);
  });

  it('keeps the blanks that are not beside it', () => {
    expect(filled(`Hi {{firstName}}!${' '.repeat(5)}x`)).toBe(`Hi!${' '.repeat(5)}x`);
  });
});

describe('the text of HTML with elements that are very deep in each other', () => {
  const DEEP = ['ul', 'ul><li', 'ol><li', 'blockquote', 'div', 'b', 'p', 'a', 'table><tr><td'];
  const ends = (tag: string) => tag.split('><').toReversed().join('></');
  const cases = DEEP.flatMap((tag) => [300, 5_000, 100_000].map((depth) => [tag, depth] as const));

  it.each(cases)('is made in time: <%s> %i times', TIMEOUT, async (tag, depth) => {
    for (const end of ['', `</${ends(tag)}>`.repeat(depth)]) {
      // The longest template.
      const html = `<p>Hi</p>${`<${tag}>`.repeat(depth)}there${end}<p>Ann</p>`.slice(0, 100_000);
      let text = '';
      expect(await cpuMs(() => (text = textOfHtml(html)))).toBeLessThan(LIMIT_MS);
      const isWhole = html.endsWith('Ann</p>');
      expect(text).toMatch(isWhole ? /^Hi\s[^]*there[^]*Ann\s*$/ : /^Hi/);
    }
  });

  it.each([`title="1 > 0"`, `title='a > "b"'`, `title="it's > one" class='x>y'`])(
    'has nothing of an attribute: %s',
    (attribute) => {
      const html = `${`<div ${attribute}>`.repeat(300)}there${'</div>'.repeat(300)}<p>Ann</p>`;
      expect(textOfHtml(html)).toMatch(/^there\s+Ann$/);
    },
  );

  it.each(['<p "', `<p '"`, `<p "'`, `"<p '`, `<p '"'`, '<p =""', `<p a="'" '`])(
    'is made in time with quotes that do not end: %j',
    TIMEOUT,
    async (unit) => {
      const html = `${'<div>'.repeat(300)}${unit.repeat(98_000 / unit.length)}`;
      expect(await cpuMs(() => textOfHtml(html))).toBeLessThan(LIMIT_MS);
    },
  );

  it('is as ever where they are not', () => {
    const table = '<table><tr><td>'.repeat(20) + 'in' + '</td></tr></table>'.repeat(20);
    expect(textOfHtml(`<ul><li>one</li><li>two</li></ul>${table}`)).toBe(' * one\n * two\n\nin');
  });
});

describe('an answer for a model', () => {
  it.each(['@', 'a@', 'a', '.a', '@.aa', '0 ', '(0'])(
    'is masked in time: %j',
    TIMEOUT,
    async (unit) => {
      const text = unit.repeat(Math.ceil(4_000 / unit.length));
      const time = await cpuMs(() =>
        textForModel({ text: `Yes, ${text} please`, fromName: 'Ann' }),
      );
      expect(time).toBeLessThan(LIMIT_MS);
    },
  );
});

describe('a text in which a person is erased', () => {
  const person = {
    emails: ['ann@acme.com'],
    profiles: [],
    phones: [],
    shared: { profiles: [], phones: [] },
    names: ['ann lee'],
  };

  it.each(['a', '日', '.', '@', 'a.', '0', '0 ', 'a '])(
    'is redacted in time: %j',
    TIMEOUT,
    async (unit) => {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      const time = await cpuMs(() => redactPerson(`x@${text}☃ ${text}☃`, person));
      expect(time).toBeLessThan(LIMIT_MS);
    },
  );
});

describe('a row of a lead file that may be about an erased person', () => {
  it.each(['.', '@', 'a.', '/'])('is looked through in time: %j', TIMEOUT, async (unit) => {
    const cells = [unit.repeat(Math.ceil(100_000 / unit.length))];
    expect(await cpuMs(() => refusedRowWords(cells, {}))).toBeLessThan(LIMIT_MS);
  });
});

describe('a name of a company', () => {
  it.each(['-', ' ', ', ', '& '])('is read in time: %j', TIMEOUT, async (unit) => {
    const name = `Acme${unit.repeat(20_000)}`;
    expect(await cpuMs(() => companyNameKey(name))).toBeLessThan(LIMIT_MS);
  });
});

describe('replies of a mail server', () => {
  it.each(['a', '0', 'a.', '@', '<', '<a', 'a0', '-'])(
    'are compared in time: %j',
    TIMEOUT,
    async (unit) => {
      const text = unit.repeat(64_000 / unit.length);
      const reply = { code: 550, enhanced: '5.0.0', text };
      expect(await cpuMs(() => sameWords(reply, { ...reply }))).toBeLessThan(LIMIT_MS);
    },
  );
});
