/** What looks like a contact on the generated pages, but is none. */
import type { Business } from './businesses.ts';

export interface Decoys {
  /** In the page's head. */
  head: string;
  taxNumber: string;
  /** Addresses that no extraction may report. */
  emails: string[];
  phones: string[];
  profiles: string[];
}

export function decoysOf({ number, host }: Business): Decoys {
  const digits = String(123_450_000 + number * 37);
  const key = '0'.repeat(31) + (number % 10);
  return {
    head: `<script>Sentry.init({dsn:"https://${key}@o4504.ingest.sentry.test/${digits}"})</script>
<link rel="stylesheet" href="/theme/style@1.2.${number}.css">
<style>.lightbox@media{color:#${digits.slice(0, 6)}}</style>`,
    taxNumber: `USt-IdNr. / VAT: DE${digits}`,
    emails: [
      'logo@2x.png',
      'name@example.com',
      `${key}@o4504.ingest.sentry.test`,
      `style@1.2.${number}.css`,
    ],
    phones: [digits],
    profiles: [
      `https://www.facebook.com/sharer/sharer.php?u=https://${host}/`,
      `https://twitter.com/intent/tweet?url=https://${host}/`,
    ],
  };
}

/** The business's own profiles, and buttons for sharing the page. */
export function footer(business: Business): string {
  const { name, profiles } = business;
  const own = profiles.map((url) => `<a href="${url}" rel="me">${new URL(url).hostname}</a>`);
  const share = decoysOf(business).profiles.map((url) => `<a href="${url}">share</a>`);
  return `<footer>${[...own, ...share].join(' ')}<p>© 2012-2026 ${name}, v3.14.15</p></footer>`;
}
