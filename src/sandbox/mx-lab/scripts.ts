/** The servers of the lab, by the first label of the domain: `greylist.mxlab.test`. */
import {
  hasMailbox,
  honest,
  localPartOf,
  PIPELINING,
  RECIPIENT_OK,
  UNKNOWN_USER,
  type LabScript,
} from './script.ts';

/** How often a pair of sender and recipient has been seen, and since when. */
export type Acquaintance = (pair: string) => { tries: number; sinceFirstMs: number };

/** After this time a sender is known. */
const GREYLIST_MS = 2_000;
const SLOW_REPLY_MS = 1_500;
const RECIPIENTS_TAKEN = 3;
const ERRORS_BORNE = 5;

const BLOCKED = '550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using bl.example';

const BANNED = '550 5.7.511 Access denied, banned sender IP [192.0.2.1]';

export function labScripts(seen: Acquaintance): Record<string, LabScript> {
  return {
    ...honestScripts(),
    ...unwillingScripts(),
    ...wordyScripts(),
    ...temporaryScripts(seen),
  };
}

/** Servers that tell which mailboxes exist. */
const honestScripts = (): Record<string, LabScript> => ({
  plain: { about: 'tells mailboxes apart, one command at a time', rcpt: honest },
  pipelining: {
    about: 'tells mailboxes apart, many commands in one go',
    extensions: PIPELINING,
    rcpt: honest,
  },
  catchall: { about: 'takes every recipient', extensions: PIPELINING, rcpt: () => RECIPIENT_OK },
  'helo-only': { about: 'knows no EHLO', ehlo: '502 5.5.1 Command not implemented', rcpt: honest },
  utf8: {
    about: 'takes international addresses',
    extensions: [...PIPELINING, 'SMTPUTF8'],
    rcpt: honest,
  },
  starttls: {
    about: 'wants TLS before it listens',
    extensions: ['STARTTLS', ...PIPELINING],
    mail: (_from, { isSecure }) =>
      isSecure ? '250 2.1.0 Ok' : '530 5.7.0 Must issue a STARTTLS command first',
    rcpt: honest,
  },
  backup: { about: 'the first exchanger is dead, the second answers', rcpt: honest },
  'a-only': { about: 'no MX, but an address (RFC 5321, 5.1)', rcpt: honest },
  large: {
    about: 'mailboxes of large providers: gmail.com, outlook.com, yahoo.com, ...',
    extensions: PIPELINING,
    rcpt: (to) =>
      /^(?!invalid-|bounce-)[a-z][a-z._-]{1,40}\d{0,4}$/.test(localPartOf(to))
        ? RECIPIENT_OK
        : UNKNOWN_USER,
  },
  limit: {
    about: '452 after three recipients of a transaction',
    extensions: PIPELINING,
    rcpt: (to, { asked }) =>
      asked.length > RECIPIENTS_TAKEN ? '452 4.5.3 Too many recipients' : honest(to),
  },
  'one-domain': {
    about: 'refuses a second domain in one transaction',
    extensions: PIPELINING,
    rcpt: (to, { asked }) =>
      new Set(asked.map((each) => each.split('@').at(-1))).size > 1
        ? '451 4.3.0 Multiple destination domains per transaction is unsupported'
        : honest(to),
  },
  impatient: {
    about: 'hangs up with 421 after five unknown recipients',
    extensions: PIPELINING,
    rcpt: (to, { errors }) =>
      errors >= ERRORS_BORNE ? '421 4.7.0 Error: too many errors' : honest(to),
  },
  slow: { about: 'takes its time for each reply', delayMs: SLOW_REPLY_MS, rcpt: honest },
  tenants: {
    about: 'many companies, each with a name of its own for the exchanger',
    delayMs: SLOW_REPLY_MS / 5,
    rcpt: honest,
  },
});

/** Servers that say nothing about a mailbox, in all the usual ways. */
const unwillingScripts = (): Record<string, LabScript> => ({
  blocked: { about: '550 with a blocklist at RCPT', extensions: PIPELINING, rcpt: () => BLOCKED },
  'blocked-late': {
    about: 'tells of the first recipients, then 550 with a blocklist, in the words of the others',
    extensions: PIPELINING,
    rcpt: (to, { asked }) => (asked.length > RECIPIENTS_TAKEN ? BLOCKED : honest(to)),
  },
  'blocked-greeting': { about: '554 with a blocklist at connect', greeting: BANNED, rcpt: honest },
  'blocked-sender': {
    about: '421 with a blocklist at MAIL FROM',
    mail: () => '421 4.7.0 [192.0.2.1] is listed at bl.example',
    rcpt: honest,
  },
  'no-probes': {
    about: '550 at RCPT without a reason',
    extensions: PIPELINING,
    rcpt: () => '550 Administrative prohibition',
  },
  refusing: { about: '554 at connect', greeting: '554 5.7.1 No SMTP service here', rcpt: honest },
  busy: { about: '421 at connect', greeting: '421 4.3.2 Try again later', rcpt: honest },
  'no-sender': {
    about: '550 at MAIL FROM',
    mail: () => '550 5.1.8 Sender address rejected: Domain not found',
    rcpt: honest,
  },
  'no-helo': {
    about: '550 at EHLO',
    ehlo: '550 5.7.1 Helo rejected',
    helo: '550 5.7.1 No',
    rcpt: honest,
  },
  closing: { about: 'hangs up after MAIL FROM', mail: () => 'hang up', rcpt: honest },
  dropping: { about: 'hangs up at once', greeting: 'hang up', rcpt: honest },
  mute: { about: 'takes the connection and says nothing', greeting: 'say nothing', rcpt: honest },
  stuck: { about: 'never answers RCPT TO', rcpt: () => 'say nothing' },
  chatty: {
    about: 'answers MAIL FROM twice',
    mail: () => '250 2.1.0 Ok\r\n250 2.1.0 Ok',
    rcpt: honest,
  },
  babbling: { about: 'speaks no SMTP', greeting: 'HTTP/1.1 400 Bad Request', rcpt: honest },
});

/** Servers whose reply texts have to be understood. */
const wordyScripts = (): Record<string, LabScript> => ({
  exchange: {
    about: 'says "Access denied" of unknown recipients, as Exchange Online does',
    extensions: PIPELINING,
    rcpt: (to) =>
      hasMailbox(to)
        ? '250 2.1.5 Recipient OK'
        : '550 5.4.1 Recipient address rejected: Access denied. [AM1.eop.example]',
  },
  consumer: {
    about: 'says "mailbox unavailable" of unknown recipients, without a clear code',
    rcpt: (to) =>
      hasMailbox(to) ? RECIPIENT_OK : '550 5.5.0 Requested action not taken: mailbox unavailable',
  },
  terse: {
    about: 'says "550 Rejected" of unknown recipients and nothing else',
    extensions: PIPELINING,
    rcpt: (to) => (hasMailbox(to) ? RECIPIENT_OK : '550 Rejected'),
  },
  multiline: {
    about: 'says so in several lines',
    rcpt: (to) =>
      hasMailbox(to)
        ? '250-2.1.5 Hello\r\n250 2.1.5 Ok'
        : '550-5.1.1 The account that you tried to reach does not exist.\r\n550 5.1.1 Try again?',
  },
});

/** Servers that want to be asked again later. */
const temporaryScripts = (seen: Acquaintance): Record<string, LabScript> => ({
  greylist: {
    about: '451 to senders it does not know, for two seconds',
    extensions: PIPELINING,
    rcpt: (to) =>
      seen(`greylist ${to}`).sinceFirstMs < GREYLIST_MS
        ? '451 4.7.1 Greylisted, please try again later'
        : honest(to),
  },
  failing: {
    about: '451 at RCPT for ever',
    extensions: PIPELINING,
    rcpt: () => '451 4.3.0 Temporary lookup failure',
  },
  'busy-sender': { about: '450 at MAIL FROM', mail: () => '450 4.7.1 Slow down', rcpt: honest },
});
