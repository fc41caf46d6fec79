/** Values of custom fields: what each type takes, from requests and from files, and how messages write it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writtenValues } from '../../src/domain/campaigns/custom-variables.ts';
import {
  customNamesIn,
  fillTemplate,
  templateProblems,
  unguardedVariables,
} from '../../src/domain/campaigns/templates.ts';
import { readCustomCell } from '../../src/domain/leads/custom-cells.ts';
import {
  CUSTOM_NAME,
  customFits,
  MAX_CUSTOM_TEXT,
  readCustomValue,
  type CustomField,
  type CustomType,
} from '../../src/domain/leads/custom-fields.ts';
import {
  guessCustom,
  namedCustom,
  unknownCustom,
  withCustom,
} from '../../src/domain/leads/lead-file-custom.ts';
import { readLeadRow } from '../../src/domain/leads/lead-file-rows.ts';

const field = (type: CustomType, choices: string[] | null = null): CustomField => ({
  id: 7,
  name: 'x',
  label: 'X',
  type,
  choices,
});

const read = (type: CustomType, given: unknown, choices?: string[]) => {
  const result = readCustomValue(field(type, choices ?? null), given);
  return 'problem' in result ? result.problem : result.value;
};
const cell = (type: CustomType, text: string, choices?: string[]) => {
  const result = readCustomCell(field(type, choices ?? null), text);
  return 'problem' in result ? result.problem : result.value;
};

describe('a value of a request', () => {
  it.each<[CustomType, unknown, unknown]>([
    ['text', '  Bäckerei ', 'Bäckerei'],
    ['text', '👩‍🚀 ü 漢字', '👩‍🚀 ü 漢字'],
    ['text', '__proto__', '__proto__'],
    ['text', '', null],
    ['text', null, null],
    ['number', 0, 0],
    ['number', -0, 0],
    ['number', -12.5, -12.5],
    ['number', 999_999_999_999_999, 999_999_999_999_999],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '0001-01-01', '0001-01-01'],
    ['boolean', false, false],
    ['url', 'acme.example/a?b=c', 'https://acme.example/a?b=c'],
    ['url', 'HTTP://acme.example', 'HTTP://acme.example'],
    ['url', 'https://müller.de', 'https://müller.de'],
  ])('of %s: %j is taken', (type, given, kept) => {
    expect(read(type, given)).toBe(kept);
    expect(Object.is(read(type, given), -0)).toBe(false);
  });

  it.each<[CustomType, unknown]>([
    ['text', 5],
    ['text', ['a']],
    ['text', { toString: 'a' }],
    ['text', 'x'.repeat(MAX_CUSTOM_TEXT + 1)],
    ['text', 'a\u0000b'],
    ['text', 'a\uD800b'],
    ['number', '5'],
    ['number', Number.NaN],
    ['number', Number.POSITIVE_INFINITY],
    ['number', 1e308],
    ['number', 1_000_000_000_000_000],
    ['number', true],
    ['date', '2023-02-29'],
    ['date', '2024-13-01'],
    ['date', '2024-04-31'],
    ['date', '0000-01-01'],
    ['date', '2024-1-1'],
    ['date', '2024-01-01T00:00:00Z'],
    ['date', 20_240_101],
    ['boolean', 'true'],
    ['boolean', 1],
    ['url', 'javascript:alert(1)'],
    ['url', 'mailto:ann@acme.example'],
    ['url', 'acme'],
    ['url', 'https://a b.example'],
    ['url', `https://acme.example/${'x'.repeat(MAX_CUSTOM_TEXT)}`],
  ])('of %s: %j is refused', (type, given) => {
    const result = readCustomValue(field(type), given);
    expect(result).toHaveProperty('problem');
  });

  it('is one of the choices, in any case, and is kept as the choice is written', () => {
    expect(read('text', 'bakery', ['Bakery', 'Straße'])).toBe('Bakery');
    expect(read('text', 'straße', ['Bakery', 'Straße'])).toBe('Straße');
    expect(read('text', 'Butcher', ['Bakery'])).toBe('must be one of Bakery');
  });

  it('is read again as it was kept', () => {
    const values = fc.oneof(
      fc.record({ type: fc.constant('text' as const), given: fc.string({ unit: 'grapheme' }) }),
      fc.record({ type: fc.constant('number' as const), given: fc.double() }),
      fc.record({ type: fc.constant('url' as const), given: fc.webUrl() }),
      fc.record({ type: fc.constant('boolean' as const), given: fc.boolean() }),
      fc.record({
        type: fc.constant('date' as const),
        given: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
      }),
    );
    fc.assert(
      fc.property(values, ({ type, given }) => {
        const first = readCustomValue(field(type), given);
        fc.pre(!('problem' in first));
        const again = readCustomValue(field(type), first.value);
        // As an export writes it.
        const exported = readCustomCell(field(type), String(first.value ?? ''));
        expect([again, exported]).toEqual([first, first]);
      }),
    );
  });
});

describe('a cell of a file', () => {
  it.each<[string, number]>([
    ['1234', 1_234],
    ['1234.5', 1_234.5],
    ['1.234', 1.234],
    ['0,123', 0.123],
    ['12,5', 12.5],
    ['-12,50', -12.5],
    ['1,234.5', 1_234.5],
    ['1.234,5', 1_234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ["1'234'567", 1_234_567],
    ['1 234', 1_234],
    ['1\u00a0234', 1_234],
    ['+5', 5],
  ])('%j is the number %d', (text, number) => {
    expect(cell('number', text)).toBe(number);
  });

  it.each(['1,234', '12 34', '1e5', '0x10', 'NaN', 'many', '1.2.3', '9'.repeat(400), '--1'])(
    '%j is no number that anybody could be sure of',
    (text) => {
      expect(readCustomCell(field('number'), text)).toHaveProperty('problem');
    },
  );

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['2026/3/1', '2026-03-01'],
    ['1.3.2026', '2026-03-01'],
    ['2026-03-01 08:00', '2026-03-01'],
    ['2026-03-01T23:00:00Z', '2026-03-01'],
  ])('%j is the day %s', (text, day) => {
    expect(cell('date', text)).toBe(day);
  });

  it.each(['3/1/2026', '30.2.2026', '1.3.26', '2026', 'tomorrow'])('%j is no day', (text) => {
    expect(cell('date', text)).toBe('is not a day such as 2026-03-01');
  });

  it('says yes and no in several languages', () => {
    expect(['TRUE', 'Yes', 'ja', 'oui', '1', 'x'].map((text) => cell('boolean', text))).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    expect(['false', 'NO', 'Nein', '0'].map((text) => cell('boolean', text))).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect(cell('boolean', 'perhaps')).toBe('is neither true nor false');
    expect(cell('boolean', '')).toBeNull();
  });

  it('that cannot be read refuses its row, and names the column', () => {
    const file = {
      headers: ['Email', 'Size', 'Trade'],
      mapping: { personEmail: 0 },
      custom: [
        { field: { ...field('number'), id: 1, name: 'size' }, column: 1 },
        { field: { ...field('text', ['Bakery']), id: 2, name: 'trade' }, column: 2 },
      ],
      needsCompany: false,
      isFreeMail: () => false,
    };
    expect(readLeadRow(['ann@acme.example', 'many', ''], file)).toEqual({
      column: 'Size',
      problem: 'is not a number',
    });
    expect(readLeadRow(['ann@acme.example', '5', 'Butcher'], file)).toEqual({
      column: 'Trade',
      problem: 'is not one of Bakery',
    });
    expect(readLeadRow(['ann@acme.example', '5', 'BAKERY'], file)).toMatchObject({
      person: {
        custom: [
          { id: 1, name: 'size', value: 5 },
          { id: 2, name: 'trade', value: 'Bakery' },
        ],
      },
    });
    expect(readLeadRow(['ann@acme.example', '', ''], file)).not.toHaveProperty('person.custom');
  });
});

describe('the columns of a file', () => {
  const fields = [
    { id: 1, name: 'industry', label: 'Branche der Firma' },
    { id: 2, name: 'vip', label: 'Very important' },
    { id: 3, name: 'constructor', label: 'Builder' },
  ];

  it('are found by name, full name or label, unless they are something else', () => {
    const headers = ['Email', 'custom.industry', 'VERY important', 'Builder', 'Other'];
    expect(guessCustom(headers, fields, new Set([0]))).toEqual([
      { id: 1, name: 'industry', column: 1 },
      { id: 2, name: 'vip', column: 2 },
      { id: 3, name: 'constructor', column: 3 },
    ]);
    expect(guessCustom(['Industry', 'vip'], fields, new Set([0]))).toEqual([
      { id: 2, name: 'vip', column: 1 },
    ]);
  });

  it('go before what a header may mean, but not before what tells people apart', () => {
    const headers = ['Email', 'Industry', 'Firma', 'City'];
    const detected = { personEmail: 0, companyCategory: 1, companyName: 2, companyCity: 3 };
    const own = [...fields, { id: 4, name: 'email', label: 'Firma' }];
    expect(withCustom(headers, detected, own)).toEqual({
      mapping: { personEmail: 0, companyName: 2, companyCity: 3 },
      custom: [{ id: 1, name: 'industry', column: 1 }],
    });
  });

  it('are named by the client, and what is wrong with that is told', () => {
    const named = { personEmail: 'Email', 'custom.industry': 'Sector', 'custom.vip': 'None' };
    expect(namedCustom(['Email', 'Sector'], fields, named)).toEqual({
      columns: [{ id: 1, name: 'industry', column: 1 }],
      missing: [{ field: 'custom.vip', header: 'None' }],
    });
    expect(unknownCustom(fields, { 'custom.size': 'Size', personEmail: 'Email' })).toEqual([
      'custom.size',
    ]);
  });
});

describe('a name', () => {
  it.each(['industry', 'a', 'x_1', 'constructor', 'a'.repeat(40)])('may be %s', (name) => {
    expect(CUSTOM_NAME.test(name)).toBe(true);
  });
  it.each(['', '_a', '__proto__', 'A', '1a', 'a.b', 'a-b', 'ä', 'a'.repeat(41), 'a\n'])(
    'may not be %j',
    (name) => {
      expect(CUSTOM_NAME.test(name)).toBe(false);
    },
  );
});

it('bounds all values of a lead together', () => {
  const values = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 'ü'.repeat(250)]));
  expect(customFits(values(15))).toBe(true);
  expect(customFits(values(17))).toBe(false);
});

describe('in a message', () => {
  const values = [
    { name: 'count', type: 'number', value: 12_345.5 },
    { name: 'founded', type: 'number', value: 1_987 },
    { name: 'since', type: 'date', value: '2026-03-01' },
    { name: 'vip', type: 'boolean', value: true },
    { name: 'page', type: 'url', value: 'https://acme.example/?a=1&b=2' },
    { name: 'constructor', type: 'text', value: 'A <b>\r\nBcc: x' },
  ] as const;

  it.each([
    ['en', '12,345.5', 'March 1, 2026', 'yes'],
    ['de', '12.345,5', '1. März 2026', 'ja'],
    ['de-AT', '12\u00a0345,5', '1. März 2026', 'ja'],
    ['fr', '12\u202f345,5', '1 mars 2026', 'oui'],
    ['pl', '12\u00a0345,5', '1 marca 2026', 'tak'],
    ['sv', '12\u00a0345,5', '1 mars 2026', 'ja'],
    // A language without words of its own.
    ['sk', '12\u00a0345,5', '1. marca 2026', 'yes'],
    ['xx-1234567890', '12,345.5', 'March 1, 2026', 'yes'],
  ])('numbers, days and flags are written in %s', (language, count, since, vip) => {
    expect(writtenValues(values, language)).toMatchObject({
      'custom.count': expect.toSatisfy(
        (text: string) => text.replaceAll(/\s/g, ' ') === count.replaceAll(/\s/g, ' '),
      ),
      'custom.founded': '1987',
      'custom.since': since,
      'custom.vip': vip,
    });
  });

  it('no value breaks a header or becomes markup, and one that is missing falls back or is told', () => {
    const missing = new Set<string>();
    const fill = (template: string, use: 'html' | 'subject') =>
      fillTemplate(template, { values: writtenValues(values, 'en'), seed: 's', use, missing });
    expect(fill('{{custom.constructor}}', 'html')).toBe('A &lt;b&gt; Bcc: x');
    expect(fill('{{custom.constructor}}', 'subject')).toBe('A <b> Bcc: x');
    expect(fill('Hi {{custom.size|all}}, {{custom.trade}}!', 'html')).toBe('Hi all!');
    expect(fill('{{constructor}}{{custom.toString}}', 'html')).toBe('');
    expect([...missing]).toEqual(['custom.trade', 'constructor', 'custom.toString']);
  });

  it('is known by the fields of the account', () => {
    const template = '{{custom.size|5}} {a|{{custom.trade}}} {{custom.size}} {{firstName}}';
    expect(customNamesIn([template, 'custom.none'])).toEqual(['size', 'trade']);
    expect(unguardedVariables(template)).toEqual(['custom.trade', 'custom.size', 'firstName']);
    expect(templateProblems(template, new Set(['size', 'trade']))).toEqual([]);
    expect(templateProblems(template, new Set(['size']))).toEqual([
      'unknown variable {{custom.trade}}: there is no such custom field',
    ]);
    expect(templateProblems('{{custom.}} {{custom}}')).toHaveLength(2);
  });
});
