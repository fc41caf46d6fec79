/** Bounces in the styles of mail hosts: reports, and refusals in plain words. */
import { LEAD, MAILBOX, ORIGINAL_ID, raw, type LabelledMessage } from './message.ts';

/** Name, status, diagnostic, action. */
type Report = [name: string, from: string, status: string, diagnostic: string, action?: string];

const REPORTS: Report[] = [
  [
    'gmail unknown',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    '5.1.1',
    'smtp; 550-5.1.1 The account you tried does not exist. gsmtp',
  ],
  [
    'gmail full',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    '5.2.2',
    'smtp; 552-5.2.2 The inbox is out of storage',
  ],
  [
    'gmail delay',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    '4.4.1',
    'smtp; The recipient server did not accept our requests',
    'delayed',
  ],
  [
    'm365 unknown',
    'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@client.test>',
    '5.1.10',
    'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found',
  ],
  [
    'm365 blocked',
    'postmaster@client.test',
    '5.7.1',
    'smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; not allowed',
  ],
  [
    'm365 access denied',
    'postmaster@outlook.com',
    '5.4.1',
    'smtp;550 5.4.1 Recipient address rejected: Access denied',
  ],
  [
    'm365 expired',
    'postmaster@client.test',
    '4.4.7',
    'smtp;550 4.4.7 QUEUE.Expired; message expired',
  ],
  [
    'm365 delay',
    'postmaster@client.test',
    '4.4.1',
    'smtp;441 4.4.1 Connection timed out',
    'delayed',
  ],
  [
    'postfix unknown',
    'MAILER-DAEMON@mail.acme-outreach.test (Mail Delivery System)',
    '5.1.1',
    'smtp; 550 5.1.1 <paul.weber@client.test>: user unknown',
  ],
  [
    'postfix no such host',
    'MAILER-DAEMON@mail.acme-outreach.test (Mail Delivery System)',
    '5.4.4',
    'X-Postfix; Host or domain name not found',
  ],
  [
    'postfix expired',
    'MAILER-DAEMON@mail.acme-outreach.test (Mail Delivery System)',
    '4.4.1',
    'X-Postfix; connect to mx.client.test: timed out',
  ],
  [
    'postfix delay',
    'MAILER-DAEMON@mail.acme-outreach.test (Mail Delivery System)',
    '4.2.0',
    'smtp; 450 4.2.0 Greylisted',
    'delayed',
  ],
  [
    'postfix spam',
    'MAILER-DAEMON@mail.acme-outreach.test (Mail Delivery System)',
    '5.0.0',
    'smtp; 554 5.7.1 Message refused as spam',
  ],
  [
    'sendmail unknown',
    'Mail Delivery Subsystem <MAILER-DAEMON@relay.test>',
    '5.1.1',
    'SMTP; 550 5.1.1 User unknown',
  ],
  [
    'sendmail relay',
    'Mail Delivery Subsystem <MAILER-DAEMON@relay.test>',
    '5.7.1',
    'SMTP; 550 5.7.1 Relaying denied',
  ],
  [
    'sendmail warning',
    'Mail Delivery Subsystem <MAILER-DAEMON@relay.test>',
    '4.0.0',
    'SMTP; 451 try again',
    'delayed',
  ],
  [
    'yahoo',
    'MAILER-DAEMON@yahoo.com',
    '5.0.0',
    'smtp; 554 delivery error: dd This user has no account',
  ],
  [
    'icloud',
    'Mail Delivery System <MAILER-DAEMON@icloud.com>',
    '5.1.1',
    'smtp; 550 5.1.1 unknown or illegal alias',
  ],
  ['zoho', 'mailer-daemon@zoho.com', '5.1.1', 'smtp; 550 5.1.1 User does not exist'],
  ['ses', 'MAILER-DAEMON@amazonses.com', '5.1.1', 'smtp; 550 5.1.1 user unknown'],
  [
    'exim report',
    'Mail Delivery System <Mailer-Daemon@exim.test>',
    '5.0.0',
    'smtp; 550 No such recipient here',
  ],
  [
    'gmx',
    'GMX Mailer Daemon <mailer-daemon@gmx.net>',
    '5.1.1',
    'smtp; 550 Requested action not taken: mailbox unavailable',
  ],
  [
    'mimecast',
    'postmaster@mimecast.test',
    '5.7.0',
    'smtp; 554 5.7.0 Email rejected due to security policies',
  ],
  ['proofpoint', 'postmaster@pphosted.test', '5.1.1', 'smtp; 550 5.1.1 User Unknown'],
  ['quota soft', 'postmaster@client.test', '4.2.2', 'smtp; 452 4.2.2 The mailbox is over quota'],
];

const report = ([name, from, status, diagnostic, action = 'failed']: Report): LabelledMessage => ({
  name: `report: ${name}`,
  kind: 'bounce',
  facts: {
    action: action as 'failed',
    isPermanent: action === 'failed' && status.startsWith('5'),
    recipient: LEAD,
    originalMessageId: ORIGINAL_ID,
    ...(!status.endsWith('.0.0') && { status }),
  },
  raw: raw({
    from,
    subject:
      action === 'delayed' ? 'Delivery Status Notification (Delay)' : 'Undeliverable: A question',
    headers: { 'Auto-Submitted': 'auto-replied', 'Return-Path': '<>' },
    text: 'Your message could not be delivered as you wished.',
    multipart: 'multipart/report; report-type=delivery-status',
    parts: [
      {
        type: 'message/delivery-status',
        text: `Reporting-MTA: dns; mx.test\nArrival-Date: Sat, 21 Nov 2026 09:00:00 +0000\n\nFinal-Recipient: rfc822; ${LEAD}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: ${diagnostic}\n`,
      },
      ORIGINALS[name.length % 2]!,
    ],
  }),
});

const ORIGINAL_HEAD = `From: Anna <${MAILBOX}>\nTo: ${LEAD}\nSubject: A question\nMessage-ID:\n ${ORIGINAL_ID}\n`;
const ORIGINALS = [
  {
    type: 'message/rfc822',
    text: `${ORIGINAL_HEAD}\nHi Paul, reply "stop" if you want no more.\n`,
  },
  { type: 'text/rfc822-headers', text: ORIGINAL_HEAD },
];

/** Name, sender, subject, text; then what is expected where it is not a permanent 5.x.x. */
type Plain = [name: string, from: string, subject: string, text: string, facts?: object];

const PERMANENT = { action: 'failed', isPermanent: true };
const SOFT = { action: 'failed', isPermanent: false };
const DELAYED = { action: 'delayed', isPermanent: false };
const DAEMON = 'Mail Delivery System <MAILER-DAEMON@mx.test>';

const PLAIN: Plain[] = [
  [
    'qmail',
    'MAILER-DAEMON@qmail.test',
    'failure notice',
    `Hi. This is the mail program at qmail.test.\nI was not able to deliver your message to these addresses.\nThis is a permanent error; I have given up.\n\n<${LEAD}>:\nRemote host said: 550 sorry, no mailbox here by that name (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${ORIGINAL_ID}\n`,
    { ...PERMANENT, status: '5.1.1', recipient: LEAD, originalMessageId: ORIGINAL_ID },
  ],
  [
    'qmail full',
    'MAILER-DAEMON@qmail.test',
    'failure notice',
    `Hi. I could not deliver your message.\n<${LEAD}>:\nuser is over quota, 552 mailbox full\n`,
    PERMANENT,
  ],
  [
    'exim',
    'Mail Delivery System <Mailer-Daemon@exim.test>',
    'Mail delivery failed: returning message to sender',
    `This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n  ${LEAD}\n    host mx.client.test: SMTP error from remote mail server after RCPT TO: 550 unknown user\n`,
    { ...PERMANENT, recipient: LEAD },
  ],
  [
    'exim warning',
    'Mail Delivery System <Mailer-Daemon@exim.test>',
    'Warning: message 1abc delayed 24 hours',
    `This message was created automatically. A message that you sent has not yet been delivered to one or more of its recipients after more than 24 hours.\n\n  ${LEAD}\n    Delay reason: connection timed out\n\nNo action is required on your part. Delivery attempts will continue for some time.\n`,
    DELAYED,
  ],
  [
    'gmail plain',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    'Delivery Status Notification (Failure)',
    `** Address not found **\n\nYour message wasn't delivered to ${LEAD} because the address couldn't be found, or is unable to receive mail.\n\nThe response was: 550 5.1.1 no such user\n`,
    { ...PERMANENT, status: '5.1.1' },
  ],
  [
    'gmail delay plain',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    'Delivery Status Notification (Delay)',
    `** Delivery incomplete **\nThere was a temporary problem delivering your message to ${LEAD}. We will retry for 46 more hours.\n451 4.7.0 try later`,
    DELAYED,
  ],
  [
    'outlook de',
    'Microsoft Outlook <postmaster@client.test>',
    'Unzustellbar: Eine Frage',
    `Ihre Nachricht an ${LEAD} konnte nicht zugestellt werden.\npaul.weber wurde unter client.test nicht gefunden.\n550 5.1.10 RecipientNotFound`,
    { ...PERMANENT, status: '5.1.10' },
  ],
  [
    'outlook fr',
    'Microsoft Outlook <postmaster@client.test>',
    'Non remis : Une question',
    `Votre message n'a pas pu être remis à ${LEAD}.\n550 5.1.10 introuvable`,
    PERMANENT,
  ],
  [
    'outlook es',
    'Microsoft Outlook <postmaster@client.test>',
    'No se puede entregar: Una pregunta',
    `No se pudo entregar el mensaje a ${LEAD}. 550 5.1.10`,
    PERMANENT,
  ],
  [
    'outlook it',
    'Microsoft Outlook <postmaster@client.test>',
    'Non recapitabile: Una domanda',
    `Non è stato possibile recapitare il messaggio a ${LEAD}. 550 5.1.10`,
    PERMANENT,
  ],
  [
    'outlook pt',
    'Microsoft Outlook <postmaster@client.test>',
    'Não foi possível entregar: Uma pergunta',
    `A mensagem para ${LEAD} não pôde ser entregue. 550 5.1.10`,
    PERMANENT,
  ],
  [
    'outlook nl',
    'Microsoft Outlook <postmaster@client.test>',
    'Onbestelbaar: Een vraag',
    `Uw bericht aan ${LEAD} kon niet worden bezorgd. 550 5.1.10`,
    PERMANENT,
  ],
  [
    'outlook pl',
    'Microsoft Outlook <postmaster@client.test>',
    'Nie można dostarczyć: Pytanie',
    `Wiadomość do ${LEAD} nie została dostarczona. 550 5.1.10`,
    PERMANENT,
  ],
  [
    'yahoo plain',
    'MAILER-DAEMON@yahoo.com',
    'Failure Notice',
    `Sorry, we were unable to deliver your message to the following address.\n\n<${LEAD}>:\n554: delivery error: This user doesn't have an account\n`,
    PERMANENT,
  ],
  [
    'postfix plain 450',
    DAEMON,
    'Undelivered Mail Returned to Sender',
    `I'm sorry to have to inform you that your message could not be delivered.\n\n<${LEAD}>: host mx.client.test[192.0.2.7] said: 450 4.2.2 mailbox full (in reply to RCPT TO command)\n`,
    { ...SOFT, status: '4.2.2' },
  ],
  [
    'aol',
    'MAILER-DAEMON@aol.test',
    'Mail Delivery Failed',
    `The following recipient was rejected:\n${LEAD}\nSMTP error 550 mailbox not found`,
    PERMANENT,
  ],
  [
    'barracuda',
    'postmaster@client.test',
    '**Message you sent blocked by our bulk email filter**',
    'Your message to paul.weber@client.test was blocked. It could not be delivered. 550 permanent failure',
    PERMANENT,
  ],
  [
    't-online',
    'Mail Delivery System <postmaster@t-online.test>',
    'Zustellung fehlgeschlagen',
    `Die Nachricht konnte nicht zugestellt werden an: ${LEAD}\nGrund: 550 Unbekannter Empfänger`,
    PERMANENT,
  ],
  [
    'web.de full',
    'WEB.DE Mailer Daemon <mailer-daemon@web.test>',
    'Mail delivery failed: returning message to sender',
    `Empfänger ${LEAD}: 552-5.2.2 Postfach voll, konnte nicht zugestellt werden`,
    { ...PERMANENT, status: '5.2.2' },
  ],
  [
    'orange',
    'MAILER-DAEMON@orange.test',
    'Échec de la remise de votre message',
    `Adresse ${LEAD}: utilisateur inconnu, 550 5.1.1`,
    PERMANENT,
  ],
  [
    'no report, failed header',
    'Anything <system@host.test>',
    'About your letter',
    'It did not work out.',
    PERMANENT,
  ],
  [
    'timeouts given up',
    DAEMON,
    'Undelivered Mail Returned to Sender',
    `<${LEAD}>: connect to mx.client.test[192.0.2.7]:25: Connection timed out. 4.4.1 message could not be delivered for 5 days.`,
    { ...SOFT, status: '4.4.1' },
  ],
];

const plain = ([name, from, subject, text, facts = PERMANENT]: Plain): LabelledMessage => ({
  name: `plain: ${name}`,
  kind: 'bounce',
  facts,
  raw: raw({
    from,
    subject,
    text,
    headers: {
      'Return-Path': '<>',
      ...(name === 'no report, failed header' && { 'X-Failed-Recipients': LEAD }),
    },
  }),
});

/** The address it came to names the send. */
const VERP: LabelledMessage = {
  name: 'verp',
  kind: 'bounce',
  facts: { verpSendId: 4711, isPermanent: true },
  raw: raw({
    from: DAEMON,
    to: 'anna+b4711-0a1b2c3d@acme-outreach.test',
    subject: 'Mail could not be delivered',
    text: '550 No',
  }),
};

export const bounces = [...REPORTS.map(report), ...PLAIN.map(plain), VERP];
