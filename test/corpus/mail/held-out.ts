/** Letters in other words than the corpus: never used to make rules before they were scored once. */
import { LEAD, MAILBOX, ORIGINAL_ID, quoted, raw, type LabelledMessage } from './message.ts';

const status = (lines: string[]) => ({
  type: 'message/delivery-status',
  text: ['Reporting-MTA: dns; relay.host.test', '', ...lines].join('\n'),
});
const original = {
  type: 'message/rfc822',
  text: `From: ${MAILBOX}\nTo: ${LEAD}\nSubject: A question\nMessage-ID: ${ORIGINAL_ID}\n\nHi`,
};
const failed = (code: string, diagnostic: string, recipient = LEAD) =>
  status([
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    `Status: ${code}`,
    `Diagnostic-Code: smtp; ${diagnostic}`,
  ]);
const report = 'multipart/report; report-type=delivery-status';
const nothing = { 'Return-Path': '<>' };

const bounce = (
  name: string,
  message: Parameters<typeof raw>[0],
  facts: LabelledMessage['facts'] = {},
): LabelledMessage => ({ name: `held out, ${name}`, kind: 'bounce', facts, raw: raw(message) });

const bounces: LabelledMessage[] = [
  bounce(
    'Gmail: address not found',
    {
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      subject: 'Delivery Status Notification (Failure)',
      headers: { ...nothing, 'Auto-Submitted': 'auto-replied', 'X-Failed-Recipients': LEAD },
      text: `** Address not found **\n\nYour message wasn't delivered to ${LEAD} because the address couldn't be found, or is unable to receive mail.`,
      multipart: report,
      parts: [
        failed('5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.'),
        original,
      ],
    },
    { isPermanent: true, status: '5.1.1', recipient: LEAD },
  ),
  bounce(
    'Gmail: over quota',
    {
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      subject: 'Delivery Status Notification (Failure)',
      headers: nothing,
      text: 'The recipient’s inbox is full. The response from the remote server was: 452 4.2.2',
      multipart: report,
      parts: [failed('4.2.2', '452-4.2.2 The recipient is over quota.'), original],
    },
    { isPermanent: false },
  ),
  bounce(
    'Exchange Online: recipient unknown',
    {
      from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@client.test>',
      subject: 'Undeliverable: A question',
      headers: nothing,
      text: `Your message to ${LEAD} couldn't be delivered.\npaul.weber wasn't found at client.test.`,
      multipart: report,
      parts: [
        failed(
          '5.1.10',
          '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
        ),
        original,
      ],
    },
    { isPermanent: true, status: '5.1.10' },
  ),
  bounce(
    'Exchange on premises, German, no report part',
    {
      from: 'Postmaster <postmaster@client.test>',
      subject: 'Unzustellbar: A question',
      headers: nothing,
      text: `Fehler bei der Zustellung an folgende Empfänger oder Verteilerlisten:\n\n${LEAD}\nDie eingegebene E-Mail-Adresse konnte nicht gefunden werden.\n\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##`,
    },
    { isPermanent: true },
  ),
  bounce(
    'Yahoo',
    {
      from: 'MAILER-DAEMON@yahoo.com',
      subject: 'Failure Notice',
      headers: nothing,
      text: `Sorry, we were unable to deliver your message to the following address.\n\n<${LEAD}>:\n554: delivery error: dd This user doesn't have a yahoo.com account (${LEAD}) [0] - mta1.mail.bf1.yahoo.com\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${ORIGINAL_ID}`,
    },
    { isPermanent: true },
  ),
  bounce(
    'Postfix: host unknown',
    {
      from: 'MAILER-DAEMON@relay.host.test (Mail Delivery System)',
      subject: 'Undelivered Mail Returned to Sender',
      headers: { ...nothing, 'Auto-Submitted': 'auto-replied' },
      text: `This is the mail system at host relay.host.test.\n\nI'm sorry to have to inform you that your message could not be delivered.\n\n<${LEAD}>: Host or domain name not found. Name service error for name=client.test type=MX: Host not found`,
      multipart: report,
      parts: [
        status([`Final-Recipient: rfc822; ${LEAD}`, 'Action: failed', 'Status: 5.4.4']),
        original,
      ],
    },
    { isPermanent: true },
  ),
  bounce(
    'Postfix: still trying',
    {
      from: 'MAILER-DAEMON@relay.host.test (Mail Delivery System)',
      subject: 'Delayed Mail (still being retried)',
      headers: nothing,
      text: 'THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
      multipart: report,
      parts: [
        status([`Final-Recipient: rfc822; ${LEAD}`, 'Action: delayed', 'Status: 4.4.1']),
        original,
      ],
    },
    { action: 'delayed' },
  ),
  bounce(
    'Exim, text alone',
    {
      from: 'Mail Delivery System <Mailer-Daemon@mx.host.test>',
      subject: 'Mail delivery failed: returning message to sender',
      headers: { ...nothing, 'X-Failed-Recipients': LEAD, 'Auto-Submitted': 'auto-replied' },
      text: `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n  ${LEAD}\n    host mx.client.test [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<${LEAD}>:\n    550 Unrouteable address`,
    },
    { isPermanent: true, recipient: LEAD },
  ),
  bounce(
    'qmail',
    {
      from: 'MAILER-DAEMON@mx.host.test',
      subject: 'failure notice',
      headers: nothing,
      text: `Hi. This is the qmail-send program at mx.host.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${LEAD}>:\nSorry, no mailbox here by that name. (#5.1.1)`,
    },
    { isPermanent: true, status: '5.1.1' },
  ),
  bounce(
    'Amazon SES',
    {
      from: 'MAILER-DAEMON@amazonses.com',
      subject: 'Delivery Status Notification (Failure)',
      headers: nothing,
      text: `An error occurred while trying to deliver the mail to the following recipients:\n${LEAD}`,
      multipart: report,
      parts: [failed('5.7.1', '550 5.7.1 Message rejected by policy'), original],
    },
    { status: '5.7.1' },
  ),
  bounce(
    'Mimecast',
    {
      from: 'postmaster@eu-smtp-1.mimecast.com',
      subject: '[Postmaster] Email Delivery Failure',
      headers: nothing,
      text: `Your email with subject "A question" could not be delivered to ${LEAD}.\nReason: 550 Rejected by header based manually Blocked Senders`,
      multipart: report,
      parts: [failed('5.0.0', '550 Rejected by header based manually Blocked Senders'), original],
    },
    {},
  ),
  bounce(
    'Proofpoint',
    {
      from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx0a.pphosted.com>',
      subject: 'Returned mail: see transcript for details',
      headers: nothing,
      text: `   ----- The following addresses had permanent fatal errors -----\n<${LEAD}>\n    (reason: 550 5.1.1 User Unknown)\n\n   ----- Transcript of session follows -----\n550 5.1.1 <${LEAD}>... User unknown`,
      multipart: report,
      parts: [failed('5.1.1', '550 5.1.1 User Unknown'), original],
    },
    { isPermanent: true },
  ),
  bounce(
    'GMX',
    {
      from: 'GMX Mailer Daemon <mailer-daemon@gmx.net>',
      subject: 'Mail delivery failed: returning message to sender',
      headers: nothing,
      text: `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to\none or more of its recipients. This is a permanent error. The following address failed:\n\n${LEAD}:\nSMTP error from remote server for RCPT TO command, host: mx00.emig.gmx.net reason: 550 Requested action not taken: mailbox unavailable`,
    },
    { isPermanent: true },
  ),
  bounce(
    'mail.ru',
    {
      from: 'mailer-daemon@corp.mail.ru',
      subject: 'Mail failure.',
      headers: nothing,
      text: `This message was created automatically by the mail system (ecelerity).\n\nA message that you sent could not be delivered to one or more of its recipients.\n\n>>> ${LEAD} (after RCPT TO): 550 Message was not accepted -- invalid mailbox. Local mailbox ${LEAD} is unavailable: user not found`,
    },
    { isPermanent: true },
  ),
  bounce(
    'QQ, Chinese',
    {
      from: 'PostMaster <PostMaster@qq.com>',
      subject: '来自qq.com的退信',
      headers: nothing,
      text: `抱歉，您的邮件被退回来了……\n原邮件信息： 收件人 ${LEAD}\n退信原因： 收件人邮件地址不存在，邮件无法送达。\nhost mx.client.test said: 550 Mailbox not found`,
    },
    { isPermanent: true },
  ),
  bounce(
    'Exchange, French',
    {
      from: 'Microsoft Outlook <postmaster@client.test>',
      subject: 'Non remis : A question',
      headers: nothing,
      text: `Votre message n'a pas pu être remis à ${LEAD}.`,
      multipart: report,
      parts: [failed('5.2.2', '554 5.2.2 mailbox full'), original],
    },
    {},
  ),
];

const away = (
  name: string,
  subject: string,
  text: string,
  facts: LabelledMessage['facts'] = {},
  headers: Record<string, string> = {},
): LabelledMessage => ({
  name: `held out, ${name}`,
  kind: 'auto_reply',
  facts,
  raw: raw({ subject, text, headers: { 'In-Reply-To': ORIGINAL_ID, ...headers } }),
});
const automatic = { 'Auto-Submitted': 'auto-replied' };

const absences: LabelledMessage[] = [
  away(
    'en, Outlook',
    'Automatic reply: A question',
    'Thanks for getting in touch. I am travelling with no access to mail and will be back at my desk on Monday 30 November 2026.',
    { returnDate: '2026-11-30' },
    automatic,
  ),
  away(
    'en, no header',
    'Re: A question',
    'Hello! I am on parental leave until 4 January 2027. For anything urgent please write to office@client.test.',
    { returnDate: '2027-01-04' },
  ),
  away(
    'en, left',
    'Re: A question',
    'Please note that Paul Weber has left Client Ltd. Kindly direct your enquiries to info@client.test.',
  ),
  away(
    'en, ticket',
    '[Ticket#10231] A question',
    'Thank you for contacting our service desk. Your request has been registered under number 10231. An agent will get back to you within one working day.',
    {},
    automatic,
  ),
  away(
    'de, Abwesenheit',
    'Abwesenheitsnotiz: A question',
    'Guten Tag, ich befinde mich derzeit auf Dienstreise und lese meine Mails nicht regelmäßig. Ab dem 01.12.2026 bin ich gern wieder für Sie da.',
    { returnDate: '2026-12-01' },
    automatic,
  ),
  away(
    'de, ohne Kopfzeile',
    'Re: A question',
    'Vielen Dank für Ihre Mail. Bis einschließlich 27.11.2026 habe ich Urlaub. Ihre Nachricht wird nicht weitergeleitet. In dringenden Fällen hilft Frau Maier.',
  ),
  away(
    'fr',
    'Réponse automatique : A question',
    'Bonjour, je suis absent du bureau jusqu’au 2 décembre 2026 inclus et ne consulterai pas mes messages.',
    {},
    automatic,
  ),
  away(
    'fr, sans en-tête',
    'Re: A question',
    'Bonjour, actuellement en congés, je prendrai connaissance de votre message à mon retour le 7 décembre.',
  ),
  away(
    'es',
    'Respuesta automática: A question',
    'Gracias por su correo. Me encuentro de viaje hasta el 3 de diciembre con acceso limitado al correo.',
    {},
    automatic,
  ),
  away(
    'es, sin cabecera',
    'Re: A question',
    'Hola, estoy disfrutando de unos días de vacaciones. Volveré el lunes 30 de noviembre. Un saludo.',
  ),
  away(
    'it',
    'Risposta automatica: A question',
    'Buongiorno, sono fuori sede fino al 29 novembre. Risponderò al mio rientro.',
    {},
    automatic,
  ),
  away(
    'pt',
    'Resposta automática: A question',
    'Olá, encontro-me ausente até 5 de dezembro de 2026. Em caso de urgência contacte geral@client.test.',
    {},
    automatic,
  ),
  away(
    'nl',
    'Automatisch antwoord: A question',
    'Beste, ik ben met verlof tot en met 29 november. Ik lees mijn mail pas daarna.',
    {},
    automatic,
  ),
  away(
    'nl, zonder kop',
    'Re: A question',
    'Bedankt voor je bericht. Momenteel ben ik niet aanwezig; vanaf 1 december ben ik weer te bereiken.',
  ),
  away(
    'pl',
    'Automatyczna odpowiedź: A question',
    'Dzień dobry, przebywam na urlopie do 27 listopada. Odpowiem po powrocie.',
    {},
    automatic,
  ),
  away(
    'pl, bez nagłówka',
    'Re: A question',
    'Dziękuję za wiadomość. Jestem nieobecny w biurze do 30.11.2026. W pilnych sprawach proszę dzwonić do sekretariatu.',
  ),
  away(
    'tr',
    'Otomatik yanıt: A question',
    'Merhaba, 1 Aralık tarihine kadar izinde olacağım. Acil durumlarda info@client.test adresine yazabilirsiniz.',
    {},
    automatic,
  ),
  away(
    'tr, başlıksız',
    'Re: A question',
    'Merhaba, şu anda yıllık izindeyim. 30 Kasım 2026 tarihinde ofise döneceğim.',
  ),
  away(
    'sv',
    'Autosvar: A question',
    'Hej! Jag är på semester och är åter på kontoret den 1 december.',
    {},
    automatic,
  ),
  away(
    'sv, utan huvud',
    'Re: A question',
    'Tack för ditt mejl. Jag är föräldraledig till och med 31 januari 2027. Kontakta gärna min kollega.',
  ),
  away(
    'Gmail responder',
    'Away until Monday Re: A question',
    'Hi, I am offline this week. Talk soon!',
    {},
    { Precedence: 'bulk', 'X-Autoreply': 'yes' },
  ),
];

const wrote = (
  name: string,
  kind: LabelledMessage['kind'],
  text: string,
  subject = 'Re: A question',
): LabelledMessage => ({
  name: `held out, ${name}`,
  kind,
  raw: raw({ subject, text: `${text}${quoted}`, headers: { 'In-Reply-To': ORIGINAL_ID } }),
});

const answers: LabelledMessage[] = [
  wrote(
    'asks about unsubscribing',
    'reply',
    'Quick question: how does your tool handle people who unsubscribe? Our last vendor got this wrong.',
  ),
  wrote(
    'speaks of out of office',
    'reply',
    'Yes, next week works. I was out of office yesterday, sorry for the late answer.',
  ),
  wrote(
    'speaks of undeliverable',
    'reply',
    'Our last campaign had 9 % undeliverable addresses, can you do better?',
  ),
  wrote(
    'returns on Monday, but answers',
    'reply',
    'I am back on Monday, call me then: +49 30 1234567',
  ),
  wrote('stop by', 'reply', 'Sure, stop by our booth in Munich.'),
  wrote(
    'remove from the offer',
    'reply',
    'Could you remove the second item from the offer and send it again?',
  ),
  wrote('not interested', 'reply', 'Thanks, but this is not a priority for us this year.'),
  wrote('our own list', 'reply', 'We have a mailing list of 40,000 customers. What would it cost?'),
  wrote(
    'de, Urlaub als Frage',
    'reply',
    'Nach meinem Urlaub gern. Passt Ihnen der 3. Dezember um 10 Uhr?',
  ),
  wrote(
    'fr, intéressé',
    'reply',
    'Bonjour, envoyez-moi une plaquette, je ne suis pas le bon interlocuteur mais je transmettrai.',
  ),
  wrote(
    'wrong person',
    'reply',
    'I no longer look after purchasing. Ask Tim (tim@client.test), please.',
  ),
  wrote('one word', 'reply', 'Interested!'),
  wrote(
    'automatic in the text',
    'reply',
    'Does the system reply automatically or does a person read this?',
  ),
  wrote('en, take me off', 'unsubscribe_request', 'Take me off your list please.'),
  wrote('en, polite', 'unsubscribe_request', 'Please do not email me again. Thank you.'),
  wrote('en, single word', 'unsubscribe_request', 'UNSUBSCRIBE'),
  wrote('en, rude', 'unsubscribe_request', 'stop spamming me'),
  wrote('de', 'unsubscribe_request', 'Bitte nehmen Sie mich aus Ihrem Verteiler.'),
  wrote('de, kurz', 'unsubscribe_request', 'Keine weiteren Mails bitte!'),
  wrote('fr', 'unsubscribe_request', 'Merci de me retirer de vos envois.'),
  wrote('es', 'unsubscribe_request', 'Por favor, no me manden más correos.'),
  wrote('tr', 'unsubscribe_request', 'Lütfen beni listenizden çıkarın.'),
  wrote('sv', 'unsubscribe_request', 'Ta bort mig från er lista, tack.'),
];

export const heldOut: readonly LabelledMessage[] = [...bounces, ...absences, ...answers];
