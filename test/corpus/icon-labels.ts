/** Icons whose label says what they are and gives an address or a number, and labels that do not. */
import type { SiteCase } from './site-case.ts';

export interface IconLabel {
  name: string;
  country: string;
  language: string;
  html: string;
  emails: string[];
  phones: string[];
  faxes: string[];
}

const DRAWING = '<path d="M4 4h16v16H4z"/>';

type Found = Partial<Pick<IconLabel, 'emails' | 'phones' | 'faxes'>>;

const icon = (
  [name, country, language]: [string, string, string],
  html: string,
  found: Found = {},
): IconLabel => ({ name, country, language, html, emails: [], phones: [], faxes: [], ...found });

const MAIL = { emails: ['info@icon-house.test'] };
const PHONE = { phones: ['+493023125014'] };
const FAX = { faxes: ['+493023125019'] };

export const ICON_LABELS: IconLabel[] = [
  icon(
    ['a link of a drawing with a title', 'DE', 'de'],
    `<a href="mailto:info@icon-house.test"><svg><title>E-Mail</title>${DRAWING}</svg></a>`,
    MAIL,
  ),
  icon(
    ['the title of a drawing gives the address', 'DE', 'de'],
    `<a href="#"><svg role="img"><title>E-Mail an info@icon-house.test</title>${DRAWING}</svg></a>`,
    MAIL,
  ),
  icon(
    ['aria-label gives the address', 'GB', 'en'],
    `<a href="#" aria-label="Email: info@icon-house.test"><svg>${DRAWING}</svg></a>`,
    MAIL,
  ),
  icon(
    ['aria-label of a button spells the address', 'GB', 'en'],
    `<button aria-label="Email: info at icon-house dot test"><svg>${DRAWING}</svg></button>`,
    MAIL,
  ),
  icon(
    ['title disguises the address', 'ES', 'es'],
    '<a href="#" title="Correo: info (arroba) icon-house.test"><i class="x1"></i></a>',
    MAIL,
  ),
  icon(
    ['alt disguises the address', 'IT', 'it'],
    '<img src="/m.png" alt="E-mail: info [chiocciola] icon-house.test">',
    MAIL,
  ),
  icon(
    ['a label beside a disguised address of a person', 'FR', 'fr'],
    `<span><svg><title>Courriel</title>${DRAWING}</svg></span> anne at icon-house.test`,
    { emails: ['anne@icon-house.test'] },
  ),
  icon(
    ['aria-label beside a spaced address of a person', 'NL', 'nl'],
    '<i aria-label="E-mail"></i> anne @ icon-house.test',
    { emails: ['anne@icon-house.test'] },
  ),
  icon(
    ['a link of a drawing with a title', 'DE', 'de'],
    `<a href="tel:+493023125014"><svg><title>Telefon</title>${DRAWING}</svg></a>`,
    PHONE,
  ),
  icon(
    ['the title of a drawing gives the number', 'DE', 'de'],
    `<a href="#"><svg><title>Tel. 030 23125014</title>${DRAWING}</svg></a>`,
    PHONE,
  ),
  icon(
    ['aria-label gives the number', 'FR', 'fr'],
    `<a href="#" aria-label="Téléphone : 01 99 00 12 34"><svg>${DRAWING}</svg></a>`,
    { phones: ['+33199001234'] },
  ),
  icon(
    ['aria-label of a button gives the number', 'DE', 'de'],
    `<button aria-label="Jetzt anrufen: 030 23125014"><svg>${DRAWING}</svg></button>`,
    PHONE,
  ),
  icon(
    ['aria-label gives the number in Persian digits', 'IR', 'fa'],
    '<a href="#" aria-label="تلفن: ۰۲۱-۸۸۷۷۶۶۵۵"><i></i></a>',
    { phones: ['+982188776655'] },
  ),
  icon(['alt gives the number', 'ES', 'es'], '<img src="/t.png" alt="Teléfono 912 345 012">', {
    phones: ['+34912345012'],
  }),
  icon(
    ['title of an icon gives the number', 'DE', 'de'],
    '<i class="fa fa-phone" title="030 23125014"></i>',
    PHONE,
  ),
  icon(
    ['title of a drawing before a number without an area', 'DE', 'de'],
    `<p><svg><title>Telefon</title>${DRAWING}</svg> 30 23125014 (Zentrale)</p>`,
    PHONE,
  ),
  icon(
    ['aria-label gives both', 'DE', 'de'],
    '<a href="#" aria-label="Telefon 030 23125014, Fax 030 23125019"></a>',
    { ...PHONE, ...FAX },
  ),
  icon(['title of an icon', 'DE', 'de'], '<p><i title="Fax"></i> 030 23125019</p>', FAX),
  icon(
    ['aria-label of a drawing', 'DE', 'de'],
    `<p><svg aria-label="Telefax">${DRAWING}</svg> 030 23125019</p>`,
    FAX,
  ),
  icon(
    ['the title of a drawing on a link', 'DE', 'de'],
    `<a href="tel:+493023125019"><svg><title>Fax</title>${DRAWING}</svg></a>`,
    FAX,
  ),
  icon(
    ['the word on a link', 'DE', 'de'],
    '<a href="tel:+493023125019">Telefax 030 23125019</a>',
    FAX,
  ),
  icon(
    ['photos with dates and numbers', 'DE', 'de'],
    '<img src="/a.jpg" alt="IMG 20230412 123456 030 23125014.jpg"><img src="/b.jpg" title="Foto 0171 3920014 von 2023">',
  ),
  icon(
    ['a menu for mobiles', 'DE', 'de'],
    '<nav aria-label="Mobile"><a href="/">Start</a></nav><button aria-label="Mobile menu"></button><p>3023125014</p>',
  ),
  icon(
    ['articles and prices in titles', 'DE', 'de'],
    '<a title="Artikel 0302312501" href="/x">x</a><a title="Preis 030 23125014 €" href="/y">y</a>',
  ),
  icon(
    ['files in the titles of drawings', 'DE', 'de'],
    `<svg><title>logo@2x.png</title>${DRAWING}</svg>`,
  ),
];

/** One site for each; addresses are of its own domain. */
export const ICON_CASES: SiteCase[] = ICON_LABELS.map(({ emails, phones, ...each }) => ({
  ...each,
  domain: 'icon-house.test',
  page: { path: '/contact', word: 'Contact' },
  emails,
  phones,
  others: [],
}));
