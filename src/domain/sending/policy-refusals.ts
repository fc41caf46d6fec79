/**
 * What servers say when they refuse a message as spam or by a policy: of its sender's reputation,
 * authentication or content, not of the recipient. By what the large providers document:
 * - RFC 3463, 3.8 (5.7.x) and RFC 7372 (5.7.20 to 5.7.26: DKIM, SPF, reverse DNS, several of them)
 * - Microsoft, "Email non-delivery reports and SMTP errors in Exchange Online": 5.7.1, 5.7.23 (SPF),
 *   5.7.350 (a further server found spam), 5.7.509 (DMARC), 5.7.511 and 5.7.606 to 5.7.649 (banned),
 *   5.7.515 (authentication of bulk senders), 5.7.703, 5.7.705 and 5.7.708 (no traffic accepted)
 * - Google, "Gmail SMTP errors and codes": 5.7.1 (likely unsolicited), 5.7.25 (PTR), 5.7.26 to
 *   5.7.30 (SPF, DKIM, DMARC), 5.7.28 (rate of unsolicited mail)
 * - Yahoo, "SMTP error codes" of the Sender Hub: 554 [PH01], 553 [BL21], 554 5.7.9
 * - Proofpoint, "Local Policy Violation" and `Blocked - see https://ipcheck.proofpoint.com`
 * - Mimecast, "SMTP error codes": `Administrative prohibition`, `Poor Reputation Sender`,
 *   `anti-spoofing policy`, `security policies`
 * - Tencent, "QQ Mail: returned mail": `Mail content denied`, `Suspected bounce attacks`, `Connection denied`, `Mail is
 *   rejected by recipients`; NetEase: `DT:SPM`, `MI:SPB` and more of three letters, none of them of an address
 * - GMX and WEB.DE, "Error messages": `Bad DNS PTR resource record`, `Sender address is not allowed`, behind the words
 *   that RFC 5321 has for unknown mailboxes
 * - Apple, "Postmaster information for iCloud Mail": [CS01]; 1&1: `Reject due to policy restrictions`
 * - Orange and La Poste: OFR_506 and more of five hundred, which their filter of spam gives; they say `Mail rejected` with
 *   5.2.0, or `try later`. 505 is trouble of theirs, 514 the size
 */
import { shortened } from '../storable-text.ts';

/** What has a rate of refusals of its own, and is paused for it; `provider`: that of the recipients. */
export const PAUSE_SCOPES = ['mailbox', 'domain', 'server', 'provider'] as const;
export type PauseScope = (typeof PAUSE_SCOPES)[number];

/** What a refusal that ends a sequence is about: us (spam, policies), or the address. */
export const REFUSAL_CLASSES = ['policy', 'address'] as const;
export type RefusalClass = (typeof REFUSAL_CLASSES)[number];

/** With any code, these phrases mean spam or a policy. */
export const POLICY = anyOf([
  /(?<!-)\bspam(my|miness)?\b|\bspam[- ](score|points|content|rules?)\b|\bjunk\b|\bphish/,
  /\bunsolicited\b|\bbulk (e-?)?mail\b|\bsuspicious\b|\bspoof/,
  /\bpolic(y|ies)\b|\badministrative(ly)? prohibit|\btraffic not accepted\b/,
  /\breputation\b|\b(spf|dkim|dmarc)\b|\bunauthenticated\b|\bauthentication (checks?|level)\b/,
  /\b(bl|cs|hm|ph|ts)\d{2}\]|\b(dt|hl|mi|rp|wm):[a-z]{3}\b|\b(dy|ou|sc)-00\d\b/,
  /\b(ofr|lpn)\d{0,3}_5(?!05|14)\d\d\b/,
  /\bsuspected\b|\bmail content denied\b|\boutboundspam/,
  /\bptr\b|\binvalid dns\b|\bdynamic ips?\b|\bsender address is not allowed\b/,
  /\bconsidered (spam|junk|unsafe|dangerous)\b|\bblocked senders?\b/,
  // Not `user account blocked`.
  /(?<!\b(mailbox|account|user|recipient)( is| has been)? )\bblocked\b/,
]);

/** These do so where nothing else is decisive. */
export const WEAK_POLICY = anyOf([
  /\baccess denied\b|\bprohibited\b|\bnot (accepted|allowed|permitted|authori[sz]ed)\b/,
  /\bcontact your (isp|provider|postmaster)\b|\bask your postmaster\b|\babus(e|ive)\b/,
  /\bconnection denied\b|\brejected by (the )?recipients?\b|\breverse (dns|lookup)\b/,
]);

function anyOf(words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i');
}

/** The provider behind a free-mail domain, by the names of `mailProviderOf`. */
const PROVIDERS: readonly (readonly [name: string, domains: string])[] = [
  ['google', '^(gmail|googlemail)\\.'],
  ['microsoft', '^(outlook|hotmail|live|msn)\\.'],
  ['yahoo', '^(yahoo|ymail|rocketmail|aol)\\.'],
  ['apple', '^(icloud|me|mac)\\.com$'],
  ['united-internet', '^(gmx\\.|web\\.de$|1und1\\.de$|mail\\.com$)'],
];

/**
 * The provider of a domain: by its name, otherwise `known`, the observed host of its mail, otherwise the
 * domain itself.
 */
export const recipientProviderOf = (domain: string, known?: string): string =>
  PROVIDERS.find(([, domains]) => new RegExp(domains).test(domain))?.[0] ?? known ?? domain;

/** A regular expression, for Postgres as well, of the domains that a provider has by their names. */
export const domainsOfProvider = (provider: string): string =>
  PROVIDERS.find(([name]) => name === provider)?.[1] ??
  `^${provider.replaceAll(/[^a-z0-9-]/g, (char) => `\\${char}`)}$`;

/** The provider's words for an event: without addresses, one line. */
export const quotedWords = (reply: string): string =>
  shortened(
    shortened(reply, 8_000)
      .replaceAll(/(?<!\S)\S+@\S+/g, '<address>')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    300,
  );
