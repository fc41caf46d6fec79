/** What one page of a website yields, before the pages of a site are combined. */
import type {
  ContactForm,
  FoundEmail,
  FoundPhone,
  FoundProfile,
} from '../../../domain/discovery/contacts.ts';

export interface PageInput {
  /** Decoded text of the page; at most 2 MB of it, perhaps cut off in the middle of a tag. */
  html: string;
  /** The address it was answered from, after redirects. */
  url: string;
  /** Where the business is, two letters upper case; null when unknown. */
  countryCode: string | null;
}

/** What a page is for, by its address and its title. */
export type PageKind = 'home' | 'contact' | 'legal' | 'privacy' | 'about' | 'other';

/** To whom an address or number belongs, by the words around it; null where nothing tells. */
export type Owner = 'business' | 'third-party' | null;

/** An e-mail address on a page, with what `combine` needs to judge it. */
export interface PageEmail extends FoundEmail {
  owner: Owner;
}

export interface PagePhone extends FoundPhone {
  owner: Owner;
  /** 0-1: how explicitly it is called a telephone number. */
  certainty: number;
  /** In a legal text, in a section of its own that does not say whose number it is. */
  isAside: boolean;
}

export interface PageProfile extends FoundProfile {
  form: ContactForm;
  owner: Owner;
}

/** With at least this score a linked page is a contact page, and the crawler always reads it. */
export const CONTACT_PAGE_SCORE = 50;

/** A link that may lead to contact data. */
export interface ContactLink {
  /** Absolute, without fragment. */
  url: string;
  /** Higher is better: 100 a contact page, 60 an Impressum, 30 about us, 10 privacy. */
  score: number;
  kind: 'contact' | 'legal' | 'about' | 'privacy';
}

/** Lists are bounded, and no string is a slice of the page's text (which would keep it in memory). */
export interface PageFindings {
  url: string;
  kind: PageKind;
  /** The primary tag of `<html lang>`, lower case, where there is one. */
  language: string | null;
  emails: PageEmail[];
  phones: PagePhone[];
  profiles: PageProfile[];
  /** Of the same site, best first, each once, never the page itself. */
  contactLinks: ContactLink[];
  /** Pages that a splash page may lead to (a language's home), absolute, at most 5. */
  otherLinks: string[];
  /** Where `<meta http-equiv=refresh>` redirects at once, absolute. */
  refresh: string | null;
  /** Frames and iframes of the same site, absolute, likeliest to lead on first. */
  frames: string[];
}

/**
 * How much an address looks like a contact page by its path and the text of a link to it ('' in a
 * sitemap): the scale of `ContactLink`, 0 for not at all.
 */
export type ContactScore = (url: string, text: string) => number;
