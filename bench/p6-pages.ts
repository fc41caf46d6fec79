/** Pages like those of small businesses: 20 to 200 KB, most of it markup, styles and scripts. */

/** Repeatable, so that every run and both peers read the same pages. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  `our the and for with your from team house quality service years experience family local
  Handwerk Meister Beratung Termin Angebot Leistung Kunden Qualität über für Öffnungszeiten
  garden kitchen bathroom roof repair dental clinic garage window menu booking price offer
  atelier maison depuis votre équipe conseil devis gratuit`.split(/\s+/);

export type PageName = 'home' | 'contact' | 'impressum';

export interface SitePages {
  home: string;
  contact: string;
  impressum: string;
}

/** The three pages of site number `site`. */
export function pagesOf(site: number): SitePages {
  const random = createRandom(site + 1);
  const homeBytes = 40_000 + Math.floor(random() * 160_000);
  return {
    home: page(random, homeBytes, contactBlock(site, false)),
    contact: page(random, 20_000 + Math.floor(random() * 60_000), contactBlock(site, true)),
    impressum: page(random, 20_000 + Math.floor(random() * 40_000), contactBlock(site, true)),
  };
}

function contactBlock(site: number, isFull: boolean): string {
  const phone = `030 ${String(20_000_000 + site * 37).slice(0, 8)}`;
  const short = `<a href="tel:+49${phone.slice(1).replace(' ', '')}">${phone}</a>`;
  if (!isFull) return short;
  return `<address>Musterbetrieb ${site} GmbH<br>Hauptstr. ${site % 90}<br>10115 Berlin<br>
    Telefon: ${short}<br>E-Mail: <a href="mailto:info@betrieb-${site}.de">info@betrieb-${site}.de</a><br>
    Geschäftsführer: Max Muster<br>USt-IdNr. DE${100_000_000 + site}</address>`;
}

const NAVIGATION = [
  ['/', 'Startseite'],
  ['/leistungen', 'Leistungen'],
  ['/galerie', 'Galerie'],
  ['/preise', 'Preise'],
  ['/kontakt', 'Kontakt'],
  ['/impressum', 'Impressum'],
  ['/datenschutz', 'Datenschutz'],
  ['https://www.facebook.com/musterbetrieb', 'Facebook'],
  ['https://www.instagram.com/musterbetrieb', 'Instagram'],
];

/** A third styles and scripts, the rest sections of text in nested elements with classes. */
function page(random: () => number, bytes: number, contact: string): string {
  const links = NAVIGATION.map(
    ([href, text]) => `<li class="menu-item nav__item"><a href="${href}">${text}</a></li>`,
  ).join('\n');
  const parts = [
    `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Musterbetrieb</title>
    <meta name="viewport" content="width=device-width"><link rel="canonical" href="/">
    <script type="application/ld+json">{"@context":"https://schema.org","@type":"LocalBusiness","name":"Musterbetrieb"}</script>
    <style>${styles(random, bytes / 6)}</style></head><body class="home page-template">
    <header><nav><ul>${links}</ul></nav></header><main>`,
  ];
  let length = parts[0]!.length + bytes / 5;
  while (length < bytes) {
    const next = section(random);
    parts.push(next);
    length += next.length;
  }
  parts.push(`</main><footer>${contact}<ul>${links}</ul></footer>
    <script>${script(random, bytes / 6)}</script></body></html>`);
  return parts.join('\n');
}

const word = (random: () => number) => WORDS[Math.floor(random() * WORDS.length)]!;
const words = (random: () => number, count: number) =>
  Array.from({ length: count }, () => word(random)).join(' ');

function section(random: () => number): string {
  const id = Math.floor(random() * 1e6);
  const items = Array.from(
    { length: 3 },
    () => `<div class="elementor-column elementor-col-33"><div class="widget-wrap">
      <img src="/wp-content/uploads/2024/0${id % 9}/bild-${id}-1024x768.jpg" alt="${words(random, 3)}" width="1024" height="768" srcset="/bild-${id}-300x225.jpg 300w, /bild-${id}-768x576.jpg 768w">
      <h3 class="heading-title size-default">${words(random, 4)}</h3>
      <p>${words(random, 25)}. ${words(random, 12)} ${Math.floor(random() * 200)},00 &euro;.</p>
      <a class="button button-link" href="/leistungen/${word(random)}-${id}"><span>${words(random, 2)}</span></a></div></div>`,
  );
  return `<section class="elementor-section section-${id}" data-id="${id}" data-settings="{&quot;background&quot;:&quot;classic&quot;}">
    <h2>${words(random, 5)}</h2>${items.join('\n')}</section>`;
}

function styles(random: () => number, bytes: number): string {
  let css = '';
  while (css.length < bytes) {
    css += `.${word(random)}-${Math.floor(random() * 1e5)}{margin:0 auto;padding:${Math.floor(random() * 40)}px;color:#${Math.floor(random() * 0xffffff).toString(16)}}\n`;
  }
  return css;
}

function script(random: () => number, bytes: number): string {
  let code = 'window.dataLayer=window.dataLayer||[];';
  while (code.length < bytes) {
    code += `(function(a,b){a.${word(random)}=b["${word(random)}"]||${Math.floor(random() * 1e9)};if(a<b){a.push({id:"x${Math.floor(random() * 1e9)}"})}})(window,document);\n`;
  }
  return code;
}
