/** Usual paths of contact pages, for sites that link none: two guesses by language. */

const PATHS: Readonly<Record<string, readonly [string, string]>> = {
  de: ['/kontakt', '/impressum'],
  fr: ['/contact', '/mentions-legales'],
  it: ['/contatti', '/contatti.html'],
  es: ['/contacto', '/aviso-legal'],
  pt: ['/contato', '/contacto'],
  nl: ['/contact', '/contact.html'],
  pl: ['/kontakt', '/kontakt.html'],
  cs: ['/kontakt', '/kontakty'],
  sk: ['/kontakt', '/kontakty'],
  hu: ['/kapcsolat', '/kapcsolat.html'],
  fi: ['/yhteystiedot', '/yhteystiedot.html'],
  sv: ['/kontakt', '/kontakta-oss'],
  da: ['/kontakt', '/kontakt-os'],
  no: ['/kontakt', '/kontakt-oss'],
  nb: ['/kontakt', '/kontakt-oss'],
  tr: ['/iletisim', '/iletisim.html'],
  ru: ['/contacts', '/kontakty'],
  uk: ['/contacts', '/kontakty'],
  ja: ['/contact', '/access'],
};
const ANY = ['/contact', '/contact-us'] as const;

/** Languages by top-level domain, where the page does not say its own. */
const LANGUAGES: Readonly<Record<string, string>> = {
  at: 'de',
  ch: 'de',
  br: 'pt',
  cz: 'cs',
  se: 'sv',
  dk: 'da',
  ua: 'uk',
  jp: 'ja',
  mx: 'es',
  ar: 'es',
  cl: 'es',
  be: 'nl',
};

/** Two paths at most: a wrong guess costs the site a request. */
export function guessedPaths(language: string | null, url: URL): readonly string[] {
  const suffix = url.hostname.slice(url.hostname.lastIndexOf('.') + 1);
  return PATHS[language ?? LANGUAGES[suffix] ?? suffix] ?? ANY;
}
