/** Automatic answers: by header, by subject, by their words in nine languages. */
import { quoted, raw, type LabelledMessage } from './message.ts';

/** Subject, text, the day of return; headers where those tell it. */
type Away = [
  subject: string,
  text: string,
  returnDate?: string | undefined,
  headers?: Record<string, string>,
];

const EXCHANGE = {
  'X-Auto-Response-Suppress': 'All',
  'Auto-Submitted': 'auto-generated',
  'In-Reply-To': '<c7.l12.s0@acme-outreach.test>',
};
const VACATION = { 'Auto-Submitted': 'auto-replied (vacation)' };

const AWAY: Away[] = [
  [
    'Automatic reply: A question',
    'I am out of the office until 1 December 2026 with limited access to e-mail.',
    '2026-12-01',
    EXCHANGE,
  ],
  ['Out of Office Re: A question', 'Thanks for your mail. I will be back on Monday.', '2026-11-23'],
  [
    'Re: A question',
    "Hello, I'm currently on vacation and will return on December 7, 2026. For urgent matters write to office@client.test.",
    '2026-12-07',
    VACATION,
  ],
  ['Re: A question', 'I am on annual leave from 20/11/2026 to 04/12/2026.', '2026-12-04'],
  ['OOO: A question', 'OOO till 12/15/2026.', '2026-12-15'],
  [
    'Auto: A question',
    'I am away from my desk. Back on 2026-12-03.',
    '2026-12-03',
    { 'X-Autoreply': 'yes' },
  ],
  [
    'Re: A question',
    'This is an automated response. We have received your message and will answer shortly.',
    undefined,
    { Precedence: 'auto_reply' },
  ],
  [
    '[Ticket 4711] A question',
    'Your request number 4711 has been created. We received your message and will get back to you.',
    undefined,
    EXCHANGE,
  ],
  ['A question', 'Paul Weber no longer works for this company. Please write to info@client.test.'],
  ['Re: A question', 'I am on parental leave until March 1st, 2027.', '2027-03-01'],
  ['Re: A question [Out of office]', 'Back next week.'],
  [
    'Re: A question',
    'We are closed for the holidays. Our office is closed until January 4, 2027. This is an automatic reply.',
    '2027-01-04',
  ],
  [
    'Automatische Antwort: Eine Frage',
    'Ich bin bis einschließlich 30.11.2026 nicht im Büro.',
    '2026-12-01',
    EXCHANGE,
  ],
  [
    'Abwesenheitsnotiz: Eine Frage',
    'Sehr geehrte Damen und Herren, ab dem 1. Dezember bin ich wieder erreichbar.',
    '2026-12-01',
  ],
  [
    'Re: Eine Frage',
    'Vielen Dank für Ihre Nachricht. Ich bin vom 16.11. bis 27.11. im Urlaub. Ihre Mail wird nicht weitergeleitet.',
    '2026-11-27',
  ],
  ['AW: Eine Frage', 'Ich bin derzeit außer Haus und ab Montag wieder da.', '2026-11-23'],
  [
    'Eingangsbestätigung',
    'Ihre Nachricht ist bei uns eingegangen. Dies ist eine automatische Antwort.',
  ],
  [
    'Re: Eine Frage',
    'Dies ist eine automatisch generierte Nachricht. Ich befinde mich in Elternzeit.',
    undefined,
    { 'X-Autorespond': 'vacation' },
  ],
  [
    'Réponse automatique : Une question',
    "Je suis absent du bureau jusqu'au 2 décembre 2026.",
    '2026-12-02',
    EXCHANGE,
  ],
  [
    'Re: Une question',
    'Bonjour, je suis en congés, de retour le 1er décembre. Cordialement',
    '2026-12-01',
  ],
  [
    'Absence du bureau',
    'Merci pour votre message. Je serai de retour le lundi 30 novembre.',
    '2026-11-30',
  ],
  ['Re: Une question', 'Ceci est un message automatique. Nous avons bien reçu votre demande.'],
  [
    'Respuesta automática: Una pregunta',
    'Estoy fuera de la oficina hasta el 3 de diciembre de 2026.',
    '2026-12-03',
    EXCHANGE,
  ],
  ['Re: Una pregunta', 'Hola, me encuentro de vacaciones. Vuelvo el 09/12/2026.', '2026-12-09'],
  ['Fuera de la oficina', 'Regreso el lunes.', '2026-11-23'],
  ['Re: Una pregunta', 'Este es un mensaje automático. Hemos recibido su correo.'],
  [
    'Risposta automatica: Una domanda',
    'Sono fuori ufficio fino al 4 dicembre 2026.',
    '2026-12-04',
    EXCHANGE,
  ],
  ['R: Una domanda', 'Buongiorno, sono in ferie e rientro il 07/12/2026.', '2026-12-07'],
  ['Assente: Una domanda', 'Torno il 30 novembre.', '2026-11-30'],
  [
    'Resposta automática: Uma pergunta',
    'Estou fora do escritório até 5 de dezembro de 2026.',
    '2026-12-05',
    EXCHANGE,
  ],
  ['Re: Uma pergunta', 'Olá, estou de férias. Retorno em 08/12/2026.', '2026-12-08'],
  ['Ausência', 'Volto no dia 2 de dezembro.', '2026-12-02'],
  [
    'Automatisch antwoord: Een vraag',
    'Ik ben afwezig tot en met 30 november 2026.',
    '2026-12-01',
    EXCHANGE,
  ],
  ['Re: Een vraag', 'Ik ben met vakantie en weer bereikbaar op 01-12-2026.', '2026-12-01'],
  ['Afwezig', 'Terug op maandag.', '2026-11-23'],
  [
    'Automatyczna odpowiedź: Pytanie',
    'Jestem poza biurem do 1 grudnia 2026.',
    '2026-12-01',
    EXCHANGE,
  ],
  ['Odp: Pytanie', 'Dzień dobry, przebywam na urlopie do dnia 04.12.2026.', '2026-12-04'],
  ['Nieobecność w biurze', 'Wracam 2 grudnia.', '2026-12-02'],
  ['Autosvar: En fråga', 'Jag är på semester till och med 2026-11-29.', '2026-11-30', EXCHANGE],
  [
    'Re: A question',
    'Thank you for contacting us.',
    undefined,
    { ...EXCHANGE, Precedence: 'bulk' },
  ],
];

export const autoReplies: LabelledMessage[] = AWAY.map(
  ([subject, text, returnDate, headers], at) => ({
    name: `away ${at}: ${subject} ${text.slice(0, 30)}`,
    kind: 'auto_reply',
    ...(returnDate !== undefined && { facts: { returnDate } }),
    raw: raw({ subject, text: at % 3 === 0 ? text + quoted : text, ...(headers && { headers }) }),
  }),
);

/** The last day of being away is not the one of return. */
const LAST_DAYS: [text: string, returnDate: string][] = [
  ['I am out of the office through November 30.', '2026-12-01'],
  ['I am on vacation until and including 30 November.', '2026-12-01'],
  ['I am on leave from November 23 to November 30, inclusive.', '2026-12-01'],
  ['I am out of the office until November 30.', '2026-11-30'],
  ['I am away from the office through Friday.', '2026-11-28'],
  ['Ich bin bis einschließlich 30.11. im Urlaub.', '2026-12-01'],
  ['Ich bin bis zum 30.11. (einschl.) nicht im Büro.', '2026-12-01'],
  ['Ich bin bis und mit 30. November im Urlaub.', '2026-12-01'],
  ['Je suis absent jusqu’au 30 novembre inclus.', '2026-12-01'],
  ['Estoy de vacaciones hasta el 30 de noviembre inclusive.', '2026-12-01'],
  ['Sono in ferie fino al 30 novembre compreso.', '2026-12-01'],
  ['Estou de férias até 30 de novembro, inclusive.', '2026-12-01'],
  ['Ik ben met vakantie t/m 30 november.', '2026-12-01'],
  ['Jestem na urlopie do 30 listopada włącznie.', '2026-12-01'],
];

autoReplies.push(
  ...LAST_DAYS.map(([text, returnDate]): LabelledMessage => ({
    name: `last day: ${text}`,
    kind: 'auto_reply',
    facts: { returnDate },
    raw: raw({ text, headers: VACATION }),
  })),
);

/** Answers of machines that do not name the letter they answer. */
const RECEIPTS: [subject: string, text: string][] = [
  ['[Ticket #12] We received your request', 'Our team will look into it.'],
  ['Ticket 4711 has been created', 'You can see it in our portal.'],
  ['Thank you for contacting Client Ltd', 'Somebody will come back to you.'],
  ['Ihre Anfrage bei Client GmbH [#88-12]', 'Wir melden uns in Kürze bei Ihnen.'],
  ['Nous avons bien reçu votre demande', 'Une réponse suit.'],
  ['Hemos recibido su consulta', 'Le contestaremos pronto.'],
  ['Abbiamo ricevuto la tua richiesta', 'Ti risponderemo al più presto.'],
  ['Recebemos a sua mensagem', 'Em breve entraremos em contato.'],
  ['Wij hebben uw aanvraag ontvangen', 'U hoort snel van ons.'],
  ['Otrzymaliśmy Państwa zgłoszenie', 'Odpowiemy wkrótce.'],
];
const MACHINES: Record<string, string>[] = [
  { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk', 'X-Auto-Response-Suppress': 'All' },
  { 'Auto-Submitted': 'auto-generated' },
  { Precedence: 'bulk', 'List-Unsubscribe': '<https://client.test/u>' },
];

autoReplies.push(
  ...RECEIPTS.map(([subject, text], at): LabelledMessage => {
    const headers = MACHINES[at % MACHINES.length]!;
    return {
      name: `receipt ${at}: ${subject}`,
      kind: 'auto_reply',
      raw: raw({ subject, text, headers }),
    };
  }),
);
