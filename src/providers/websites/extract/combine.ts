/** Combines the findings of a site's pages: each contact once, without those of others, best first. */
import type {
  FoundEmail,
  FoundPhone,
  FoundProfile,
  SiteContacts,
} from '../../../domain/discovery/contacts.ts';
import { rankEmails, relationOf } from '../../../domain/discovery/contact-choice.ts';
import { contactPagesOf } from './links/contact-pages.ts';
import type { PageEmail, PageFindings, PagePhone, PageProfile } from './types.ts';

export interface Site {
  /** As a map or an ad shows it. */
  website: string;
  countryCode: string | null;
}

/** A page with more is a directory of other businesses. */
const MAX_EMAILS = 60;
const MAX_PHONES = 40;
const MAX_PROFILES = 40;

/** `pages` in the order they were visited, the home page first. */
export function combine(pages: PageFindings[], site: Site): SiteContacts {
  const profiles = sortProfiles(pages);
  const believed = isCopied(profiles.linked, profiles.structured)
    ? pages.map(withoutLinkedData)
    : pages;
  return {
    emails: emailsOf(believed, site).slice(0, MAX_EMAILS),
    phones: phonesOf(believed).slice(0, MAX_PHONES),
    profiles: profilesOf(profiles).slice(0, MAX_PROFILES),
    contactPages: contactPagesOf(pages),
  };
}

const withoutLinkedData = (page: PageFindings): PageFindings => ({
  ...page,
  emails: page.emails.filter(({ form }) => form !== 'json-ld'),
  phones: page.phones.filter(({ form }) => form !== 'json-ld'),
});

function emailsOf(pages: PageFindings[], { website }: Site): FoundEmail[] {
  const byAddress = new Map<string, { finds: PageEmail[]; kinds: PageFindings['kind'][] }>();
  for (const { emails, kind } of pages)
    for (const find of emails) {
      const entry = byAddress.get(find.email) ?? { finds: [], kinds: [] };
      entry.finds.push(find);
      entry.kinds.push(kind);
      byAddress.set(find.email, entry);
    }
  const certain: FoundEmail[] = [];
  const doubtful: FoundEmail[] = [];
  for (const { finds, kinds } of byAddress.values()) {
    const relation = relationOf(finds[0]!.email, website);
    const email = best(finds);
    if (relation === 'own' || relation === 'related') certain.push(email);
    else if (finds.every(({ owner }) => owner === 'third-party')) continue;
    else if (relation === 'free' || finds.some(({ owner }) => owner === 'business'))
      certain.push(email);
    else if (kinds.every((kind) => kind === 'privacy')) continue;
    // Another domain, and only in an Impressum: the operator's, used where there is nothing better.
    else if (kinds.every((kind) => kind === 'legal' || kind === 'privacy')) doubtful.push(email);
    else certain.push(email);
  }
  const kept = certain.length > 0 ? certain : doubtful.slice(0, 1);
  return rankEmails(kept, website);
}

/** The find that names the address best; its name may come from another page. */
function best(finds: PageEmail[]): FoundEmail {
  const plainest = finds.find(({ owner, form }) => owner !== 'third-party' && form === 'mailto');
  const { email, kind, page, form } = plainest ?? finds[0]!;
  const name = finds.find((find) => find.name)?.name;
  return { email, kind, page, form, ...(name ? { name } : {}) };
}

function phonesOf(pages: PageFindings[]): FoundPhone[] {
  const byNumber = new Map<string, PagePhone[]>();
  for (const { phones } of pages)
    for (const find of phones) {
      const finds = byNumber.get(find.phone);
      if (finds) finds.push(find);
      else byNumber.set(find.phone, [find]);
    }
  const scored: { find: FoundPhone; points: number; isAside: boolean }[] = [];
  for (const finds of byNumber.values()) {
    if (finds.every(({ owner }) => owner === 'third-party')) continue;
    const certainty = Math.max(...finds.map((find) => find.certainty));
    // A number that is once labelled a telephone is one; a fax is labelled so everywhere.
    const labelled = finds.filter((find) => find.certainty >= 0.9);
    const isFax = labelled.length > 0 && labelled.every((find) => find.isFax);
    const plainest =
      finds.find(({ form }) => form === 'tel') ?? finds.find(({ form }) => form !== 'link');
    const { phone, page, form } = plainest ?? finds[0]!;
    scored.push({
      find: { phone, page, form, isFax },
      points: certainty * 10 + finds.length - (isFax ? 100 : 0),
      isAside: finds.every((each) => each.isAside),
    });
  }
  const isCertain = scored.some(({ find, isAside }) => !isAside && !find.isFax);
  const sorted = scored
    .filter(({ isAside }) => !isAside || !isCertain)
    .toSorted((a, b) => b.points - a.points)
    .map(({ find }) => find);
  // A messenger's number is also a telephone number, where the site names no other.
  const called = sorted.filter(({ form, isFax }) => form !== 'link' && !isFax);
  return called.length > 0 ? sorted.filter(({ form }) => form !== 'link') : sorted;
}

/** Profiles that visitors see, and those in JSON-LD, each by its key. */
interface Profiles {
  linked: Map<string, PageProfile>;
  structured: Map<string, PageProfile>;
}

function sortProfiles(pages: PageFindings[]): Profiles {
  const linked = new Map<string, PageProfile>();
  const structured = new Map<string, PageProfile>();
  for (const profile of pages.flatMap(({ profiles }) => profiles)) {
    if (profile.owner === 'third-party') continue;
    const into = profile.form === 'json-ld' ? structured : linked;
    const key = profileKey(profile.url);
    if (!into.has(key)) into.set(key, profile);
  }
  return { linked, structured };
}

/**
 * JSON-LD that names none of the profiles that visitors see, but others, was copied with a theme or
 * from another site: nothing in it is believed.
 */
function isCopied(linked: Profiles['linked'], structured: Profiles['structured']): boolean {
  const seen = new Set([...linked.values()].map(({ network }) => network));
  const agrees = [...structured.keys()].some((key) => linked.has(key));
  return !agrees && [...structured.values()].some(({ network }) => seen.has(network));
}

function profilesOf({ linked, structured }: Profiles): FoundProfile[] {
  const seen = new Set([...linked.values()].map(({ network }) => network));
  if (!isCopied(linked, structured))
    for (const [key, profile] of structured)
      if (!seen.has(profile.network)) linked.set(key, profile);
  return [...linked.values()].map(({ network, url, page }) => ({ network, url, page }));
}

/** Facebook shows one page both under its name and under its number. */
function profileKey(url: string): string {
  const number =
    /facebook\.com\/(?:p\/.*-|profile\.php\?id=|pages\/[^/]+\/|people\/[^/]+\/)(\d{5,})$/.exec(
      url,
    )?.[1];
  return number ? `facebook:${number}` : url.toLowerCase();
}
