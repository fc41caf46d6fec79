/** Whether a login shows that mail to the address comes to it. Choice 156. */
import { expect, it } from 'vitest';
import { provesAddress } from '../../src/domain/mailboxes/address-proof.ts';
import { MAIL_PRESETS } from '../../src/domain/mailboxes/mail-servers.ts';

const EMAIL = 'cfo@bigcorp.com';

const isProven = (host: string, exchanges: (string | [string, number])[], username = EMAIL) => {
  const server = { host, port: 993, tls: 'tls' as const };
  const exchangers = exchanges.map((named) => {
    const [exchange, priority] = typeof named === 'string' ? [named, 10] : named;
    return { exchange, priority };
  });
  return provesAddress(
    { email: EMAIL, servers: { username, smtp: server, imap: server } },
    exchangers,
  );
};

it.each([
  ['mail.bigcorp.com', 'mail.bigcorp.com'],
  ['mx.hoster.test', 'MX.hoster.test.'],
  [MAIL_PRESETS.google.imap.host, 'aspmx.l.google.com'],
  [MAIL_PRESETS.google.imap.host, 'smtp.google.com'],
  [MAIL_PRESETS.microsoft.imap.host, 'bigcorp-com.mail.protection.outlook.com'],
  [MAIL_PRESETS.microsoft.imap.host, 'bigcorp-com.a-v1.mx.microsoft'],
  [MAIL_PRESETS.yahoo.imap.host, 'mta5.am0.yahoodns.net'],
  [MAIL_PRESETS.icloud.imap.host, 'mx01.mail.icloud.com'],
  [MAIL_PRESETS.zoho.imap.host, 'mx.zoho.com'],
  [MAIL_PRESETS.fastmail.imap.host, 'in1-smtp.messagingengine.com'],
])('a login at %s does where %s takes the mail', (host, exchange) => {
  expect(isProven(host, [exchange])).toBe(true);
  expect(isProven(host, [exchange], EMAIL.toUpperCase())).toBe(true);
  // Another account at the same vendor, into which anybody may put a message.
  expect(isProven(host, [exchange], 'b@other.com')).toBe(false);
  expect(isProven(host, [exchange], 'cfo')).toBe(false);
});

it.each([
  ['another host', 'imap.stranger.test', ['mx.bigcorp.com']],
  ['no exchanger', 'mail.bigcorp.com', []],
  ['a null MX', 'mail.bigcorp.com', ['']],
  ['another vendor', MAIL_PRESETS.google.imap.host, ['bigcorp-com.mail.protection.outlook.com']],
  ['a filter before the vendor', MAIL_PRESETS.google.imap.host, ['mx0.pphosted.com']],
  ['a customer’s host at the same hoster', 'vps-1.vps.ovh.net', ['mx1.mail.ovh.net']],
  ['a customer’s name at the vendor', 'b.gmail.com', ['aspmx.l.google.com']],
  ['a host of the same domain', 'dial-1-2-3-4.bigcorp.com', ['mx.bigcorp.com']],
] as const)('a login does not with %s', (_, host, exchanges) => {
  expect(isProven(host, [...exchanges])).toBe(false);
});

it('looks at the exchangers that mail goes to first, all of them', () => {
  expect(
    isProven('backup.bigcorp.com', [
      ['mx.bigcorp.com', 1],
      ['backup.bigcorp.com', 2],
    ]),
  ).toBe(false);
  expect(
    isProven('mx.bigcorp.com', [
      ['mx.bigcorp.com', 1],
      ['backup.stranger.test', 2],
    ]),
  ).toBe(true);
  const { host } = MAIL_PRESETS.google.imap;
  expect(isProven(host, ['aspmx.l.google.com', 'mx.filter.test'])).toBe(false);
});
