/** The profiles on social networks that a page links to. */
import { ownerAt } from '../owners.ts';
import { profileBehind, profileOf, profileOfPlugin, type ProfileAddress } from './profiles.ts';
import type { PageScan } from '../html/page-scan.ts';
import type { PageProfile } from '../types.ts';

const MAX_PROFILES = 60;
const MAYBE =
  /facebook|fb\.|instagr|twitter|\/\/(?:www\.|mobile\.)?x\.com|linkedin|youtube|tiktok|pinterest|vk\.|vkontakte/i;

/** In the order of the page, each once. */
export function profilesOfPage(page: PageScan): PageProfile[] {
  const { source, data } = page;
  const found = new Map<string, PageProfile>();
  const add = (
    profile: ProfileAddress | null,
    form: PageProfile['form'],
    at: number | null,
  ): void => {
    if (!profile || found.size >= MAX_PROFILES) return;
    const owner = at === null ? null : ownerAt(source.text, at, page);
    const before = found.get(profile.url.toLowerCase());
    if (!before) found.set(profile.url.toLowerCase(), { ...profile, page: page.url, form, owner });
    else if (before.owner === 'third-party') before.owner = owner;
  };
  for (const { href, start } of source.links)
    if (MAYBE.test(href)) add(profileOf(href) ?? profileBehind(href), 'link', start);
  for (const plugin of source.plugins) add(profileOfPlugin(plugin), 'link', null);
  for (const attributes of source.parts) {
    const href = attributes['data-href'];
    if (href && /\bfb-page\b/.test(attributes['class'] ?? '')) add(profileOf(href), 'link', null);
  }
  for (const url of data.sameAs) if (MAYBE.test(url)) add(profileOf(url), 'json-ld', null);
  return [...found.values()];
}
