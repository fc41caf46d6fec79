/** Marks how far a page was read when an element began, so that its findings can be removed again. */
import type { PageSource } from './html/page-source.ts';

const LISTS = [
  'attributes',
  'numbers',
  'parts',
  'protected',
  'scripts',
  'properties',
  'plugins',
  'fallbacks',
] as const satisfies (keyof PageSource)[];

/** How long each list of the page was. */
export type SourceMark = Record<(typeof LISTS)[number] | 'links', number>;

export const markOf = (source: PageSource): SourceMark => ({
  links: source.links.length,
  attributes: source.attributes.length,
  numbers: source.numbers.length,
  parts: source.parts.length,
  protected: source.protected.length,
  scripts: source.scripts.length,
  properties: source.properties.length,
  plugins: source.plugins.length,
  fallbacks: source.fallbacks.length,
});

/** Links that are contacts themselves; links to pages of the site count anywhere. */
const CONTACT =
  /^\s*(?:mail|e?mail|tel|phone|callto|sms|fax|whatsapp|viber|skype|javascript|data:)|@|\/\/(?:[\w.-]+\.)?(?:wa\.me|whatsapp|facebook|fb|instagram|twitter|x|linkedin|youtube|tiktok|pinterest|vk)\.|cdn-cgi\/l\/email/i;
const MAY_CONTACT =
  /@|[[({]\s?\p{L}{1,10}\s?[\])}]|\s(?:at|ät|arroba|chiocciola)\s|(?:\d[^\p{L}\d]{0,4}){6}/iu;

/** Whether anything since `mark`, or in the `text` since then, may be a contact. */
export function hasContactsSince(source: PageSource, mark: SourceMark, text: string): boolean {
  if (LISTS.some((list) => list !== 'fallbacks' && source[list].length > mark[list])) return true;
  for (let at = mark.links; at < source.links.length; at += 1)
    if (CONTACT.test(source.links[at]!.href)) return true;
  return text.length > 0 && MAY_CONTACT.test(text);
}

/** Removes what was found since `mark`; the text is then `length` long again. */
export function dropSince(source: PageSource, mark: SourceMark, length: number): void {
  for (const list of LISTS) source[list].length = mark[list];
  const pages = source.links.splice(mark.links).filter(({ href }) => !CONTACT.test(href));
  for (const page of pages) source.links.push({ ...page, start: length, end: length });
}
