/** Whose an address or number is, by the words around it. */
import { SIGN } from './text.ts';
import type { Owner, PageKind } from './types.ts';

const anyOf = (...parts: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}])(?:${parts.join('|')})`, 'iu');

/** Who made or carries the site; stands in footers of any page and in an Impressum. */
const CREDITS = anyOf(
  'web-?\\s?design|webseiten?erstellung|web-?\\s?development|website (?:by|design|created|developed|built)|site (?:by|design|created)|designed (?:by|and)|design by|developed by|created by|powered by|built by|made (?:with|by)|hosted by|hosting|hoster|web-?host|provider|theme by|template by|icons? by|photos? by|photography by',
  'umsetzung|gestaltung|konzept(?:ion)?\\b|realisier|realisation|programmierung|technische\\s|webagentur|werbeagentur|agentur|bildnachweis|bildquelle|bilder\\b|fotos?\\b|fotograf(?:ie|en)?\\b|texte? und',
  'h[ée]berge|r[ée]alisation|conception|cr[ée]ation (?:du )?site|d[ée]velopp[ée]|cr[ée]dits|webmaster|cr[ée]ation graphique',
  'alojamiento|diseñ(?:o|ado)|desarroll(?:o|ado)|realizzazione|realizzato|sviluppo|sviluppato|grafica|a cura di|crediti|desenvolvido|criado por|alojamento',
  'ontwerp|realisatie|gerealiseerd|ontwikkel|gebouwd door|vormgeving|webbplats av|produktion|toteutus|sivut tehnyt|webdesign|hjemmeside af',
  'wykonanie|realizacja|projekt (?:strony|i wykonanie)|tvorba (?:web|www)|vytvořil|izrada (?:web|stranic)|izdelava|készítette|tárhely|web ?tasarım|tasarım|hazırlayan',
  'разработка (?:сайт|и)|создание сайт|сделано|дизайн|хостинг|розробка сайт|створення сайт|制作|ホームページ制作|技术支持|建站',
);

/** Who watches, insures or judges the business: named in an Impressum or a privacy text. */
const AUTHORITIES = anyOf(
  'aufsichtsbeh|aufsichts-?|zust[äa]ndige\\p{L}* |\\p{L}*kammer|kassen(?:zahn)?[äa]rztliche|k\\.?z\\.?v|innung|ihk|landesbeauftragt|bundesbeauftragt|datenschutzbeauftragt|datenschutzbeh|beschwerde|schlichtung|streitbeilegung|verbraucherschlicht|ombuds|haftpflicht|versicherung|versicherer|bezirksregierung|gesundheitsamt|kreisverwaltung|landratsamt|ordnungsamt|gewerbeamt|magistrat|bezirkshauptmann|wirtschaftskammer|notdienst|notruf|giftnotruf|berufsverband|dachverband|registergericht|bundesministerium|ministerium',
  'supervisory authority|data protection (?:authority|commissioner|officer)|information commissioner|regulat(?:or|ed by)|ombudsman|insur(?:er|ance)|bar association|law society|adr entity|dispute|emergency|ftc|attorney general|hud\\b|council',
  'cnil|m[ée]diateur|m[ée]diation|autorit[ée] de contr|ordre des|barreau|assurance|d[ée]l[ée]gu[ée] (?:à|a) la protection',
  'agencia española|autoridad de control|aepd|delegado de protecci|colegio (?:oficial|de)|garante|autorit[àa] di controllo|ordine degli|responsabile (?:della )?protezione|autoridade de controlo|cnpd|livro de reclama',
  'autoriteit persoons|geschillen|klachten|toezichthoud|urząd ochrony|uodo|prezes|inspektor(?:em|a)? ochrony|rzecznik|[úu]řad pro ochranu|česk[áa] obchodn[íi] inspekce|[čc]oi\\b|dozor|orgán|agencija za|povjerenik',
  'nemzeti adatv|naih|békéltető|fogyasztóvéd|kormányhivatal|hatóság|tietosuojavaltuutet|kuluttaja|datatilsynet|integritetsskydds|konsument|datainspektion|kvkk|kurul',
  'роскомнадзор|роспотребнадзор|надзор|суд\\b|消費者|監督',
);

/** Others' services that privacy texts name with an address. */
const SERVICES = anyOf(
  'google|facebook|meta platforms|instagram|twitter|x corp|linkedin|youtube|vimeo|tiktok|pinterest|cloudflare|amazon|aws|microsoft|apple|mailchimp|matomo|etracker|hotjar|hubspot|paypal|stripe|klarna|wordpress|automattic|strato|ionos|1&1|all-inkl|hetzner|ovh|gandi|o2switch|godaddy|squarespace|wix|jimdo|shopify|netlify|vercel|github|host europe|mittwald|domainfactory|aruba|register\\.it|seeweb|strato|one\\.com|infomaniak|hostpoint|combell|transip|hostinger|bluehost|siteground',
);

/** The words that a business calls itself by, right before its data. */
const OPERATOR = anyOf(
  'angaben gem|anbieter|betreiber|inhaber|verantwortlich f|verantwortliche stelle|diensteanbieter|vertreten durch|gesch[äa]ftsf[üu]hr|kontakt(?:daten|aufnahme)?\\b|herausgeber|postanschrift|so erreichen|impressum',
  'editeur|éditeur|propri[ée]taire|responsable (?:de la )?publication|directeur de|nous contacter|contact\\b|publisher|owner|operated by|company details|titular|responsable\\b|titolare|contatti|eigenaar|administrator\\b|provozovatel|spr[áa]vce|üzemeltet|szolgáltató|rekisterinpitäjä|personuppgiftsansvarig|исполнитель|продавец|運営者|販売業者',
);

const MOST_BEFORE = 900;
/** Without headings a text changes its subject without notice. */
const MOST_WITHOUT_HEADING = 350;

/**
 * `third-party` where the words say that what stands at `at` is somebody else's. What is read: its
 * line, the lines before it up to the heading of its section, on legal pages further back.
 */
export function ownerAt(text: string, at: number, kind: PageKind): Owner {
  const isLegal = kind === 'legal' || kind === 'privacy';
  const before = text.slice(Math.max(0, at - (isLegal ? MOST_BEFORE : 140)), at);
  if (!isLegal) return nearCredit(before) ? 'third-party' : null;
  const section = sectionOf(before);
  const heading = section.slice(0, section.indexOf('\n') + 1);
  if (heading.startsWith(SIGN.heading) && isOfOthers(heading, kind)) return 'third-party';
  const operator = lastIndex(OPERATOR, section);
  const others = Math.max(
    lastIndex(CREDITS, section),
    lastIndex(AUTHORITIES, section),
    kind === 'privacy' ? lastIndex(SERVICES, section) : -1,
  );
  if (others > operator) return 'third-party';
  return operator >= 0 ? 'business' : null;
}

const isOfOthers = (heading: string, kind: PageKind): boolean =>
  lastIndex(OPERATOR, heading) < 0 &&
  (CREDITS.test(heading) ||
    AUTHORITIES.test(heading) ||
    (kind === 'privacy' && SERVICES.test(heading)));

/** From the last heading on, the heading included. */
function sectionOf(before: string): string {
  const heading = before.lastIndexOf(SIGN.heading);
  return heading >= 0 ? before.slice(heading) : before.slice(-MOST_WITHOUT_HEADING);
}

const nearCredit = (before: string): boolean => lastIndex(CREDITS, nearLines(before)) >= 0;

/** The line itself and the one before, where credits stand. */
const nearLines = (before: string): string => before.split('\n').slice(-2).join('\n').slice(-110);

function lastIndex(pattern: RegExp, text: string): number {
  const all = new RegExp(pattern.source, 'giu');
  let last = -1;
  for (const { index } of text.matchAll(all)) last = index;
  return last;
}
