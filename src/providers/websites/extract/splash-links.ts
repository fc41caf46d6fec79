/** Where a page leads that only greets: the home pages of its languages, "enter", "home". */
import { FILES, isSameSite, pageKey, resolve } from './page-links.ts';
import { fold, pathWords } from './page-kind.ts';
import type { PageSource } from './page-source.ts';

const MAX_LINKS = 5;
/** A page with more links greets and leads on by itself. */
const FEW_LINKS = 12;

const LANGUAGES =
  /^(?:de|en|fr|it|es|nl|pl|pt|cs|cz|sk|hu|fi|sv|se|da|dk|no|nb|tr|ru|uk|ua|ja|jp|zh|cn|ko|kr|el|gr|ro|bg|hr|sl|si|sr|lt|lv|et|ee|he|ar|eu|ca|gl)(?:[-_][a-z]{2})?$/i;
const ENTRANCES =
  /^(?:home|homepage|start|startseite|enter|eintreten|eingang|entrer|entrar|entra|ingresso|welcome|willkommen|accueil|inicio|main|index|hauptseite|strona glowna|etusivu|glavnaya|главная|домой|головна|ana sayfa|anasayfa|トップ|ホーム|首页)$/;

/** At most five, the likeliest first; of use where no contact page is linked. */
export function otherLinksOf({ links }: PageSource, page: URL, base: URL): string[] {
  const own = pageKey(page);
  const found = new Map<string, { url: string; score: number }>();
  for (const { href, text } of links) {
    const url = resolve(href, base);
    if (!url || FILES.test(url.pathname) || !isSameSite(url.hostname, page.hostname)) continue;
    const key = pageKey(url);
    if (key !== own && !found.has(key))
      found.set(key, { url: url.href, score: scoreOf(url, text) });
  }
  const isSplash = found.size <= FEW_LINKS;
  return [...found.values()]
    .filter(({ score }) => score > 0 || isSplash)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_LINKS)
    .map(({ url }) => url);
}

function scoreOf(url: URL, text: string): number {
  const segments = pathWords(url.pathname);
  const [first = '', second] = segments;
  if (second === undefined && LANGUAGES.test(first)) return 3;
  const last = segments.at(-1);
  return ENTRANCES.test(fold(text)) || (last && ENTRANCES.test(fold(last))) ? 2 : 0;
}
