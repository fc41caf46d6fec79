/** Sections of legal and privacy pages that name somebody else, and some that only seem to. */
import type { SiteCase } from './site-case.ts';
import { numbersOf, OTHER_MAIL, OWN_MAIL, type Stranger } from './stranger-pages.ts';
import { OF_LAW } from './strangers-of-law.ts';
import { OWN } from './strangers-of-none.ts';
import { OF_WORK } from './strangers-of-work.ts';

export const STRANGERS: Stranger[] = [...OF_LAW, ...OF_WORK, ...OWN];

const OWN_WORDS: Record<string, [string, string]> = {
  de: ['Telefon', 'E-Mail'],
  ja: ['電話', 'メール'],
  ru: ['Телефон', 'Почта'],
  fi: ['Puh.', 'Sähköposti'],
};

/** The business's own data come first, as the law wants it. */
export function strangersPage({ country, language, html }: Stranger): string {
  const [phone, mail] = OWN_WORDS[language] ?? ['Tel.', 'E-mail'];
  const own = `<p>Ahornhof<br>Lindenallee 14</p><p>${phone}: ${numbersOf(country).own[0]}<br>${mail}: ${OWN_MAIL}</p>`;
  return `${own}<p>${'Lorem ipsum dolor sit amet consectetur adipiscing elit sed do. '.repeat(5)}</p>${html}`;
}

/** One site for each. */
export const STRANGER_CASES: SiteCase[] = STRANGERS.map((each) => {
  const { own, other } = numbersOf(each.country);
  return {
    ...each,
    domain: 'ahornhof.test',
    isPrivacy: !/impres|legal|legali|mentions|colofon|kontakt|tokusho/.test(each.page.path),
    html: strangersPage(each),
    emails: [OWN_MAIL, ...(each.isOwn ? (each.html.match(/[\w.]+@ahornhof\.test/g) ?? []) : [])],
    phones: each.isOwn && each.html.includes(other[0]) ? [own[1], other[1]] : [own[1]],
    others: each.isOwn ? [] : [OTHER_MAIL, other[1]],
  };
});
