/** Reports, true and forged, and letters that are no answer of anybody; Message-ID and mailbox of score-messages. */
import type { MessageClass } from '../../support/inbox/score-messages.ts';

const ID = '<o.7f3a9c51@mail.acme-outreach.test>';
const orig = (to = 'paul@client.test', id = ID, from = 'anna@mail.acme-outreach.test') =>
  `From: Anna <${from}>\nTo: ${to}\nSubject: A question\nMessage-ID: ${id}\n\nHi Paul`;
const dsn = (o: {
  from?: string;
  to?: string;
  action?: string;
  status?: string;
  diag?: string;
  rcpt?: string;
  original?: string;
  text?: string;
  subject?: string;
  headers?: string;
  origType?: string;
}) => `Return-Path: <>
From: ${o.from ?? 'Mail Delivery System <MAILER-DAEMON@mx.client.test>'}
To: ${o.to ?? 'anna@mail.acme-outreach.test'}
Subject: ${o.subject ?? 'Undelivered Mail Returned to Sender'}
Date: Sat, 21 Nov 2026 10:00:00 +0000
Message-ID: <dsn1@mx.client.test>
Auto-Submitted: auto-replied
${o.headers ?? ''}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=utf-8

${o.text ?? 'This is the mail system. Your message could not be delivered.'}

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.client.test

Final-Recipient: rfc822; ${o.rcpt ?? 'paul@client.test'}
Action: ${o.action ?? 'failed'}
Status: ${o.status ?? '5.1.1'}
Diagnostic-Code: smtp; ${o.diag ?? '550 5.1.1 User unknown'}

${
  o.original === ''
    ? ''
    : `--b1
Content-Type: ${o.origType ?? 'message/rfc822'}

${o.original ?? orig()}
`
}
--b1--
`;
const plain = (from: string, subject: string, text: string, headers = '') => `From: ${from}
To: Anna <anna@mail.acme-outreach.test>
Subject: ${subject}
Date: Sat, 21 Nov 2026 10:00:00 +0000
Message-ID: <x1@client.test>
${headers}MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${text}
`;
const arf = (type = 'abuse', o = orig()) => `From: complaints@isp.test
To: abuse@mail.acme-outreach.test
Subject: FW: A question
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b1"

--b1
Content-Type: text/plain

This is an email abuse report.

--b1
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: X/1
Version: 1

--b1
Content-Type: message/rfc822

${o}
--b1--
`;
export const REPORTS: readonly [is: MessageClass, name: string, raw: string][] = [
  ['bounce', 'dsn', dsn({})],
  ['bounce', 'headers only', dsn({ origType: 'text/rfc822-headers' })],
  ['bounce', 'soft', dsn({ status: '4.2.2', diag: '452 4.2.2 full' })],
  ['bounce', 'delayed', dsn({ action: 'delayed', status: '4.4.1', subject: 'Delayed Mail' })],
  [
    'bounce',
    'references',
    dsn({ original: '', headers: `References: ${ID}\nIn-Reply-To: ${ID}\n` }),
  ],
  ['bounce', 'verp', dsn({ original: '', to: 'anna+b1-7f3a9c51@mail.acme-outreach.test' })],
  ['forged_bounce', 'none', dsn({ original: '' })],
  [
    'forged_bounce',
    'other id',
    dsn({ original: orig('paul@client.test', '<o.7f3a9c52@mail.acme-outreach.test>') }),
  ],
  [
    'forged_bounce',
    'other domain',
    dsn({ original: orig('paul@client.test', '<o.7f3a9c51@mail.evil.test>') }),
  ],
  [
    'forged_bounce',
    'other sender',
    dsn({ original: orig('paul@client.test', ID, 'bob@mail.acme-outreach.test') }),
  ],
  ['forged_bounce', 'other rcpt', dsn({ rcpt: 'boss@victim.test' })],
  [
    'forged_bounce',
    'bad verp',
    dsn({ original: '', to: 'anna+b1-00000000@mail.acme-outreach.test' }),
  ],
  [
    'forged_bounce',
    'plain',
    plain(
      'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      'Delivery Status Notification (Failure)',
      "Address not found. Your message wasn't delivered to paul@client.test because the address couldn't be found. 550 5.1.1",
    ),
  ],
  [
    'forged_bounce',
    'plain person',
    plain(
      'Support <support@evil.test>',
      'Undeliverable: A question',
      'The following recipient could not be reached: paul@client.test 550 5.1.1 User unknown',
    ),
  ],
  [
    'bounce',
    'exim plain',
    plain(
      'Mail Delivery System <Mailer-Daemon@exim.test>',
      'Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered.\n\n  paul@client.test\n    550 No such user\n\n------ This is a copy of the message, including all the headers. ------\n\nReturn-path: <anna@mail.acme-outreach.test>\nFrom: Anna <anna@mail.acme-outreach.test>\nTo: paul@client.test\nMessage-Id: ${ID}\n\nHi`,
    ),
  ],
  [
    'bounce',
    'qmail',
    plain(
      'MAILER-DAEMON@q.test',
      'failure notice',
      `Hi. This is the qmail-send program.\n<paul@client.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${ID}\nFrom: anna@mail.acme-outreach.test`,
    ),
  ],
  [
    'bounce',
    'ru',
    plain(
      'MAILER-DAEMON@mail.ru',
      'Недоставленное сообщение',
      `Ваше сообщение не доставлено: paul@client.test\n550 Пользователь не найден`,
      `In-Reply-To: ${ID}\n`,
    ),
  ],
  [
    'bounce',
    'ja',
    plain(
      'Mail Delivery Subsystem <postmaster@co.jp.test>',
      '配信不能',
      `次のメールは配信できませんでした: paul@client.test`,
      `In-Reply-To: ${ID}\n`,
    ),
  ],
  ['complaint', 'arf', arf()],
  ['complaint', 'fraud', arf('fraud')],
  ['other', 'not-spam', arf('not-spam')],
  [
    'other',
    'success',
    dsn({ action: 'delivered', status: '2.0.0', subject: 'Successful Mail Delivery Report' }),
  ],
  ['other', 'relayed', dsn({ action: 'relayed', status: '2.0.0' })],
  [
    'other',
    'newsletter',
    plain(
      'News <news@shop.test>',
      'Big sale',
      'Buy now! To unsubscribe click here.',
      'List-Unsubscribe: <https://x>\nPrecedence: bulk\n',
    ),
  ],
  [
    'other',
    'newsletter no headers',
    plain(
      'News <news@shop.test>',
      'Black Friday: 50% off',
      'Hi Anna, only today 50% off everything in our shop! View in browser. If you no longer wish to receive these emails, unsubscribe here: https://shop.test/u',
    ),
  ],
  [
    'other',
    'spam',
    plain(
      'SEO Guru <guru@seo.test>',
      'Rank #1 on Google',
      'Hi Anna, we can bring your site to the first page. Are you interested? Reply YES and I will send you a quote.',
    ),
  ],
  [
    'other',
    'invoice',
    plain(
      'billing@host.test',
      'Your invoice 4711 is ready',
      'Please find your invoice attached. This is an automated message, please do not reply.',
      'Auto-Submitted: auto-generated\n',
    ),
  ],
  [
    'other',
    'colleague',
    plain(
      'Bob <bob@acme-outreach.test>',
      'Re: lunch',
      'Pizza at 12?',
      'In-Reply-To: <zzz@acme-outreach.test>\nReferences: <zzz@acme-outreach.test>\n',
    ),
  ],
  [
    'other',
    'security',
    plain(
      'no-reply@accounts.google.test',
      'Security alert',
      "A new sign-in on Linux. If this was you, you don't need to do anything.",
    ),
  ],
  [
    'other',
    'calendar',
    plain(
      'Calendar <calendar@x.test>',
      'Invitation: Meeting @ Fri',
      'You have been invited to the following event.',
      'Auto-Submitted: auto-generated\n',
    ),
  ],
  [
    'other',
    'mdn',
    `From: paul@client.test
To: anna@mail.acme-outreach.test
Subject: Read: A question
In-Reply-To: ${ID}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary="b1"

--b1
Content-Type: text/plain

Your message was read.
--b1
Content-Type: message/disposition-notification

Final-Recipient: rfc822; paul@client.test
Original-Message-ID: ${ID}
Disposition: manual-action/MDN-sent-manually; displayed
--b1--
`,
  ],
  [
    'other',
    'own',
    plain(
      'Anna <anna@mail.acme-outreach.test>',
      'Re: A question',
      'unsubscribe',
      `In-Reply-To: ${ID}\n`,
    ),
  ],
  [
    'other',
    'first contact',
    plain('Karl <karl@buyer.test>', 'Quote request', 'Hello, we need 100 chairs. Can you quote?'),
  ],
  [
    'other',
    'fyi',
    plain(
      'Bob <bob@acme-outreach.test>',
      'Fwd: Undelivered Mail Returned to Sender',
      'FYI, this one bounced, please check the address.',
    ),
  ],
  [
    'other',
    'dmarc',
    plain(
      'noreply-dmarc-support@google.com',
      'Report domain: mail.acme-outreach.test Submitter: google.com Report-ID: 123',
      'see attachment',
    ),
  ],
  [
    'reply',
    'no in-reply-to, Re',
    plain('Paul <paul@client.test>', 'Re: A question', 'Sounds good, call me.'),
  ],
  [
    'reply',
    'ticket subject',
    plain(
      'Client Support <support@client.test>',
      '[Ticket #4711] A question',
      'Hi Anna, we already have a supplier, thanks.',
      'Auto-Submitted: auto-generated\nPrecedence: bulk\n',
    ),
  ],
  ['unsubscribe', 'mailto', plain('Paul <paul@client.test>', 'unsubscribe', '')],
  [
    'unsubscribe',
    'no ref',
    plain('Paul <paul@client.test>', 'Please stop', 'Take me off your list.'),
  ],
  [
    'auto_reply',
    'ooo no ref',
    plain('Paul <paul@client.test>', 'Out of Office', 'I am away until Monday.'),
  ],
  [
    'auto_reply',
    'vac null path',
    plain(
      'Paul <paul@client.test>',
      'Re: A question',
      'I am on leave until 5 December.',
      `Return-Path: <>\nIn-Reply-To: ${ID}\n`,
    ),
  ],
  [
    'auto_reply',
    'ticket no ref',
    plain(
      'Support <support@client.test>',
      '[#4711] Received: A question',
      'We have received your request and will reply soon.',
    ),
  ],
];
