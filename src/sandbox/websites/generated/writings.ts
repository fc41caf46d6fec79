/** The ways in which businesses write their address on a page, plain and hidden from robots. */

/** Named as in the labels of the truth; `form` is the product's term for it. */
export const WRITINGS = [
  { name: 'mailto', form: 'mailto' },
  { name: 'text', form: 'text' },
  { name: 'entities', form: 'mailto' },
  { name: 'at-dot', form: 'obfuscated' },
  { name: 'cloudflare', form: 'cloudflare' },
  { name: 'json-ld', form: 'json-ld' },
  { name: 'reversed', form: 'obfuscated' },
  { name: 'split-tags', form: 'text' },
  { name: 'microdata', form: 'microdata' },
] as const;
export type Writing = (typeof WRITINGS)[number];

/** HTML that shows `email` so; JSON-LD shows nothing and stands in a script. */
export function writeEmail(email: string, { name }: Writing): string {
  const [local = '', domain = ''] = email.split('@');
  switch (name) {
    case 'mailto':
      return `<a href="mailto:${email}?subject=Web">${email}</a>`;
    case 'text':
      return email;
    case 'entities':
      return `<a href="${entities(`mailto:${email}`)}">${entities(email)}</a>`;
    case 'at-dot':
      return `${local} [at] ${domain.replaceAll('.', ' [dot] ')}`;
    case 'cloudflare':
      return (
        `<a href="/cdn-cgi/l/email-protection" class="__cf_email__" ` +
        `data-cfemail="${cloudflare(email)}">[email&#160;protected]</a>`
      );
    case 'json-ld':
      return '';
    case 'reversed':
      return `<span style="unicode-bidi:bidi-override;direction:rtl">${Array.from(email).toReversed().join('')}</span>`;
    case 'split-tags':
      return `<span>${local}</span><!-- @ --><b>@</b><span>${domain}</span>`;
    case 'microdata':
      return `<span itemprop="email">${email}</span>`;
  }
}

const entities = (text: string): string =>
  Array.from(text)
    .map((char, index) => {
      const code = char.codePointAt(0)!;
      return index % 2 === 0 ? `&#${code};` : `&#x${code.toString(16)};`;
    })
    .join('');

/** Cloudflare's: a key, then each byte XORed with it, in hexadecimal digits. */
function cloudflare(text: string): string {
  const key = 0x5a;
  return Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex');
}
