/** What people write: answers, wishes to hear no more, and letters that only look like something else. */
import { LEAD, MAILBOX, ORIGINAL_ID, quoted, raw, type LabelledMessage } from './message.ts';

const ANSWERS = [
  'Sounds good, let us talk on Tuesday.',
  'Not interested, thank you.',
  'Sorry, I was out of the office last week. What does it cost?',
  'Can you send me more details about pricing?',
  'I am traveling this week. Call me on Monday at 10?',
  "I'm out of the office until Thursday, can we talk on Friday?",
  'Please stop by our booth at the fair.',
  "We can't stop using our current supplier before March.",
  'Who else uses it? We remove old data every year, how do you handle that?',
  'Our last mails could not be delivered to your colleague, is the address right?',
  'The delivery failed last time, the parcel was returned. Can you do better?',
  'I forwarded this to Maria, she takes care of it.',
  'Yes',
  'Danke, klingt gut. Rufen Sie mich am 1.12. an?',
  'Wir haben leider kein Interesse, viele Grüße',
  'Ich war im Urlaub und habe Ihre Mail erst jetzt gelesen. Was kostet das?',
  "Bonjour, pouvez-vous m'envoyer une offre ?",
  'Merci, ce n’est pas le bon moment. Revenez vers nous en mars.',
  'Hola, me interesa. ¿Cuándo podemos hablar?',
  'No nos interesa, gracias.',
  'Buongiorno, mi mandi per favore i prezzi.',
  'Grazie, al momento non ci serve.',
  'Olá, pode enviar mais informações?',
  'Obrigado, mas já temos fornecedor.',
  'Dank je, stuur maar een voorstel.',
  'Nee, bedankt.',
  'Dzień dobry, proszę o ofertę.',
  'Dziękuję, nie jesteśmy zainteresowani.',
  'How do people unsubscribe from the letters that your product sends?',
  "Don't stop writing, I'm just busy this month.",
];

const UNSUBSCRIPTIONS = [
  'unsubscribe',
  'Unsubscribe me please',
  'STOP',
  'Stop emailing me.',
  'remove me',
  'Please remove me from your list.',
  'Take me off your mailing list!',
  'Please delete my address from your database.',
  'Do not contact me again.',
  'No more emails please',
  'I would like to unsubscribe from this.',
  'opt out',
  'Bitte austragen',
  'Bitte nehmen Sie mich aus Ihrem Verteiler.',
  'Löschen Sie meine Daten aus Ihrer Liste.',
  'Ich möchte keine weiteren Mails erhalten.',
  'Abmelden',
  'Merci de me retirer de votre liste.',
  'Veuillez ne plus me contacter.',
  'Désabonner',
  'Por favor, darme de baja.',
  'No me escriban más.',
  'Quiero darme de baja de esta lista',
  'Cancellatemi dalla vostra lista',
  'Per favore rimuovetemi dalla mailing list.',
  'Por favor, remova-me da sua lista.',
  'Não quero mais receber e-mails.',
  'Graag uitschrijven',
  'Haal mij van de lijst a.u.b.',
  'Proszę mnie wypisać z listy.',
  'Proszę usunąć mój adres z bazy.',
];

const HEADERS = { 'In-Reply-To': ORIGINAL_ID, References: ORIGINAL_ID };

const answers = ANSWERS.map((text, at): LabelledMessage => ({
  name: `answer: ${text.slice(0, 40)}`,
  kind: 'reply',
  raw: raw({ text: at % 2 === 0 ? text + quoted : text, headers: HEADERS }),
}));

const unsubscriptions = UNSUBSCRIPTIONS.map((text, at): LabelledMessage => ({
  name: `unsubscribe: ${text}`,
  kind: 'unsubscribe_request',
  raw: raw({ text: at % 2 === 0 ? text + quoted : text, headers: HEADERS }),
}));

/** RFC 5965. */
const complaint = (type: string, kind: LabelledMessage['kind'], from: string): LabelledMessage => ({
  name: `feedback ${type} of ${from}`,
  kind,
  ...(kind === 'complaint' && {
    facts: { feedbackType: type, originalMessageId: ORIGINAL_ID, recipient: LEAD },
  }),
  raw: raw({
    from,
    subject: 'FW: A question',
    text: 'This is an email abuse report for a letter that came from your network.',
    multipart: 'multipart/report; report-type=feedback-report',
    parts: [
      {
        type: 'message/feedback-report',
        text: `Feedback-Type: ${type}\nUser-Agent: Feedback/1.0\nVersion: 1\nOriginal-Rcpt-To: <${LEAD}>\n`,
      },
      {
        type: 'message/rfc822',
        text: `From: ${MAILBOX}\nTo: ${LEAD}\nMessage-ID: ${ORIGINAL_ID}\n\nHello\n`,
      },
    ],
  }),
});

const COMPLAINTS = [
  'fbl@yahoo.test',
  'staff@hotmail.test',
  'abuse@comcast.test',
  'feedback@zoho.test',
];

const OTHERS: LabelledMessage[] = [
  complaint('not-spam', 'message', 'fbl@yahoo.test'),
  {
    name: 'subject of a List-Unsubscribe mailto',
    kind: 'unsubscribe_request',
    raw: raw({ subject: 'unsubscribe', text: '' }),
  },
  {
    name: 'first letter',
    kind: 'message',
    raw: raw({ subject: 'An offer', text: 'Good day, who buys paper at your company?' }),
  },
  {
    name: 'newsletter',
    kind: 'message',
    raw: raw({
      from: 'News <news@shop.test>',
      subject: 'Our week',
      text: 'All the news of this week. You get it as a customer. If you no longer want this letter, unsubscribe here: https://shop.test/u. '.repeat(
        5,
      ),
      headers: { Precedence: 'bulk', 'List-Unsubscribe': '<https://shop.test/u>' },
    }),
  },
  {
    name: 'invoice by a machine',
    kind: 'message',
    raw: raw({
      from: 'billing@shop.test',
      subject: 'Your invoice 4711',
      text: 'Please find your invoice attached.',
      headers: { 'Auto-Submitted': 'auto-generated' },
    }),
  },
  {
    name: 'newsletter of a lead',
    kind: 'message',
    raw: raw({
      subject: 'News in November',
      text: 'This e-mail was sent automatically.\nNew products.\n\nUnsubscribe',
      headers: { 'List-Id': '<news.client.test>', 'List-Unsubscribe': '<https://client.test/u>' },
    }),
  },
  {
    name: 'short newsletter of a lead',
    kind: 'message',
    raw: raw({
      subject: 'Sale',
      text: 'Do not reply to this e-mail. Unsubscribe me',
      headers: { Precedence: 'bulk', 'List-Unsubscribe': '<mailto:u@client.test>' },
    }),
  },
  {
    name: 'notice of a machine',
    kind: 'message',
    raw: raw({
      subject: 'Your order 12 was shipped',
      text: 'It arrives on Monday.',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
  },
  {
    name: 'an answer over a mailing list',
    kind: 'reply',
    raw: raw({
      text: 'Yes, call me.',
      headers: { ...HEADERS, 'List-Id': '<sales.client.test>' },
    }),
  },
  {
    name: 'own copy',
    kind: 'message',
    raw: raw({ from: `Anna <${MAILBOX}>`, text: 'unsubscribe', headers: HEADERS }),
  },
  {
    name: 'report of success',
    kind: 'message',
    raw: raw({
      from: 'MAILER-DAEMON@mx.test',
      subject: 'Successful Mail Delivery Report',
      text: 'Your message was delivered.',
      multipart: 'multipart/report; report-type=delivery-status',
      parts: [
        {
          type: 'message/delivery-status',
          text: `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ${LEAD}\nAction: delivered\nStatus: 2.0.0\n`,
        },
      ],
    }),
  },
  {
    name: 'read receipt',
    kind: 'message',
    raw: raw({
      subject: 'Read: A question',
      text: 'Your message was read.',
      multipart: 'multipart/report; report-type=disposition-notification',
      headers: HEADERS,
      parts: [
        {
          type: 'message/disposition-notification',
          text: `Final-Recipient: rfc822; ${LEAD}\nDisposition: manual-action/MDN-sent-manually; displayed\n`,
        },
      ],
    }),
  },
  {
    name: 'a person called postmaster',
    kind: 'reply',
    raw: raw({
      from: 'postmaster@client.test',
      text: 'Hello, which DKIM key do you use?',
      headers: HEADERS,
    }),
  },
];

export const people = [
  ...answers,
  ...unsubscriptions,
  ...COMPLAINTS.map((from) => complaint('abuse', 'complaint', from)),
  ...OTHERS,
];
