/** What a page is for: by the words of links to it, of its address and of its title. */
import type { ContactLink, PageKind } from './types.ts';

type LinkKind = ContactLink['kind'];

/** Text that is already folded, or that is cheap to fold. */
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Words as they are in links and paths, without diacritics. */
const WORDS: Record<LinkKind | 'near', readonly string[]> = {
  contact: words(
    // Latin scripts
    'contact|contacts|contactus|contact us|contact-us|contactez|contactez nous|nous contacter|nous joindre|contacter|contactar|contacto|contactos|contactanos|contactenos|contactame|contacte|contacta|contactati|contactati ne|contactgegevens|contactformulier|contact form|contactform|kontakt|kontakte|kontakty|kontakti|kontaktai|kontaktid|kontakts|kontaktua|kontaktieren|kontaktformular|kontaktdaten|kontakt oss|kontakta|kontakta oss|kontakt os|kontaktirajte|kontaktuj|kontaktujte|kontaktinformation|contatti|contatto|contattaci|contattateci|contato|contatos|fale conosco|faleconosco|fale connosco|coordonnees|yhteystiedot|yhteys|yhteydenotto|ota yhteytta|kapcsolat|kapcsolatok|elerhetoseg|elerhetosegek|elerhetosegeink|iletisim|bize ulasin|bizeulasin|ulasin|skontaktuj|sazinies|sazinai|susisiekite|vota uhendust|epikoinonia|epikinonia|kontakta mums|na kontakt|svyaz|obratnaya svyaz|zvyazok|get in touch|getintouch|reach us|reach out|write to us|talk to us|enquiry|enquiries|inquiry|inquiries|inquire|toiawase|otoiawase|contact form|lienhe|lien he|hubungi kami|hubungi|kontak|lianxi|cysylltu|hafa samband|hafdu samband|kontatti|kuntatt|na kontakto',
    // Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Persian
    "επικοινωνια|контакты|контакти|контакт|контактная информация|связаться|связь с нами|обратная связь|звязок|зв’язок|зв'язок|за контакти|связаться с нами|ელფოსტა|კონტაქტი|צור קשר|צרו קשר|יצירת קשר|اتصل بنا|تواصل معنا|اتصل|تواصل|تماس با ما|تماس",
    // East and South-East Asia
    'お問い合わせ|お問合せ|お問合わせ|お問い合せ|問い合わせ|問合せ|ご連絡|联系我们|联系|聯絡我們|聯絡|聯繫我們|聯繫|문의|문의하기|연락처|고객센터|ติดต่อเรา|ติดต่อ|liên hệ|संपर्क',
  ),
  legal: words(
    'impressum|imprint|impressum datenschutz|mentions legales|mentionslegales|mentions|infos legales|informations legales|aviso legal|avisolegal|avis legal|note legali|notelegali|informazioni legali|legal notice|legalnotice|legal notices|colofon|kolofon|publisher information|impresum|tiraz|tietoa yrityksesta|impresszum|kunye|rechtliches|rechtliche hinweise|nota prawna|pravne informacije|aviso juridico|nota legal|informacion legal|特定商取引法|特定商取引法に基づく表記|特商法|tokusho|tokutei|tokushoho',
  ),
  about: words(
    'about|aboutus|about us|about me|who we are|our team|team|the team|meet the team|staff|our staff|people|our people|our story|company|company profile|profile|uber uns|ueber uns|ueberuns|uber mich|ueber mich|wir|wir uber uns|wir ueber uns|unser team|mitarbeiter|ansprechpartner|unternehmen|firma|praxisteam|kanzlei|qui sommes nous|a propos|apropos|notre equipe|equipe|equipe dentaire|l equipe|quienes somos|quienessomos|sobre nosotros|sobre mi|nosotros|conocenos|equipo|nuestro equipo|sobre|sobre nos|quem somos|quemsomos|equipa|chi siamo|chisiamo|chi sono|il team|lo staff|la nostra storia|over ons|overons|over|over mij|ons team|wie zijn wij|o nas|onas|o mnie|o firmie|zespol|o nama|o podjetju|o spolecnosti|o firme|om oss|om os|om|om mig|personal|medarbejdere|ansatte|meista|yritys|henkilokunta|henkilosto|rolunk|bemutatkozas|csapatunk|munkatarsak|hakkimizda|kurumsal|ekibimiz|biz kimiz|despre noi|despre|echipa|despre companie|o kompanii|okompanii|o nas|pro nas|pronas|sotrudniki|gioi thieu|tentang kami|nor gara',
    'о нас|о компании|о фирме|о магазине|наша команда|команда|сотрудники|про нас|про компанію|за нас|σχετικα με εμας|ποιοι ειμαστε|σχετικα|会社概要|会社案内|会社情報|企業情報|事業所案内|店舗案内|店舗情報|医院案内|スタッフ|スタッフ紹介|院長紹介|事務所概要|事務所案内|关于我们|公司简介|關於我們|회사소개|من نحن|درباره ما|אודות|เกี่ยวกับเรา',
  ),
  privacy: words(
    'datenschutz|datenschutzerklarung|datenschutzerklaerung|privacy|privacy policy|privacypolicy|privacyverklaring|privacybeleid|politique de confidentialite|confidentialite|politica de privacidad|privacidad|politica de privacidade|privacy e cookie|informativa privacy|tietosuoja|tietosuojaseloste|adatvedelem|adatkezeles|adatkezelesi tajekoztato|polityka prywatnosci|rodo|gdpr|ochrana osobnich udaju|personvern|integritetspolicy|gizlilik|kvkk|политика конфиденциальности|політика конфіденційності|プライバシーポリシー|個人情報保護方針|隐私政策|confidentialitate',
  ),
  /** Words for a location; such pages often hold contact data too. */
  near: words(
    'anfahrt|standort|standorte|so finden sie uns|lageplan|location|locations|our location|find us|findus|directions|visit us|visit|hours|opening hours|hours location|hours and location|branches|offices|dove siamo|come raggiungerci|donde estamos|como llegar|ubicacion|localizacion|ubicanos|ou nous trouver|plan d acces|acces|nous trouver|onde estamos|localizacao|openingstijden|route|vestigingen|dojazd|jak dojechac|kde nas najdete|hol vagyunk|megkozelites|terkep|ulasim|konum|subelerimiz|harta|vind ons|vinden|sijainti|hitta hit|find vej|kako do nas|lokacija|adres|adresa|access|akusesu|schedule a visit|appointment|appointments|book an appointment|request a quote|free estimate|free quote|get a quote|quote|booking|book now|termin|termine|termin vereinbaren|rendezvous|rendez vous|prendre rendez vous|rdv|support|kundenservice|customer service|service client|help|как добраться|как проехать|схема проезда|адреса|адрес|филиалы|где нас найти|де нас знайти|アクセス|交通アクセス|アクセスマップ|地図|ご予約|交通|地址|오시는길|오시는 길|찾아오시는 길|الموقع',
  ),
};

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split('|')).map(fold);
}

/** Lower case, without diacritics, other characters than letters and digits as one blank. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text;
  if (ASCII.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('œ', 'oe')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

const exact = new Map<string, LinkKind | 'near'>();
const ORDER = ['near', 'privacy', 'about', 'legal', 'contact'] as const;
for (const kind of ORDER) for (const word of WORDS[kind]) exact.set(word, kind);

/** Scripts without blanks between words: there a word counts anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const anywhere = [...exact]
  .filter(([word]) => UNSPACED.test(word))
  .toSorted(([a], [b]) => b.length - a.length);
const PRIORITY = ['contact', 'legal', 'privacy', 'about', 'near'] as const;
const MOST_WORDS = 4;

/** By first word: the number of words of the longest phrase. */
const beginnings = new Map<string, number>();
for (const word of exact.keys()) {
  const parts = word.split(' ');
  const most = Math.max(beginnings.get(parts[0]!) ?? 0, Math.min(parts.length, MOST_WORDS));
  beginnings.set(parts[0]!, most);
}

export interface Meaning {
  kind: LinkKind | 'near';
  /** 1: the words say nothing else; less where other words are among them. */
  strength: number;
}

/** Words beside "contact" that change its meaning. */
const NOT_CONTACT =
  /\b(?:lens|lenses|linsen|lenti|lentilles|lentes|lenzen|allergi\w*|tracing|sport|improv\w*|thank\w*|danke|merci|gracias|grazie|success|sent)\b/;

/** Navigation repeats on each page of a site, so results are cached. */
const remembered = new Map<string, Meaning | null>();
const MAX_REMEMBERED = 2_000;

/** What a few words (of a link, a segment of a path, a title) say a page is; null for most. */
export function meaningOf(text: string): Meaning | null {
  if (text.length > 200) return null;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const meaning = read(fold(text));
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, meaning);
  return meaning;
}

function read(folded: string): Meaning | null {
  if (folded === '') return null;
  const whole = exact.get(folded) ?? exact.get(folded.replace(/ \d{1,4}$/, ''));
  if (whole) return { kind: whole, strength: 1 };
  const found = partsOf(folded);
  for (const kind of PRIORITY) {
    const length = found.get(kind);
    if (length === undefined || (kind === 'contact' && NOT_CONTACT.test(folded))) continue;
    // The fewer other words, the surer: "Kontakt & Anfahrt" against a sentence with "contact".
    const others = folded.length - length;
    if (others > 60) continue;
    return { kind, strength: others <= 12 ? 0.85 : others <= 25 ? 0.6 : 0.4 };
  }
  return null;
}

/** For each kind, how many letters of the text its words cover at best. */
function partsOf(folded: string): Map<Meaning['kind'], number> {
  const found = new Map<Meaning['kind'], number>();
  const note = (word: string): void => {
    const kind = exact.get(word);
    if (kind && (found.get(kind) ?? 0) < word.length) found.set(kind, word.length);
  };
  const words = folded.split(' ');
  for (let at = 0; at < words.length; at += 1) {
    const most = beginnings.get(words[at]!) ?? 0;
    let phrase = '';
    for (let count = 0; count < most && at + count < words.length; count += 1) {
      phrase = count === 0 ? words[at]! : `${phrase} ${words[at + count]!}`;
      note(phrase);
    }
  }
  if (UNSPACED.test(folded)) for (const [word] of anywhere) if (folded.includes(word)) note(word);
  return found;
}

/** Segments of a path as words: without endings, decoded. */
export function pathWords(pathname: string): string[] {
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const text = segment.includes('%') ? decoded(segment) : segment;
      const bare = text.includes('.')
        ? text.replace(/\.(?:html?|php\d?|aspx?|jsp|cfm|shtml|xhtml)$/i, '')
        : text;
      return /[A-Z]/.test(bare) ? bare.replaceAll(/([a-z])([A-Z])/g, '$1 $2') : bare;
    });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A broken escape stays as it is.
    return segment;
  }
}

/**
 * The kind of a page by its address, then its title. Whether it is the home page is for the caller to
 * decide.
 */
export function kindOfPage(url: URL, title: string): PageKind {
  const segments = pathWords(url.pathname);
  const last = segments.findLast((segment) => !/^(?:index|default|home)$/i.test(segment));
  const byPath = last ? meaningOf(last) : null;
  if (byPath && byPath.strength >= 0.6) return toPageKind(byPath.kind);
  if (
    segments.every((segment) =>
      /^(?:index|default|home|startseite|accueil|[a-z]{2}(?:[-_][a-z]{2})?)$/i.test(segment),
    )
  )
    return url.search === '' ? 'home' : toPageKind(kindOfTitle(title));
  return toPageKind(kindOfTitle(title));
}

/** The part of a title before the site's name. */
function kindOfTitle(title: string): Meaning['kind'] | null {
  for (const part of title.split(/\s[|–—·»:-]\s|[|»]/, 4)) {
    const meaning = meaningOf(part);
    if (meaning && meaning.strength >= 0.85) return meaning.kind;
  }
  return null;
}

const toPageKind = (kind: Meaning['kind'] | null): PageKind =>
  kind === null ? 'other' : kind === 'near' ? 'contact' : kind;
