/** Contacts found on a business's website. */

/** How an address was written on its page. */
export type ContactForm =
  'mailto' | 'tel' | 'json-ld' | 'microdata' | 'text' | 'obfuscated' | 'cloudflare' | 'link';

export interface FoundEmail {
  /** Lower case, domain in punycode. */
  email: string;
  /** `generic`: a role such as info@; `personal`: a person's. */
  kind: 'generic' | 'personal';
  /** The page it stands on. */
  page: string;
  form: ContactForm;
  /** The name next to it, if any. */
  name?: string | undefined;
}

export interface FoundPhone {
  /** E.164, `+4930123456`. */
  phone: string;
  page: string;
  form: ContactForm;
  /** A fax line is kept apart from telephones. */
  isFax: boolean;
}

export const NETWORKS = [
  'facebook',
  'instagram',
  'x',
  'linkedin',
  'youtube',
  'tiktok',
  'pinterest',
  'vk',
] as const;
export type Network = (typeof NETWORKS)[number];

export interface FoundProfile {
  network: Network;
  /** Canonical: https, no query, no locale host. */
  url: string;
  page: string;
}

export interface SiteContacts {
  /** Best first; see `choice` for why the first is first. */
  emails: FoundEmail[];
  phones: FoundPhone[];
  profiles: FoundProfile[];
  /** Pages for reaching the business (contact, Impressum, ...). */
  contactPages: string[];
}
