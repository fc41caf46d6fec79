import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { decodeHtml } from '../../../src/providers/websites/charset.ts';

const decode = (bytes: Buffer | number[], contentType = 'text/html', host = 'acme.com') =>
  decodeHtml(Buffer.from(bytes), contentType, host);

/** "Телефон" in windows-1251, KOI8-R; "電話" in Shift_JIS, EUC-JP, ISO-2022-JP; "전화" in EUC-KR. */
const cp1251 = [0xd2, 0xe5, 0xeb, 0xe5, 0xf4, 0xee, 0xed];
const koi8r = [0xf4, 0xc5, 0xcc, 0xc5, 0xc6, 0xcf, 0xce];
const shiftJis = [0x93, 0x64, 0x98, 0x62];
const eucJp = [0xc5, 0xc5, 0xcf, 0xc3];
const iso2022Jp = [0x1b, 0x24, 0x42, 0x45, 0x45, 0x4f, 0x43, 0x1b, 0x28, 0x42];
const eucKr = [0xc0, 0xfc, 0xc8, 0xad];
const cp1252 = [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]; // Müller
const meta = (label: string) => Buffer.from(`<html><head><meta charset="${label}"></head>`);
const withMeta = (label: string, bytes: number[]) =>
  Buffer.concat([meta(label), Buffer.from(bytes)]);

describe('the charset of a page', () => {
  test.each([
    ['windows-1251', cp1251, 'Телефон'],
    ['cp1251', cp1251, 'Телефон'],
    ['koi8-r', koi8r, 'Телефон'],
    ['Shift_JIS', shiftJis, '電話'],
    ['x-sjis', shiftJis, '電話'],
    ['EUC-JP', eucJp, '電話'],
    ['iso-2022-jp', iso2022Jp, '電話'],
    ['euc-kr', eucKr, '전화'],
    ['iso-8859-1', cp1252, 'Müller'],
    ['windows-1252', cp1252, 'Müller'],
    ['iso-8859-1', [0x91, 0x80, 0x92, 0x96, 0xe9], '‘€’–é'],
  ])('%s is taken from the header or from <meta>', (label, bytes, text) => {
    expect(decode(bytes, `text/html; charset=${label}`)).toBe(text);
    expect(decode(bytes, `text/html;charset="${label}"`)).toBe(text);
    expect(decode(withMeta(label, bytes)).endsWith(text)).toBe(true);
    const old = `<META http-equiv=Content-Type content='text/html; charset=${label}'>`;
    expect(decode([...Buffer.from(old), ...bytes]).endsWith(text)).toBe(true);
  });

  test('is taken from the header before <meta>, and from the byte order mark before both', () => {
    expect(decode(withMeta('euc-kr', cp1251), 'text/html; charset=windows-1251')).toMatch(
      /Телефон$/,
    );
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('Müller')]);
    expect(decode(marked, 'text/html; charset=windows-1251')).toBe('Müller');
    const utf16 = Buffer.from('\ufeffMüller', 'utf16le');
    expect(decode(utf16, 'text/html; charset=utf-8')).toBe('Müller');
    expect(decode(Buffer.from(utf16).swap16())).toBe('Müller');
  });

  test('is taken from an XML declaration', () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="windows-1251"?>');
    expect(decode([...xml, ...cp1251])).toMatch(/Телефон$/);
  });

  test('is UTF-8 where nothing is said and the bytes are valid', () => {
    expect(decode(Buffer.from('Müller 電話'))).toBe('Müller 電話');
  });

  test.each([
    ['acme.ru', cp1251, 'Телефон'],
    ['acme.jp', shiftJis, '電話'],
    ['acme.kr', eucKr, '전화'],
    ['acme.de', cp1252, 'Müller'],
  ])('is the custom of the country where nothing is said, as at %s', (host, bytes, text) => {
    expect(decode(bytes, 'text/html', host)).toBe(text);
    expect(decode(bytes, '', host)).toBe(text);
  });

  test('is not believed where the bytes contradict it', () => {
    const utf8 = Buffer.from('Müller, Телефон');
    expect(decode(utf8, 'text/html; charset=iso-8859-1')).toBe('Müller, Телефон');
    expect(decode(cp1251, 'text/html; charset=utf-8', 'acme.ru')).toBe('Телефон');
    expect(decode(cp1252, 'text/html; charset=utf-8')).toBe('Müller');
  });

  test('keeps a UTF-8 page with one broken place', () => {
    const broken = Buffer.concat([
      Buffer.from('Müller Größe äöü'),
      Buffer.from([0xff]),
      Buffer.from('ß'),
    ]);
    expect(decode(broken, 'text/html; charset=utf-8')).toBe('Müller Größe äöü\ufffdß');
  });

  test.each(['no-such-charset', 'utf-8888', '"', 'none', '../../etc'])(
    'that nobody knows (%s) counts as not said',
    (label) => expect(decode(Buffer.from('Müller'), `text/html; charset=${label}`)).toBe('Müller'),
  );

  test('is UTF-8 for a page that was cut within a character', () => {
    const cut = Buffer.from('Телефон').subarray(0, -1);
    expect(decode(cut, 'text/html', 'acme.ru')).toBe('Телефо');
    expect(decode(Buffer.from('a€').subarray(0, -1))).toBe('a');
    expect(decode(Buffer.from('a😀').subarray(0, -1))).toBe('a');
  });

  test('that says UTF-16 in ASCII is UTF-8', () => {
    expect(decode(Buffer.concat([meta('utf-16'), Buffer.from('Müller')]))).toMatch(/Müller$/);
  });

  test('never makes it throw, whatever the bytes and labels are', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.string(),
        fc.domain(),
        (bytes, label, host) => {
          expect(typeof decode(Buffer.from(bytes), `text/html; charset=${label}`, host)).toBe(
            'string',
          );
          expect(typeof decode(withMeta(label, [...bytes]), '', host)).toBe('string');
        },
      ),
    );
  });
});
