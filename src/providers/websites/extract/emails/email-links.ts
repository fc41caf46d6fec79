/**
 * E-mail addresses in links: `mailto:` in all its spellings, and malformed links that meant to be one.
 */
import { wholeAddress } from '../address.ts';
import { decodeCloudflare, unescapeText } from './email-decoders.ts';
import { findEmails } from './email-text.ts';

const MAX_IN_ONE = 20;

/** The addresses a link writes to; empty for links without an address. */
export function emailsOfLink(href: string): { emails: string[]; isCloudflare: boolean } {
  const cloudflare = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(href)?.[1];
  if (cloudflare) {
    const text = decodeCloudflare(cloudflare) ?? '';
    // The whole query of the `mailto:` is encoded with it.
    return { emails: emailsOf(text.split('?')[0]!), isCloudflare: true };
  }
  const mail = /^\s*(?:mail\s?to|e?mail)\s*[:;]\s*(?:\/\/)?(.*)$/is.exec(href)?.[1];
  if (mail !== undefined) return { emails: emailsOfMailto(mail), isCloudflare: false };
  return { emails: emailOfMistake(href), isCloudflare: false };
}

/** RFC 6068: addresses before `?`, more in `to`, `cc` and `bcc`; subject and body are no contact. */
function emailsOfMailto(mail: string): string[] {
  const [to = '', query = ''] = mail.slice(0, 3_000).split('?', 2);
  const emails = emailsOf(to);
  for (const field of query.split(/&(?:amp;)?/)) {
    const [, value] = /^(?:to|cc|bcc)=(.*)$/is.exec(field) ?? [];
    if (value) emails.push(...emailsOf(value));
  }
  return emails.slice(0, MAX_IN_ONE);
}

function emailsOf(list: string): string[] {
  // A plus stays a plus: RFC 6068 has no form encoding.
  const text = unescapeText(list);
  return findEmails(text)
    .map(({ email }) => email)
    .slice(0, MAX_IN_ONE);
}

/** `href="info@acme.de"` and `href="http://info@acme.de"`: the scheme was forgotten or wrong. */
function emailOfMistake(href: string): string[] {
  if (href.length > 200 || !href.includes('@')) return [];
  const bare = unescapeText(href.trim())
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  const email = wholeAddress(bare);
  return email ? [email] : [];
}
