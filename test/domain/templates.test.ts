/** Templates: variables, what is refused, and texts that cannot break out of where they stand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillTemplate,
  templateProblems,
  TEMPLATE_VARIABLES,
  usesVariable,
  type TemplateUse,
  type TemplateValues,
} from '../../src/domain/campaigns/templates.ts';

const fill = (template: string, values: TemplateValues = {}, use: TemplateUse = 'text') =>
  fillTemplate(template, { values, seed: 'x', use });

describe('variables', () => {
  it('are filled, all of them, with spaces around the name or without', () => {
    for (const name of Object.keys(TEMPLATE_VARIABLES)) {
      expect(templateProblems(`{{${name}}}`)).toEqual([]);
      expect(fill(`a {{ ${name} }} b`, { [name]: 'X' })).toBe('a X b');
    }
  });

  it.each([
    ['Hi {{firstName|there}},', {}, 'Hi there,'],
    ['Hi {{firstName|there}},', { firstName: 'Ann' }, 'Hi Ann,'],
    ['Hi {{firstName}},', { firstName: '  ' }, 'Hi,'],
    ['Hi {{firstName}} {{lastName}}!', {}, 'Hi!'],
    ['Is {{company}} growing?', {}, 'Is growing?'],
    ['{{firstName}}, a word', {}, 'a word'],
    ['A ({{city}}) b', {}, 'A b'],
    ['one\n{{company}}\ntwo', {}, 'one\ntwo'],
    ['Best,\n{{senderName}}', {}, 'Best,\n'],
    ['At {{company}}', {}, 'At'],
  ])('%j with %j is %j (Choice 9: fallback, no gaps)', (template, values, expected) => {
    expect(fill(template, values)).toBe(expected);
  });

  it.each([
    ['您好 {{firstName}}，\n我们', '您好，\n我们'],
    ['{{firstName}}，您好', '您好'],
    ['مرحبا {{firstName}}، كيف', 'مرحبا، كيف'],
    ['こんにちは {{firstName}}。次', 'こんにちは。次'],
    ['こんにちは　{{firstName}}！', 'こんにちは！'],
    ['Hi {{firstName}}…', 'Hi…'],
    ['Hi {{firstName}}—quick', 'Hi—quick'],
    ['Hi {{firstName}} – quick', 'Hi – quick'],
    ['{{firstName}} – quick', 'quick'],
    ['{{firstName}}! Welcome', 'Welcome'],
    ['¿Qué tal, {{firstName}}?', '¿Qué tal?'],
    ['Thanks, {{firstName}}!', 'Thanks!'],
    ['Thanks, {{firstName}}.', 'Thanks.'],
    ['Hello, {{firstName}}, how', 'Hello, how'],
    ['您好，{{firstName}}！', '您好！'],
    ['Bonjour\u00a0{{firstName}}\u00a0!', 'Bonjour\u00a0!'],
    ['Bonjour {{firstName}} {{lastName}} !', 'Bonjour !'],
    ['Merci, {{firstName}} !', 'Merci !'],
    ['Hi {{firstName}} , x', 'Hi, x'],
    ['Best, {{firstName}}', 'Best,'],
    ['a\u00a0{{firstName}} b', 'a\u00a0b'],
    ['Hi&nbsp;{{firstName}}, x', 'Hi, x'],
    ['A （{{city}}） b', 'A b'],
    ['A & {{firstName}} & B', 'A & & B'],
  ])('leave no gap in %j: %j', (template, expected) => {
    expect(fill(template)).toBe(expected);
  });

  it.each(['\u200b', '\u00a0', '\u2060\u200d', '\u3164', '\ufe0f'])(
    'of nothing that is seen (%j) are empty',
    (firstName) => {
      expect(fill('Hi {{firstName}}, x', { firstName })).toBe('Hi, x');
      expect(fill('Hi {{firstName|there}}, x', { firstName })).toBe('Hi there, x');
    },
  );

  it.each(['דנה \u200f(א)', '(א) \u200eAcme', 'سارة \u061c(ب)'])(
    'keep the marks that right-to-left texts need: %j',
    (firstName) => {
      expect(fill('{{firstName}}', { firstName }, 'subject')).toBe(firstName);
    },
  );

  it('lose what turns the direction of the text behind them', () => {
    const turning = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069'];
    for (const mark of turning)
      expect(fill('{{firstName}}', { firstName: `A${mark}b` })).toBe('Ab');
  });

  it('are never read again as templates', () => {
    expect(fill('{{firstName}}', { firstName: '{{email}} {a|b}', email: 'x' })).toBe(
      '{{email}} {a|b}',
    );
  });

  it('are found behind spintax', () => {
    expect(usesVariable('{a|{b|{{unsubscribeUrl}}}}', 'unsubscribeUrl')).toBe(true);
    expect(usesVariable('unsubscribeUrl', 'unsubscribeUrl')).toBe(false);
  });
});

describe('templateProblems', () => {
  it.each([
    ['{{frstName}}', '{{frstName}}'],
    ['{a|{{nobody|x}}}', '{{nobody}}'],
    ['{{#firstName}}x{{/firstName}}', '{{#firstName}}'],
    ['{{^firstName}}x{{/firstName}}', '{{^firstName}}'],
    ['{{> footer}}', '{{> footer}}'],
    ['{{! remark }}', '{{! remark }}'],
    ['{{&firstName}}', '{{&firstName}}'],
    ['{{=<% %>=}}', '{{=<% %>=}}'],
    ['{{{firstName}}}', '{{{firstName}}}'],
    ['{{firstName|{{lastName}}}}', '{{firstName|…}}'],
    ['{{firstName|dear {{lastName}} there}}', '{{firstName|…}}'],
    ['{{ firstName | {{ lastName | friend }} }}', '{{ firstName |…}}'],
    ['{{firstName|{friend|pal}}}', '{{firstName|…}}'],
    ['{Hi|Hello {{firstName|{{lastName}}}}}', '{{firstName|…}}'],
    ['{{first name|there}}', '{{first name|…}}'],
    ['{{first name}}', '{{first name}}'],
    ['{{firstName}', '{{firstName}'],
    ['Hi {firstName}', '{firstName}'],
    ['{{constructor}}', '{{constructor}}'],
    ['{'.repeat(60_000), '{'],
  ])('%.40j is refused, naming it', (template, named) => {
    const problems = templateProblems(template);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join(' ')).toContain(named);
  });

  it.each([
    'a { b } c | d }',
    '<style>@media (x) { a { color: red } }</style><p>{{firstName}}</p>',
    '{{{firstName}}|there} is spintax',
    '{{a|b}|c}',
    'never } closed {',
  ])('%j is fine', (template) => {
    expect(templateProblems(template)).toEqual([]);
  });
});

describe('what values may do', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      '\r',
      '\n',
      '\u2028',
      '\u0000',
      '\t',
      '<',
      '>',
      '"',
      "'",
      '&',
      '{',
      'a',
      'ü',
    ),
  });

  it('no value ends a header (RFC 5322, 2.2)', () => {
    fc.assert(
      fc.property(nasty, nasty, (firstName, company) => {
        const subject = fill(
          '{{firstName}} at {{company|x\r\ny}}',
          { firstName, company },
          'subject',
        );
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });

  it('no value is markup in HTML, in text or in an attribute', () => {
    fc.assert(
      fc.property(nasty, (company) => {
        const html = fill('<a href="{{company|x}}">{{company|x}}</a>', { company }, 'html');
        expect(html.replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).toMatch(
          /^<a href="[^"<>&']*">[^<>"'&]*<\/a>$/,
        );
      }),
    );
  });

  it('nothing is lost from a text without variables', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', ',', '.', '}', '|') }),
        (text) => {
          expect(fill(text)).toBe(text);
        },
      ),
    );
  });

  it('reading never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '{{', '}', '}}', '|', 'firstName', '#', ' ') }),
        (template) => {
          expect(Array.isArray(templateProblems(template))).toBe(true);
          expect(typeof fill(template, { firstName: 'Ann' })).toBe('string');
        },
      ),
    );
  });
});
