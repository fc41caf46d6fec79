/** What one pass over a page collects; all other extraction works on it. */

export type Attributes = Record<string, string>;

export interface PageLink {
  href: string;
  /** Its visible text, with the texts of its images and its titles. */
  text: string;
  /** Where in the page's text it begins and ends. */
  start: number;
  end: number;
}

/** An attribute's value that may hold an address. */
export interface AttributeText {
  value: string;
  /** The position of its element in the page's text. */
  at: number;
}

export interface PageSource {
  text: string;
  title: string;
  language: string | null;
  base: string | null;
  refresh: string | null;
  /** Where an inline script redirects at once: used for pages that show nothing. */
  scriptTarget: string | null;
  links: PageLink[];
  frames: string[];
  attributes: AttributeText[];
  /** The same for telephone numbers, with the sign of the element's label. */
  numbers: AttributeText[];
  /** Parts of the text that are shown only without scripts. */
  fallbacks: { start: number; end: number }[];
  /** All attributes of elements whose `data-*` may hold an address or parts of one. */
  parts: Attributes[];
  /** Values of Cloudflare's protection, with their positions. */
  protected: AttributeText[];
  /** JSON-LD blocks as they are written. */
  linkedData: string[];
  /** Inline scripts and event handlers that may write an address. */
  scripts: string[];
  /** Hrefs of plugins that name the business's own profile. */
  plugins: string[];
  /** Values of microdata with their positions: `<meta itemprop=telephone content=...>`. */
  properties: { name: string; value: string }[];
}

/** Bounds: what a page may make us keep. */
export const MAX_LINKS = 3_000;
export const MAX_ATTRIBUTES = 1_000;
export const MAX_SCRIPTS = 200;
export const MAX_SCRIPT_LENGTH = 200_000;
export const MAX_LINKED_DATA = 20;
