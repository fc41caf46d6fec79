/** Mail that is made to be slow to read: anybody can send it, and it is read on the worker's own thread. */
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../activities/inbox/read-message.ts';

/** What the hosts of the product let through in one header; a body is longer than any part of it that is looked at. */
const HEADER_CHARS = 100_000;
const BODY_CHARS = 30_000;
/** Of processor time, which a busy machine does not lengthen. The slow patterns took from 4 seconds to hours. */
const LIMIT_MS = 1_500;

const repeated = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const mail = (headers: Record<string, string>, body = 'Hello there,\r\nthanks.\r\n') => {
  const all = { From: 'ann@acme.com', To: 'me@own.com', Subject: 'Re: hi', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
};

const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' };
const DAEMON = { From: 'MAILER-DAEMON@acme.com', Subject: 'Undelivered mail', ...PLAIN };

function report(type: string, fields: readonly string[], value: string): string {
  const list = ['Feedback-Type: abuse', 'Action: failed', 'Status: 5.1.1'];
  const all = [...list, ...fields.map((field) => `${field}: ${value}`)].join('\r\n');
  const original = ['From', 'To', 'Cc', 'Return-Path', 'List-Unsubscribe', 'Message-ID']
    .map((name) => `${name}: ${value}`)
    .join('\r\n');
  const body = [
    '--b\r\n\r\nfailed',
    `--b\r\nContent-Type: message/${type}\r\n\r\nReporting-MTA: dns; x\r\n\r\n${all}`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${original}`,
    '--b--',
  ].join('\r\n');
  return mail({ ...DAEMON, 'Content-Type': 'multipart/report; boundary=b' }, body);
}

/** CPU milliseconds that a message took. */
async function timeOf(text: string | Buffer): Promise<number> {
  const source = Buffer.from(text as string);
  const before = process.cpuUsage();
  await readMessage(
    {
      uid: 1,
      flags: [],
      internalDate: new Date('2026-03-02T09:00:00Z'),
      sizeBytes: source.length,
      source,
      isWhole: true,
      isTextless: false,
    },
    new Set(['me@own.com']),
  );
  return process.cpuUsage(before).user / 1_000;
}

describe('messages that were slow to read', () => {
  const letters = repeated('a', HEADER_CHARS);
  const cases: Record<string, string> = {
    'a bounce of dashes': mail(DAEMON, repeated('-', 3_000)),
    'a To header without @': mail({ To: letters }),
    'an X-Failed-Recipients header without @': mail({ 'X-Failed-Recipients': letters }),
    'a delivery status without @': report(
      'delivery-status',
      ['Final-Recipient', 'Original-Recipient'],
      letters.slice(0, 90_000),
    ),
    'a feedback report without @': report(
      'feedback-report',
      ['Original-Rcpt-To'],
      letters.slice(0, 90_000),
    ),
  };
  for (const [name, text] of Object.entries(cases)) {
    it(`${name} is read in time`, { timeout: 300_000 }, async () => {
      expect(await timeOf(text)).toBeLessThan(LIMIT_MS);
    });
  }
});

/** Characters that patterns look for, and beginnings of what they look for. */
const UNITS = [
  ...Array.from('a0-_ \t\n<>"\'()[]{}@.,;:/\\=?*|&#!+%É日\u200b'),
  '--',
  'a.',
  'a@',
  '@a',
  'a ',
  'a, ',
  '<a',
  '<a ',
  '<a@b>',
  '"a" ',
  '"\\',
  '(a',
  '=?utf-8?q?a?= ',
  '<!--',
  '<p>',
  '&amp;',
  '\r\n',
  'a\n',
  ' \n',
  '> ',
  '>\n',
  '- ',
  '--\n',
  'a:\n',
  'on ',
  'from ',
  'stop ',
  'contact',
  'complaint',
  'unsubscribe ',
  '550 ',
  '🙏',
  '\u2060',
  'e\u0301',
  '*stop* ',
  '1.1.26 kirjoitti ',
  'charset=x ',
  '=  ',
  '=\t\n',
  '5.',
  '1-',
];

const header = (unit: string) => repeated(unit, HEADER_CHARS).replaceAll(/[\r\n]/g, ' ');
const body = (unit: string) => repeated(unit, BODY_CHARS);
const addressed = (names: readonly string[], value: string) =>
  mail(Object.fromEntries(names.map((name) => [name, value])));
const typed = (type: string, text: string) => mail({ 'Content-Type': type }, text);

const STATUS_FIELDS = ['Final-Recipient', 'Original-Recipient', 'Diagnostic-Code'];
const FEEDBACK_FIELDS = ['Original-Rcpt-To', 'Original-Mail-From'];

/** Its letters beyond ASCII are not UTF-8. */
const broken = (text: string) => Buffer.from(`${text}\xe9`, 'latin1');

const PLACES: Record<string, (unit: string) => string | Buffer> = {
  'the recipients': (unit) => addressed(['To', 'Cc', 'Delivered-To'], header(unit)),
  'the sender': (unit) => addressed(['From', 'Reply-To', 'Return-Path'], header(unit)),
  'the subject': (unit) => addressed(['Subject', 'Date'], header(unit)),
  'the references': (unit) => addressed(['References', 'In-Reply-To', 'Message-ID'], header(unit)),
  'the failed recipients': (unit) => addressed(['X-Failed-Recipients'], header(unit)),
  'headers of machines': (unit) =>
    addressed(['Auto-Submitted', 'List-Id', 'Precedence', 'X-Mailer'], header(unit)),
  'the type': (unit) => addressed(['Content-Type', 'Content-Disposition'], header(unit)),
  'a parameter of the type': (unit) => typed(`text/plain; name=${header(unit)}`, 'hello'),
  'a body': (unit) => mail(PLAIN, body(unit)),
  'flowed lines': (unit) => typed('text/plain; format=flowed; delsp=yes', `>${body(unit)}`),
  'quoted-printable': (unit) =>
    mail({ ...PLAIN, 'Content-Transfer-Encoding': 'quoted-printable' }, body(unit)),
  'headers in no charset': (unit) =>
    broken(addressed(['Subject', 'X-Name'], `\xe9${header(unit)}`)),
  'HTML in no charset': (unit) => broken(typed('text/html', `\xe9${body(unit)}`)),
  'a line above a quote': (unit) => mail(PLAIN, `${body(unit).slice(0, 390)}:\n`.repeat(40)),
  'the end of a body': (unit) => mail(PLAIN, `Hello ${body(unit)}x`),
  'an automatic answer': (unit) =>
    mail({ ...PLAIN, 'Auto-Submitted': 'auto-replied' }, `I am away until ${body(unit)}x`),
  'a bounce': (unit) => mail(DAEMON, `${body(unit)}x`),
  'a spam complaint': (unit) => mail({ ...PLAIN, Subject: 'spam complaint' }, body(unit)),
  'a status': (unit) => report('delivery-status', STATUS_FIELDS, header(unit)),
  'a feedback report': (unit) => report('feedback-report', FEEDBACK_FIELDS, header(unit)),
  HTML: (unit) => typed('text/html; charset=utf-8', body(unit)),
  'an attribute in HTML': (unit) => typed('text/html; charset=utf-8', `<p style="${body(unit)}`),
};

describe('repeated characters are read in time', () => {
  for (const [place, make] of Object.entries(PLACES)) {
    it(`in ${place}`, { timeout: 300_000 }, async () => {
      const slow: Record<string, number> = {};
      for (const unit of UNITS) {
        const taken = await timeOf(make(unit));
        if (taken >= LIMIT_MS) slow[unit] = Math.round(taken);
      }
      expect(slow).toEqual({});
    });
  }
});
