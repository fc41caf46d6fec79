/** Where a splash page leads: the home pages of its languages, "enter", "home". */
import type { OwnLink } from './own-links.ts';
import { fold } from '../page-kind.ts';

const MAX_LINKS = 5;
/** A page with more links is no splash page. */
const FEW_LINKS = 12;

const LANGUAGES =
  /^(?:de|en|fr|it|es|nl|pl|pt|cs|cz|sk|hu|fi|sv|se|da|dk|no|nb|tr|ru|uk|ua|ja|jp|zh|cn|ko|kr|el|gr|ro|bg|hr|sl|si|sr|lt|lv|et|ee|he|ar|eu|ca|gl)(?:[-_][a-z]{2})?$/i;
const ENTRANCES =
  /^(?:home|homepage|start|startseite|enter|eintreten|eingang|entrer|entrar|entra|ingresso|welcome|willkommen|accueil|inicio|main|index|hauptseite|strona glowna|etusivu|glavnaya|главная|домой|головна|ana sayfa|anasayfa|トップ|ホーム|首页)$/;

/** At most five, the likeliest first; used where no contact page is linked. */
export function otherLinksOf(links: readonly OwnLink[]): string[] {
  const byKey = new Map<string, OwnLink>();
  for (const link of links) if (!byKey.has(link.key)) byKey.set(link.key, link);
  const isSplash = byKey.size <= FEW_LINKS;
  return [...byKey.values()]
    .map((link) => ({ url: link.url, score: scoreOf(link) }))
    .filter(({ score }) => score > 0 || isSplash)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_LINKS)
    .map(({ url }) => url);
}

function scoreOf({ segments, text }: OwnLink): number {
  const [first = '', second] = segments;
  if (second === undefined && LANGUAGES.test(first)) return 3;
  const last = segments.at(-1);
  return isEntrance(text) || (last && isEntrance(last)) ? 2 : 0;
}

/** Far longer than any of the words, diacritics included. */
const MAX_ENTRANCE = 60;
const isEntrance = (text: string): boolean =>
  text.length <= MAX_ENTRANCE && ENTRANCES.test(fold(text));
