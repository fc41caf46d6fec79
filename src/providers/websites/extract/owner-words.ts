/** Words that tell the operator of a site from those it merely names. */

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

/** Said of whoever made or carries the site: in the footer of any page, in an Impressum. */
export const CREDIT = anyOf(
  `(?:${SITE})(?![\\p{L}])[^\\n.]{0,25}?(?<![\\p{L}])(?:${MADE_BY})(?![\\p{L}])`,
  `(?:${WORKS})[^\\n.]{0,30}?(?:(?<![\\p{L}])(?:by|von|durch|par|de chez|di|da|por|door|av|af|przez)(?![\\p{L}])|[:：])`,
  'web-?\\s?design(?![\\p{L}])|web(?:site)? (?:by|designed|created|developed|built|development)|sites? (?:by|designed|created)',
  'designed (?:by|and)|developed (?:by|and)|created by|powered by|built by|made (?:with|by)|hosted (?:by|at|on)|crafted by',
  'theme by|template by|icons? (?:by|made)|photos? (?:by|credits?)|photography by|photo credits?|crédits? photos?',
  'webagentur|web-?agentur|bildnachweise?|bildquellen?|fotonachweise?|h[ée]berg[ée]|h[ée]bergeurs?|site r[ée]alis[ée]|d[ée]velopp[ée] par',
  'cr[ée]ation (?:du )?site|agence web|diseñad[oa]|desarrollad[oa]|realizzat[oa] da|sviluppat[oa] da|sito (?:web )?realizzato|desenvolvido|criado por',
  'gerealiseerd|ontwikkeld|gebouwd door|webbyr|webbplats av|hjemmeside af|nettside av|sivut tehnyt|strona wykonana|wykonanie strony',
  'vytvořil[ao]?|tvorba (?:web|www|str)|web ?tasarım|hazırlayan|разработано|сделано|создание сайт|розроблено|ホームページ制作|建站',
);

/** The same said without "by": in legal texts, where sections bear such names. */
export const CREDIT_NOUN = anyOf(
  'hosting|hoster|web-?host|provider|umsetzung|gestaltung|realisierung|programmierung|technische (?:umsetzung|realisierung|betreuung)',
  'agentur|werbeagentur|bildrechte|h[ée]berge|prestataire|conception|cr[ée]dits|webmaster|alojamiento|diseño|realizzazione|sviluppo|crediti',
  'ontwerp|realisatie|tárhely|хостинг',
);

/** Who watches or judges the business, and whom it must name. */
export const AUTHORITY = anyOf(
  'aufsichts|zust[äa]ndige (?:kammer|beh[öo]rde|aufsicht|stelle)|\\p{L}{3,}kammer(?![\\p{L}])|kammer(?:n|zugeh[öo]rigkeit)?(?![\\p{L}])|kassen(?:zahn)?[äa]rztliche|kv[bhn](?![\\p{L}])|kzv\\p{L}{0,2}(?![\\p{L}])|innung|ihk(?![\\p{L}])|landesbeauftragt|bundesbeauftragt|datenschutzbeh|beschwerde(?:stelle|recht)|schlichtung|streitbeilegung|verbraucherschlicht|ombuds|bezirksregierung|gesundheitsamt|landratsamt|ordnungsamt|gewerbeamt|bezirkshauptmann|wirtschaftskammer|notdienst|giftnotruf|berufsverband|dachverband|registergericht|bundesministerium|ministerium',
  'supervisory authority|data protection (?:authority|commissioner)|information commissioner|regulat(?:or|ed by)|ombudsman|bar association|law society|adr entity|dispute resolution|attorney general',
  'cnil(?![\\p{L}])|m[ée]diateur|m[ée]diation|autorit[ée] de contr|ordre (?:des|national)|barreau',
  'agencia española|autoridad de control|aepd|colegio (?:oficial|de)|garante (?:per|della|privacy)|autorit[àa] di controllo|ordine (?:degli|dei)|autoridade de controlo|cnpd|livro de reclama',
  'autoriteit persoons|geschillen|toezichthoud|urząd ochrony|urzędu ochrony|prezes(?:a)? (?:urz|uodo)|uodo|[úu]řad pro ochranu|česk[áa] obchodn[íi] inspekce|[čc]oi(?![\\p{L}])|agencija za',
  'nemzeti adatv|naih(?![\\p{L}])|békéltető|fogyasztóvéd|kormányhivatal|hatóság|tietosuojavaltuutet|kuluttaja|datatilsynet|integritetsskydds|datainspektion|kişisel verileri koruma kurul',
  'роскомнадзор|роспотребнадзор|надзор|消費者|監督',
);

/** Names that a business of that trade bears too: believed only outside its own data. */
export const INSURER = anyOf(
  'haftpflicht|versicher|datenschutzbeauftragt|data protection officer|insur(?:er|ance)|assurance|assicuraz|seguros?(?![\\p{L}])|verzekering|ubezpiecz',
  'd[ée]l[ée]gu[ée] (?:à|a) la protection|delegado de protecci|responsabile (?:della )?protezione|inspektor(?:em|a)? ochrony|pověřenec',
);

/** Services that privacy texts name with an address. */
export const SERVICE = anyOf(
  'google|facebook|meta platforms|instagram|twitter|x corp|linkedin|youtube|vimeo|tiktok|pinterest|cloudflare|amazon|aws(?![\\p{L}])|microsoft|apple|mailchimp|matomo|etracker|hotjar|hubspot|paypal|stripe|klarna|wordpress|automattic|strato|ionos|1&1|all-inkl|hetzner|ovh|gandi|o2switch|godaddy|squarespace|wix|jimdo|shopify|netlify|vercel|github|host europe|mittwald|domainfactory|aruba|seeweb|one\\.com|infomaniak|hostpoint|combell|transip|hostinger|siteground',
);

/** A line of its own above other businesses and their addresses. */
export const RELATED =
  /\n[^\p{L}\n]*(?:related (?:web)?sites|partner sites|sites partenaires|siti (?:amici|partner)|partnerseiten|befreundete \p{L}+|sitios amigos)[^\p{L}\n]*\n/iu;

/** Said of others wherever it stands: platforms by their company's name, and help in a crisis. */
export const OTHERS = anyOf(
  '(?:google|facebook|meta platforms|amazon|microsoft|twitter|linkedin|paypal|stripe|cloudflare|vimeo|pinterest|tiktok)(?: \\p{L}+)? (?:ireland|europe|limited|ltd|inc|llc|gmbh|corp(?:oration)?|s\\.?[àa]\\.?r\\.?l)(?![\\p{L}])',
  'krisentelefon|telefonseelsorge|giftnotruf|seelsorge-?telefon|suicide (?:prevention|hotline|lifeline)|crisis (?:line|lifeline|text line|hotline)|samaritans|tel[eé]fono de la esperanza|sos amiti[eé]',
);

/** What a business calls itself right before its own data. */
export const OPERATOR = anyOf(
  'angaben gem|anbieter|betreiber|inhaber|verantwortlich|diensteanbieter|vertreten durch|gesch[äa]ftsf[üu]hr|kontakt(?:daten|aufnahme)?(?![\\p{L}])|herausgeber|postanschrift|so erreichen|impressum',
  'editeur|éditeur|[ée]dit[ée] par|propri[ée]taire|responsable de (?:la )?publication|directeur de|nous contacter|contact(?![\\p{L}])|publisher|owner|operated by|company details|titular(?![\\p{L}])|titolare|contatti|eigenaar|administrator danych|provozovatel|spr[áa]vce|üzemeltet|szolgáltató (?:neve|adatai)|rekisterinpit|personuppgiftsansvarig|исполнитель|продавец|運営者|販売業者',
);
