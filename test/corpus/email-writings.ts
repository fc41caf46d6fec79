/** All the ways in which the invented sites write an address, plain and hidden from robots. */

export interface EmailWriting {
  name: string;
  /** HTML that shows or hides `email`; it has to stand by itself. */
  html: (email: string) => string;
  /** A browser without scripts shows it too. */
  isVisible: boolean;
}

const parts = (email: string): [string, string] => email.split('@') as [string, string];
const entities = (text: string): string =>
  Array.from(text, (char, at) =>
    at % 2 ? `&#x${char.codePointAt(0)!.toString(16)};` : `&#${char.codePointAt(0)!};`,
  ).join('');
const turned = (text: string): string => Array.from(text).toReversed().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

export function cloudflare(text: string): string {
  const key = 0x42;
  return Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex');
}

export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/** TYPO3's `encryptEmail`: each letter moves within its own range. */
export function typo3(text: string, offset = 2): string {
  const ranges = [
    [0x2b, 0x3a],
    [0x40, 0x5a],
    [0x61, 0x7a],
  ] as const;
  return Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    const range = ranges.find(([first, last]) => code >= first && code <= last);
    if (!range) return letter;
    const size = range[1] - range[0] + 1;
    return String.fromCharCode(range[0] + ((code - range[0] + offset + size) % size));
  }).join('');
}

const writing = (
  name: string,
  html: (email: string) => string,
  isVisible = true,
): EmailWriting => ({ name, html, isVisible });

export const EMAIL_WRITINGS: EmailWriting[] = [
  writing('mailto', (email) => `<a href="mailto:${email}">${email}</a>`),
  writing(
    'mailto with subject',
    (email) => `<a href="mailto:${email}?subject=Anfrage%20Web&body=Hi">Mail</a>`,
  ),
  writing(
    'mailto with an icon only',
    (email) => `<a href="MAILTO: ${email}"><i class="fa fa-envelope"></i></a>`,
  ),
  writing('plain text', (email) => email),
  writing('text with a full stop', (email) => `<p>(${email}).</p>`),
  writing('percent-encoded mailto', (email) => `<a href="mailto:${percent(email)}">write</a>`),
  writing('entities', (email) => `<a href="${entities(`mailto:${email}`)}">${entities(email)}</a>`),
  writing('&commat; and &period;', (email) =>
    email.replace('@', '&commat;').replace('.', '&period;'),
  ),
  writing('[at] [dot]', (email) => email.replace('@', ' [at] ').replaceAll('.', ' [dot] ')),
  writing('(at)', (email) => email.replace('@', '(at)')),
  writing('{at}', (email) => email.replace('@', ' {at} ')),
  writing('(ät) (punkt)', (email) => email.replace('@', ' (ät) ').replaceAll('.', ' (punkt) ')),
  writing('at dot in words', (email) => {
    const [local, domain] = parts(email);
    return `${local} at ${domain.replaceAll('.', ' dot ')}`;
  }),
  writing('(arroba)', (email) => email.replace('@', '(arroba)')),
  writing('[chiocciola]', (email) => email.replace('@', ' [chiocciola] ')),
  writing('spaces around the sign', (email) => `E-Mail: ${email.replace('@', ' @ ')}`),
  writing('full-width sign', (email) => email.replace('@', '＠')),
  writing('zero-width characters', (email) => email.replace('@', '\u200B@\u200B')),
  writing(
    'Cloudflare',
    (email) =>
      `<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${cloudflare(email)}">[email&#160;protected]</a>`,
  ),
  writing(
    'Cloudflare link',
    (email) => `<a href="/cdn-cgi/l/email-protection#${cloudflare(email)}">Mail</a>`,
  ),
  writing('split by tags', (email) => {
    const [local, domain] = parts(email);
    return `<span>${local}</span><span>@</span><span>${domain}</span>`;
  }),
  writing('split by comments', (email) => email.replace('@', '<!-- no --><!-- spam -->@<!-- -->')),
  writing('split by wbr', (email) => email.replace('@', '@<wbr>').replace('.', '<wbr>.')),
  writing('hidden noise', (email) =>
    email.replace('@', '<span style="display:none">NOSPAM</span>@'),
  ),
  writing(
    'hidden noise by class',
    (email) =>
      `<style>.trap { display: none }</style>${email.replace('@', '@<b class="trap">remove.</b>')}`,
  ),
  writing(
    'reversed by style',
    (email) => `<span style="unicode-bidi:bidi-override;direction:rtl">${turned(email)}</span>`,
  ),
  writing(
    'reversed by class',
    (email) =>
      `<style>span.rev{direction:rtl;unicode-bidi:bidi-override}</style><span class="rev">${turned(email)}</span>`,
  ),
  writing(
    'reversed by a style sheet we do not have',
    (email) => `<span class="mirrored">${turned(email)}</span>`,
  ),
  writing(
    'microdata',
    (email) => `<span itemscope><meta itemprop="email" content="${email}"></span>`,
    false,
  ),
  writing('image between', (email) => email.replace('@', '<img src="/img/at.gif" alt="@">')),
  writing('alt of an image', (email) => `<img src="/img/mail.png" alt="${email}">`),
  writing('title of a link', (email) => `<a href="/form" title="${email}">write</a>`),
  writing('link without scheme', (email) => `<a href="${email}">write</a>`),
  writing(
    'data attributes',
    (email) => {
      const [local, domain] = parts(email);
      return `<a class="m" data-user="${local}" data-domain="${domain}"></a>`;
    },
    false,
  ),
  writing(
    'base64 in a data attribute',
    (email) => `<a class="m" data-email="${base64(email)}">write</a>`,
    false,
  ),
  writing(
    'ROT13 in a data attribute',
    (email) => `<a class="m" data-enc-email="${rot13(email.replace('@', '[at]'))}">write</a>`,
    false,
  ),
  writing(
    'Joomla',
    (email) => {
      const [local, domain] = parts(email);
      return `<joomla-hidden-mail is-link="1" first="${base64(local)}" last="${base64(domain)}" text="x">JavaScript</joomla-hidden-mail>`;
    },
    false,
  ),
  writing(
    'document.write',
    (email) => {
      const [local, domain] = parts(email);
      return `<script>document.write('<a href="mai' + 'lto:${local}' + '@' + '${domain}">mail</a>');</script>`;
    },
    false,
  ),
  writing(
    'variables',
    (email) => {
      const [local, domain] = parts(email);
      return `<script>var u = "${local}"; var d = "${domain}"; var m = u + "&#64;" + d; el.innerHTML = m;</script>`;
    },
    false,
  ),
  writing(
    'unescape',
    (email) =>
      `<script>document.write(unescape('${percent(`<a href="mailto:${email}">x</a>`)}'))</script>`,
    false,
  ),
  writing(
    'character codes',
    (email) =>
      `<script>document.write(String.fromCharCode(${Array.from(email, (char) => char.charCodeAt(0)).join(', ')}))</script>`,
    false,
  ),
  writing(
    'joined array',
    (email) => {
      const [local, domain] = parts(email);
      return `<script>location.href = 'mailto:' + ['${local}', '${domain}'].join('@');</script>`;
    },
    false,
  ),
  writing(
    'TYPO3',
    (email) => `<a href="javascript:linkTo_UnCryptMailto('${typo3(`mailto:${email}`)}');">mail</a>`,
    false,
  ),
  writing(
    'TYPO3 token',
    (email) =>
      `<a href="#" data-mailto-token="${typo3(`mailto:${email}`, -4)}" data-mailto-vector="-4">mail</a>`,
    false,
  ),
  writing(
    'handler with parts',
    (email) => {
      const [local, domain] = parts(email);
      return `<a href="#" onclick="sendMail('${local}', '${domain}'); return false">mail</a>`;
    },
    false,
  ),
];
