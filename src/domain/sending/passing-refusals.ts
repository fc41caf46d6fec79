/**
 * What servers say when a mailbox is full, too much has come or been sent, or they cannot just now, with whatever
 * code: the address is fine.
 * - RFC 3463, 3.3 (5.2.2: full); RFC 5321, 4.2.2 (552)
 * - Google, "Gmail SMTP errors and codes": 5.2.1 (`receiving mail at a rate`, beside that of disabled accounts), 5.2.2,
 *   5.4.5 (the own limit)
 * - Microsoft, "Email non-delivery reports and SMTP errors in Exchange Online": 5.2.121 and 5.2.122 (limits of a
 *   recipient by the hour), 5.1.90 (the own limit)
 * - Tencent, "QQ Mail: returned mail": `frequency limited`; `Mailbox unavailable or access denied` of a recipient who
 *   gets too much
 * - Yandex, "Bounces": `exceeded their message rate limit`, `Please come back later`
 */

const QUOTA = [
  /\bover ?quota\b|\bquota (is )?exceeded\b|\bexceed(s|ed)\b.*\b(storage|quota)\b/,
  /\binsufficient (system )?storage\b|\bout of (storage )?space\b|\bno (space left|free space)\b/,
];

/** No mailbox of `somebody@fullmoon.de`: names are taken out before. */
export const FULL = anyOf([
  /\bfull\b/,
  ...QUOTA,
  /\b(mailbox|inbox|account)\b.{0,30}\b(ex?ceeds?|ex?ceeded|exeeded|over the allowed size)\b/,
]);

/** Beside `user unknown` only these do: that may go on with `use the full address`. */
export const OVER_QUOTA = anyOf([/\b(mailbox|inbox|box|account|disk|storage|is) full\b/, ...QUOTA]);

/** Too much for now, by the recipient's or the server's measure. */
export const RATE = anyOf([
  /\breceiv(ing|ed) (e-?mail|mail|messages?) (at a rate|too (quickly|fast))\b/,
  /\breceived too (much|many) (e-?mails?|mails?|messages)\b/,
  /(rate|hourly|frequency) ?limit|\breceive (limit|per hour)\b/,
  /\bmailbox unavailable or access denied\b/,
]);

/** Weaker: behind all words of spam and policies. */
export const PASSING =
  /\bcome back later\b|\btemporar(il)?y (disabled|unavailable|locked|suspended|failure|problem|error)\b/i;

/** Weakest: `No such user. Check the address and try again later` is final. */
export const TRY_AGAIN =
  /\b(try|retry|send|resend) (it |your message |this message )?(again )?(later|in \d)/i;

/** Our own mailbox has sent what its provider allows it, or may send no more. */
export const OWN_LIMIT = anyOf([
  /\bsending (limit|quota)s?\b|\bdaily limit for\b/,
  /\bmessage sending for this account\b/,
]);

function anyOf(words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i');
}
