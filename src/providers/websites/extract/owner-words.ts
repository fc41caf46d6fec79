/** Words that tell a site's operator from others that it names. */

const anyOf = (...parts: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}])(?:${parts.join('|')})`, 'giu');

/** Work on a website, in the words of many languages. */
const WORKS =
  'web-?\\s?design|webseite\\p{L}*|design|umsetzung|gestaltung|konzept(?:ion)?|realisierung|realisation|programmierung|' +
  'fotos?|fotografie|bilder|texte?|hosting|h[ée]bergement|r[ée]alisation|conception|cr[ée]ation|d[ée]veloppement|' +
  'diseño|desarrollo|alojamiento|realizzazione|sviluppo|grafica|progetto|desenvolvimento|alojamento|ontwerp|realisatie|' +
  'vormgeving|techniek|toteutus|wykonanie|realizacja|projekt|tvorba|izrada|izdelava|készítette|tárhely|tasarım|yazılım|' +
  'разработка|создание|дизайн|хостинг|розробка|створення|制作|サイト制作|技术支持';

/** A website, and that somebody made it: "Sito web creato da", "Website wurde erstellt von". */
const SITE =
  'sit[eio]s?|website|web-?(?:site|seite|page|oldal|stránk\\p{L}*|sid\\p{L}*|plats\\p{L}*)|page|p[áa]gina|hemsida|hjemmeside|nettside|' +
  'sivut|sivusto|strona|stránk\\p{L}*|honlap|oldal|sajt|сайт|homepage|seite';
const MADE_BY =
  '(?:creat[oa]|fatt[oa]|curat[oa]|progettat[oa]|realizzat[oa]|sviluppat[oa]|ideat[oa]) da|(?:cread[oa]|criad[oa]|hech[oa]|feit[oa]|realizad[oa]|desarrollad[oa]|desenvolvid[oa]|diseñad[oa]) por|' +
  '(?:cr[ée]{2}e?|conçue?|r[ée]alis[ée]e?|d[ée]velopp[ée]e?|faite?) par|(?:erstellt|gemacht|entwickelt|programmiert|gestaltet|entworfen) (?:von|durch)|' +
  '(?:gemaakt|ontworpen|gebouwd|ontwikkeld) door|(?:laget|lavet|udviklet|utviklet|skapad|gjord|designad) av|(?:made|built|created|designed|developed|maintained) (?:by|and)|' +
  '(?:stworzon|wykonan|zaprojektowan)\\p{L} przez|(?:vytvořil|vyrobil|izradi[ol]|napravi[ol])\\p{L}?|készítette|tehnyt|toteutti';

/** Said of whoever made or hosts the site: in the footer of any page, in an Impressum. */
export const CREDIT = anyOf(
  `(?:${SITE})(?![\\p{L}])[^\\n.]{0,25}?(?<![\\p{L}])(?:${MADE_BY})(?![\\p{L}])`,
  `(?:${WORKS})[^\\n.]{0,30}?(?:(?<![\\p{L}])(?:by|von|durch|par|de chez|di|da|por|door|av|af|przez)(?![\\p{L}])|[:：])`,
  'web(?:site)? (?:by|designed|created|developed|built|development)|sites? (?:by|designed|created)',
  'designed (?:by|and)|developed (?:by|and)|created by|powered by|built by|made (?:with|by)|hosted (?:by|at|on)|crafted by',
  'theme by|template by|icons? (?:by|made)|photos? (?:by|credits?)|photography by|photo credits?|crédits? photos?',
  'bildnachweise?|bildquellen?|fotonachweise?|h[ée]berg[ée]|h[ée]bergeurs?|site r[ée]alis[ée]|d[ée]velopp[ée] par',
  'cr[ée]ation (?:du )?site|diseñad[oa]|desarrollad[oa]|realizzat[oa] da|sviluppat[oa] da|sito (?:web )?realizzato|desenvolvido|criado por',
  'gerealiseerd|ontwikkeld|gebouwd door|webbyr|webbplats av|hjemmeside af|nettside av|sivut tehnyt|strona wykonana|wykonanie strony',
  'vytvořil[ao]?|tvorba (?:web|www|str)|web ?tasarım|hazırlayan|разработано|сделано|создание сайт|розроблено|ホームページ制作|建站',
);

/** A trade; a credit where it is alone or with a name, and not in a sentence. */
export const CREDIT_TRADE = anyOf('web-?\\s?design(?![\\p{L}])|web-?agentur|agence web');

/** The same without "by": in legal texts, where sections have such headings. */
export const CREDIT_NOUN = anyOf(
  'hosting|hoster|web-?host|provider|umsetzung|gestaltung|realisierung|programmierung|technische (?:umsetzung|realisierung|betreuung)',
  'agentur|werbeagentur|technische realisation|fotograf(?:in|en|ie)?(?![\\p{L}])|layout|grafik|illustration|bildrechte|h[ée]berge|prestataire|conception|cr[ée]dits|webmaster|alojamiento|diseño|realizzazione|sviluppo|crediti',
  'ontwerp|realisatie|tárhely|хостинг|design(?![\\p{L}])|development(?![\\p{L}])|ospitat[oa]|web-?designer|izrada|izdelava|készít',
);

/** Authorities that supervise or judge the business, which it must name. */
export const AUTHORITY = anyOf(
  'aufsichts|zust[äa]ndige (?:kammer|beh[öo]rde|aufsicht|stelle)|\\p{L}{3,}kammer(?![\\p{L}])|kammer(?:n|zugeh[öo]rigkeit)?(?![\\p{L}])|kassen(?:zahn)?[äa]rztliche|kv[bhn](?![\\p{L}])|kzv\\p{L}{0,2}(?![\\p{L}])|innung|ihk(?![\\p{L}])|landesbeauftragt|bundesbeauftragt|datenschutzbeh|beschwerde(?:stelle|recht)|schlichtung|streitbeilegung|verbraucherschlicht|ombuds|bezirksregierung|gesundheitsamt|landratsamt|ordnungsamt|gewerbeamt|bezirkshauptmann|wirtschaftskammer|notdienst|giftnotruf|berufsverband|dachverband|registergericht|bundesministerium|ministerium',
  'supervisory authority|data protection authority|commissioner(?![\\p{L}])|regulat(?:or|ed by)|ombudsman|bar association|law society|adr entity|dispute resolution|attorney general',
  'cnil(?![\\p{L}])|m[ée]diateur|m[ée]diation|autorit[ée] de contr|ordre (?:des|national)|barreau',
  'agencia española|autoridad de control|aepd|colegio (?:oficial|de)|garante (?:per|della|privacy)|autorit[àa] di controllo|ordine (?:degli|dei)|autoridade de controlo|cnpd|livro de reclama',
  'autoriteit persoons|geschillen|toezichthoud|urząd ochrony|urzędu ochrony|prezes(?:a)? (?:urz|uodo)|uodo|[úu]řad pro ochranu|česk[áa] obchodn[íi] inspekce|[čc]oi(?![\\p{L}])|agencija za',
  'nemzeti adatv|naih(?![\\p{L}])|békéltető|fogyasztóvéd|kormányhivatal|hatóság|tietosuojavaltuutet|kuluttaja|datatilsynet|integritetsskydds|datainspektion|kişisel verileri koruma kurul',
  'роскомнадзор|роспотребнадзор|надзор|消費者|監督',
  'zulassungsbeh[öo]rd|gewerbebeh[öo]rd|supervis(?:ory|ing) body|licensing authority|autorit[ée] de (?:surveillance|tutelle)|autoridad (?:de protecci|supervisora)|autoridade (?:de prote|supervisora)|autorit[àa] garante|organ\\p{L}* nadzor|dozorov|dohledov|nadzorn|felügyelet|valvontaviranomai|tillsynsmyndighet|tilsynsmyndighe[dt]|denetim makam|denetleyici|наглядов|εποπτικ|autoritatea de supraveghere|所管官庁',
);

/**
 * Bodies that a business belongs to or may be judged by: only outside its own data, because chambers,
 * authorities and arbiters have sites, too.
 */
export const BODY = anyOf(
  '\\p{L}*beh[öo]rden?(?![\\p{L}])|\\p{L}*(?:schlichtung|streitbeileg|streitschlicht)|fachverband|fachgruppe|standesvertretung|professional (?:body|association)|trade (?:body|association)|chamber of|disputes?(?![\\p{L}])|arbitrat(?:ion|or)|mediat(?:ion|or)(?![\\p{L}])',
  "ordre (?:du|professionnel)|conseil de l[’']ordre|chambre (?:de commerce|de m[ée]tiers|des|nationale|r[ée]gionale|syndicale)|litiges|ilustre colegio|colegio profesional|colegiad[oa]|arbitra(?:l|je)|mediaci[óo]n|litigios|ordine (?:della|professionale|provinciale)|organismo di|conciliazione|controversie|camera (?:di commercio|arbitrale)",
  'arbitragem|lit[íi]gios|ordem (?:dos|das)|geschil|beroepsvereniging|branche-?(?:organisatie|vereniging)|klachtencommissie|izb[ay](?![\\p{L}])|rzecznik\\p{L}* (?:finans|konsum|praw)|spor[óo]w(?![\\p{L}])|úřad(?:u|em)?(?![\\p{L}])|mimosoud|řešení spor|komor[aeyiu](?![\\p{L}])|kamara',
  '\\p{L}*viranomai|\\p{L}*lautakun|reklamationsn[äæ]|klagen[æa]vn|hakem heyet|arabulucu|третейск|αρχή προστασίας|紛争',
  // "Member of ...": what follows is a name.
  'mitglied (?:der|des|im|in|bei)|member(?:s|ship)? (?:of|in)|membre (?:de|du|des)|miembros? de|soci[oe] (?:di|della)|iscritt[oa] (?:a|all|presso)|inscrit[oa]? (?:à|au|en el|na|no)|membro (?:da|do|di)|lid van|członek|člen(?:em)?(?![\\p{L}])|tagja|medlem (?:av|af|i)|jäsen|üyesi|член(?:ство)?(?![\\p{L}])',
);

/** Names that a business of that trade may have too: believed only outside its own data. */
export const INSURER = anyOf(
  '\\p{L}*haftpflicht|versicher|datenschutzbeauftragt|data protection officer|dpo(?![\\p{L}])|insur(?:er|ance)|indemnity|assurance|garantie financi[èe]re|assicura|polizza|seguros?(?![\\p{L}])|p[óo]liza|\\p{L}*verzekering|ubezpiecz|pojiš[tť]|biztosít|vakuutus|försäkring|forsikring|sigorta|osiguran|страхов|保険',
  'd[ée]l[ée]gu[ée] (?:à|a) la protection|delegado de protecci|responsabile (?:della )?protezione|encarregado (?:da|de) prote|functionaris (?:voor )?(?:de )?gegevens|inspektor(?:em|a)? ochrony|pověřenec|zodpovedn[áa] osoba|adatvédelmi tisztvisel|tietosuojavastaav|dataskyddsombud|databeskyttelsesr[åa]dgiv|personvernombud|službenik za zaštitu',
);

/** Services that privacy texts name with an address, and words for such services. */
export const SERVICE = anyOf(
  'google|facebook|meta platforms|instagram|twitter|x corp|linkedin|youtube|vimeo|tiktok|pinterest|cloudflare|amazon|aws(?![\\p{L}])|microsoft|apple|mailchimp|matomo|etracker|hotjar|hubspot|paypal|stripe|klarna|wordpress|automattic|strato|ionos|1&1|all-inkl|hetzner|ovh|gandi|o2switch|godaddy|squarespace|wix|jimdo|shopify|netlify|vercel|github|host europe|mittwald|domainfactory|aruba|seeweb|one\\.com|infomaniak|hostpoint|combell|transip|hostinger|siteground',
  'auftrags(?:daten)?verarbeit|\\p{L}*dienstleister|zahlungs(?:dienst|anbieter|abwickl)|shop-?system|buchungssystem|newsletter-?(?:dienst|versand)|data processor|processors?(?![\\p{L}])|payment(?:s)? (?:provider|processor|service|gateway|are)|booking system|e-?commerce platform|prestataires?|sous-traitant|paiement|pasarela|proveedor|encargad[oa] del tratamiento|fornitor[ei]|responsabile (?:esterno )?del trattamento|pagament[oi]|subcontratant|prestador|fornecedor',
  'betaal(?:dienst|provider|verkeer)|verwerkers?(?![\\p{L}])|płatno|podmiot\\p{L}* przetwarz|dostawc|zpracovatel(?:e|é)?(?![\\p{L}])|platebn|adatfeldolgoz|fizetési szolgáltat|käsittelijä|maksupalvel|personuppgiftsbiträd|databehandler|betalingstjen|veri işleyen|ödeme|обработчик|платеж|決済',
);

/** A heading line above other businesses and their addresses. */
export const RELATED =
  /\n[^\p{L}\n]*(?:related (?:web)?sites|partner sites|sites partenaires|siti (?:amici|partner)|partnerseiten|befreundete \p{L}+|sitios amigos)[^\p{L}\n]*\n/iu;

/** Always about others: platforms by their company's name, and crisis lines. */
export const OTHERS = anyOf(
  '(?:google|facebook|meta platforms|amazon|microsoft|twitter|linkedin|paypal|stripe|cloudflare|vimeo|pinterest|tiktok)(?: \\p{L}+)? (?:ireland|europe|limited|ltd|inc|llc|gmbh|corp(?:oration)?|s\\.?[àa]\\.?r\\.?l)(?![\\p{L}])',
  'aufsichtsbeh[öo]rde|zust[äa]ndige (?:kammer|beh[öo]rde)|schlichtungsstelle|supervisory authority|autorit[ée] de contr[ôo]le|autoridad de control|autorit[àa] di controllo|autoridade de controlo|toezichthouder|organ nadzorczy|dozorový úřad|felügyeleti hatóság|tillsynsmyndighet|tilsynsmyndighe[dt]|надзорный орган',
  'extern(?:er|e) datenschutzbeauftragt|hosting[- ]provider|h[ée]bergeur|tárhelyszolgáltató',
  'krisentelefon|telefonseelsorge|giftnotruf|seelsorge-?telefon|suicide (?:prevention|hotline|lifeline)|crisis (?:line|lifeline|text line|hotline)|samaritans|tel[eé]fono de la esperanza|sos amiti[eé]',
);

/** What a business calls itself right before its own data. */
export const OPERATOR = anyOf(
  'angaben gem|anbieter|betreiber|inhaber|verantwortlich|diensteanbieter|vertreten durch|gesch[äa]ftsf[üu]hr|kontakt(?:daten|aufnahme)?(?![\\p{L}])|herausgeber|postanschrift|so erreichen|impressum',
  'editeur|éditeur|[ée]dit[ée] par|propri[ée]taire|responsable de (?:la )?publication|directeur de|nous contacter|contact(?![\\p{L}])|publisher|owner|operated by|company details|titular(?![\\p{L}])|titolare|contatti|eigenaar|administrator danych|provozovatel|spr[áa]vce|üzemeltet|szolgáltató (?:neve|adatai)|rekisterinpit|personuppgiftsansvarig|исполнитель|продавец|運営者|販売業者',
);

/** Parts of the business itself, which its legal text may list. */
export const BRANCH = anyOf(
  'niederlassung|zweig(?:stelle|niederlassung)|filiale?n?(?![\\p{L}])|standorte?|b[üu]ros?(?![\\p{L}])|abteilung|praxis|kanzlei|werkstatt|lager|laden|gesch[äa]ft|zentrale|sekretariat|empfang|service|notdienst|bestell|mobil|handy|whats',
  'branch|office|department|headquarters|store|shop|reception|sales|support|bookings?|succursale|si[èe]ge|agence|bureaux?|magasin|accueil|sucursal|oficina|sede|tienda|delegaci[óo]n|filiali?|negozio|ufficio|vestiging|kantoor|winkel|oddzia[łl]|biuro|sklep|pobo[čc]k|provozovn|prodejn|iroda|[üu]zlet|telephely|toimipiste|myym[äa]l|kontor|butik|[şs]ube|ofis|ma[ğg]aza|филиал|офис|магазин|poslovnic|trgovin|支店|営業所|店舗|本社',
);
