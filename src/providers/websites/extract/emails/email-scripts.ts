/** E-mail addresses that inline scripts and handlers write, in the usual ways. */
import { matchesOf } from '../matches.ts';
import { toAddress, wholeAddress } from '../address.ts';
import { decodeValue, decryptTypo3, unescapeText } from './email-decoders.ts';
import { findEmails } from './email-text.ts';
import { scriptValues } from '../html/script-values.ts';

const MAX_FINDS = 20;

/** Addresses that `code` passes to a mailer or writes into the page; not every one that it mentions. */
export function emailsOfScript(code: string): string[] {
  const found = new Set<string>(callsWithParts(code));
  for (const { value, isComposed } of scriptValues(code)) {
    if (found.size >= MAX_FINDS) break;
    const text = unescapeText(value);
    if (!text.includes('@')) continue;
    if (!isComposed && !/mailto:/i.test(text)) continue;
    // Attributes and tags are not part of an address, but they delimit it.
    const plain = text.replaceAll(/<[^>]{0,1000}>/g, (tag) => ` ${mailtoOf(tag)} `);
    for (const { email } of findEmails(plain)) found.add(email);
  }
  for (const { email } of findEmails(numberedLetters(code).replaceAll(/<[^>]{0,300}>/g, ' ')))
    found.add(email);
  return [...found];
}

/** `erp[0] = 1768842863;`: four letters in each number, as a known encoder writes them. */
function numberedLetters(code: string): string {
  const numbers = [...code.matchAll(/\[\d{1,3}\]\s?=\s?(\d{5,10});/g)].slice(0, 100);
  if (numbers.length < 3) return '';
  const bytes = numbers.flatMap(([, digits]) => {
    const value = Number(digits);
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 0xff);
  });
  const text = Buffer.from(bytes.filter((byte) => byte > 0)).toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : '';
}

const mailtoOf = (tag: string): string => /mailto:([^"'?\s>]+)/i.exec(tag)?.[1] ?? '';

/** `mail('info', 'acme.de')`, `linkTo_UnCryptMailto('...')`, `decode('vasb@npzr.qr')`. */
const CALL =
  /([A-Za-z_$][\w$.]*)\s?\(\s?(["'])([^"'\\\n]{1,300})\2(?:\s?,\s?(["'])([^"'\\\n]{0,100})\4)?(?:\s?,\s?(["'])([^"'\\\n]{0,100})\6)?/g;
const MAX_CALLS = 300;

function* callsWithParts(code: string): Generator<string> {
  let calls = 0;
  for (const match of matchesOf(CALL, code)) {
    if ((calls += 1) > MAX_CALLS) return;
    const [, name = '', , first = '', , second, , third] = match;
    const isMailer = /mail|crypt|decode|nospam|antispam|contact|address|unscramble|rot/i.test(name);
    if (!isMailer) continue;
    const email = (second && joined(first, second, third)) || alone(name, first);
    if (email) yield email;
  }
}

function joined(first: string, second: string, third: string | undefined): string | null {
  const host =
    third && /^\.?[a-z]{2,10}$/i.test(third) ? `${second}.${third.replace('.', '')}` : second;
  return (
    toAddress(first, host) ?? toAddress(second, first) ?? (third ? toAddress(third, host) : null)
  );
}

function alone(name: string, value: string): string | null {
  if (/uncrypt|decrypt/i.test(name)) {
    const mail = decryptTypo3(unescapeText(value));
    if (mail) return wholeAddress(mail.split('?')[0]!);
  }
  return decodeValue(value);
}
