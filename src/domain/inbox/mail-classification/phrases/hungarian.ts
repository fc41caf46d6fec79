/** Hungarian. */
import type { Phrases } from './phrases.ts';

export const hungarian: Phrases = {
  isSpaced: true,
  subjects: [
    'automatikus (?:válasz|üzenet|értesítés)|házon kívül|irodán kívül',
    'szabadság(?:on|:|$)?|távollét|nem vagyok (?:az irodában|elérhető)|visszaigazolás',
    'megkaptuk|üzenetét megkaptuk|nem vagyok bent|auto-?válasz',
  ],
  away: [
    'szabads[áa]g(?:om|unk|olás|on|on)?\\p{L}* (?:miatt|alatt|idej\\p{L}+)|(?:csak|majd) (?:hétfőn|kedden|szerdán|csütörtökön|pénteken|\\d+-\\p{L}+) (?:tudok|tudunk) (?:válaszol|visszajelez)\\p{L}*',
    '(?:külföldön|konferencián|képzésen|úton|tárgyaláson)~(?:vagyok|leszek)|e-?mail\\S*~(?:ritkán|nem|csak)~olvas\\S*',
    '(?:szabadság|betegállomány|kiküldetés|gyes|szülési szabadság)\\S*~(?:vagyok|leszek|tartózkodom)|(?:irod|bolt|cég|üzlet|rendel)\\S*~(?:zárva|szünetel)|nem vagyok~(?:irod|elérhető|bent)\\S*|térek vissza|visszatér\\S*|leveleimet nem~',
    '(?:szabadságon|házon kívül|irodán kívül|szabadságomat|táppénzen|' +
      'szülési szabadságon|üzleti úton|távol|külföldön)\\b ?~(?:vagyok|leszek|' +
      'tartózkod|vagyunk|leszünk|töltöm|tartozkodom)',
    '(?:vagyok|leszek|vagyunk|jelenleg|most)\\b~(?:szabadságon|házon kívül|' +
      'irodán kívül|távol|nem (?:vagyok|leszek) (?:elérhető|az irodában|bent))',
    'nem (?:vagyok|leszek|vagyunk) (?:elérhető|az irodában|bent|irodában)',
    '(?:visszatérek|visszajövök|visszaérkez|ismét|újra)\\w*~(?:irodá|elérhető|dolgoz|' +
      '\\d|hétfő|kedd|szerd|csütört|péntek|munká)',
    '(?:visszatérésem|visszaérkezésem|szabadságom) (?:után|alatt|idej)',
    'távollétem(?:ben| alatt| idej)|(?:korlátozott|nincs|nem)~hozzáfér',
    '(?:e-?mail|levél|levelei)\\w*~(?:nem olvasom|korlátozottan|csak)|irod\\w+~zárva',
    'szabadság\\w*~(?:vagyok|leszek)',
  ],
  left: [
    '(?:postafiók|cím|fiók)\\b~(?:megszűnt|megszüntet|lezár|törölt)\\p{L}*',
    'olvasás nélkül (?:töröl|törl)\\p{L}+|olvasatlanul',
    'már nem (?:dolgoz|áll)\\S*|nem dolgozik (?:már|többé|cég)\\S*|(?:postafiók|cím(?!list)|fiók)\\S*~(?:nem (?:él|haszn|figy|akt|olvas|ellen|műk)|már nem|megszűn)\\S*',
    'már nem (?:dolgozik|dolgozom|munkatárs|tagja|áll)',
    '(?:kilépett|távozott|elhagyta|kiléptem|távoztam)~(?:cég(?!\\p{L})|vállalat|' + 'társaság)?',
    'nem (?:dolgozik|dolgozom) (?:már|tovább)',
    '(?:ez az|a) (?:e-?mail ?cím|cím|postafiók)~(?:megszűnt|nem (?:használ|él|aktív|' +
      'figyelt)|már nem)',
    'nyugdíjba',
  ],
  received: [
    'átlagos (?:válasz|ügyintézési )idő[^.!?]{0,25}\\d',
    '(?:rögzítettük|iktattuk|fogadtuk|megkaptuk)~(?:megkeres|üzenet|level|kérés|kérelm|bejelent)\\p{L}*|rendszer\\p{L}*~(?:rögzít|fogad|regisztr|iktat)\\p{L}*~(?:megkeres|üzenet|level|kérés|kérelm|bejelent)\\p{L}*',
    '(?:level|üzenet|megkeres|bejelentés|kérés|ügy)\\S*~(?:megkaptuk|rögzít|iktat|megérkez|azonosító|feldolgoz)\\S*|(?:hamarosan|munkanapon belül|rövidesen|mihamarabb)~(?:válasz|jelentkez|felvessz)\\S*|munkatárs\\S*~(?:válasz|jelentkez|felvesz|keres)\\S*|köszönjük~(?:levelét|megkeres|üzenet)\\S*',
    '(?:megkaptuk|megérkezett|fogadtuk|rögzítettük|köszönjük)~(?:levelét|üzenetét|' +
      'megkeresését|kérését|bejelentését|e-?mailjét|e-?mail|megkeres)',
    '(?:üzenetét|levelét|megkeresését|kérését|bejelentését|üzenete|levele|' +
      'megkeresése|e-?mailje)\\b~(?:megkaptuk|megérkezett|rögzít|fogadtuk|iktat|' +
      'továbbít)',
    '(?:ügy|jegy|hibajegy|ticket|bejelentés|azonosító)\\w* ?(?:szám|azonosító)',
    '(?:hamarosan|rövidesen|munkanapon belül|órán belül|mielőbb|lehető leghamarabb)~' +
      '(?:válaszol|felvesszük|keres|jelentkez)',
    '(?:kollég|munkatárs|ügyfélszolgálat)\\w*~(?:hamarosan|felvesz|válaszol|keres|' + 'jelentkez)',
  ],
  automatic: [
    'ez (?:egy )?automatikus',
    'automatikus(?:an)? (?:generált|küldött|üzenet|válasz|létrehozott)',
    '(?:kérjük,? )?ne válaszoljon erre',
  ],
  stop: [
    'leiratko\\w+|töröl(?:jenek|jön|jék|jétek|jenek ki)|ne (?:írjanak|írj|írjon)(?: többet| többé)?',
    'leiratkoz(?:om|ás|ni|nék|unk)?|stop|elég(?: volt)?',
    'töröl(?:jenek|jön|je|ni|jetek)?(?: (?:le|a listáról|az adatbázisból|engem|' +
      'minket|a címem(?:et)?|az adataim(?:at)?))*',
    'törlés',
    '(?:kérem )?ne (?:írjon|írjanak|küldjön|küldjenek|zaklass\\w*|keress\\w*)' +
      '(?: többet| több e-?mailt| több levelet| nekem| ide)*',
    'hagyjanak békén|vegyenek le a listáról|iratkozz\\w* le|le akarok iratkozni',
    'nem érdekel,? (?:töröljenek|ne írjanak)',
  ],
  optOut: [
    '(?:gondoskod|intézz|ügyelj|érj)\\p{L}*~(?:többet|semmi|ne)(?!\\p{L})~(?:menj|jöjj|érkezz|küld)\\p{L}*',
    '(?:iratkoztas|leiratkoztat|iratkozz)\\p{L}*~le(?!\\p{L})|(?:iratkoztas|leiratkoztat)\\p{L}*|(?:szálljanak|szálljon) le róla\\p{L}*|hagyjanak~(?:békén|bekén)',
    '(?:szeretn|akar|kíván)\\w*~(?:lekerülni|kikerülni|lejelentkezni)',
    '(?:kér|szeretn|kíván)\\w*~(?:ne (?:írj|küldj|keress|zaklass)|töröl|törl|távolíts|vegy|leirat)\\w*|(?:ne|soha) (?:többet |többé |máskor )?(?:írj|küldj|keress|zaklass|zavarj)\\w*~(?:többet|többé|máskor|[.!]|$)',
    '(?:hagyj|hagyjan)\\S*~(?:békén|nyugton)',
    '(?:ne|többet ne|többé ne) (?:többet |többé |nekem |nekünk )*(?:írj|küldj|keress|zaklass)\\S*~(?:többet|többé|több|nekem|nekünk|ilyen|levelet|e-?mailt|újra|$|[.!])',
    '(?:töröl|vegy|vegyé|távolíts|leirat)\\S*~(?:adat|list|cím|nyilvántart|engem|minket|e-?mail)\\S*|nem (?:kér|szeretn|kíván)\\S*~(?:több|level|hírlev|ajánlat|e-?mail|kapni|reklám)\\S*|vegyen(?:ek)? le~|(?:hagyj|hagyjon)\\S*~(?:békén|abba)',
    '(?:töröl|vegy|veg|távolíts|szedj)\\w*~(?:list|adatbáz|nyilvántart|címem|címünk|' +
      'adata|e-?mail|engem|minket|rendszer)',
    '(?:list|adatbáz|nyilvántart|adataim|címem|címünk)\\w*~(?:töröl|törl|levenni|' +
      'vegyen|eltávolít|kivenni|vegyék|szíveskedjen)\\w*',
    '(?:le (?:szeretnék|akarok|kívánok) iratkozni|leiratkoz\\w*)',
    'ne (?:küldj|írj|keress|zavarj|zaklass|kontakt)\\w*~(?:több|nekem|nekünk|tovább|' +
      'levele|e-?mail|üzenet|ide(?!\\p{L})|[.!]|$)',
    '(?:nem (?:kérek|kérünk|szeretnék|szeretnénk|kívánok|kívánunk|akarok|járulok|' +
      'járultam))~(?:több|további|levele|e-?mail|üzenet|hírlevél|reklám|kapni|hozzá|' +
      'megkeresés|ajánlat)\\w*',
    '(?:hagyj|fejezz|szüntess)\\w* ?(?:ék|ek|ák)?~(?:abba|be(?!\\p{L})|békén|' + 'meg(?!\\p{L}))',
    'gdpr|(?:adat\\w*|személyes)~(?:törl|megsemmisít)\\w*|tiltakozom',
    'hozzájárulás\\w*~visszavon|többet ne (?:írj|küldj|keress)',
  ],
  personal: [
    'érdekel(?:ne|nek)?\\b|érdekes|érdeklődne|(?:hívj|telefonálj)\\w*',
    '(?:inkább|jobb)~(?:telefon|hívj|e-?mail|írásban)',
    '(?:küldj|küldje|elküld|küldene|küldenének)\\w*~(?:ajánlat|árlist|részlet|' +
      'információ|tájékozt|anyag|referenci|katalógus|árak|mint)',
    '(?:ajánlat|árajánlat|árlista)\\w*|(?:mennyi|mennyibe|mibe kerül|árak|költség)',
    '(?:találkoz|megbeszél|egyeztet|hívás|időpont)\\w*~(?:hétfő|kedd|szerd|csütört|' +
      'péntek|jövő|holnap|óra(?!\\p{L})|heti)',
    '(?:hétfő|kedd|szerd|csütört|péntek|holnap)\\w*~(?:jó(?!\\p{L})|megfelel|' + 'alkalmas|ráér)',
    '(?:már (?:van|használ|dolgozunk))',
    '(?:jelenleg|most|egyelőre) (?:nem (?:aktuál|keres|terv|kér|foglalk|érd)|nincs)',
    'nincs (?:szükség|igény|keret)|nem (?:aktuális|érdekel|vagyok illetékes)',
    '(?:keressen|jelentkezzen|írjon)~(?:jövő|később|múlva|ősz(?!\\p{L})|tavasz|januá|' +
      'szeptem|után)',
    '(?:továbbított|átadt|megnéz|megbeszél)\\w*|(?:tudna|tudná|tudnának|kérhet)\\w*',
    'honnan (?:van|szerezt|kapt)',
  ],
  talk: [
    '(?:vagyok|vagyunk|szeretn|gondol|tud(?:ok|unk)|lehet|kell|van)\\w*',
    '(?:önök|maguk|mikor|milyen|hogyan|mi az)\\b',
    '(?:igen|nem|köszönöm|rendben|jó|oké)\\b[,.!]|sajnos|kolléga|mellékel',
  ],
  keeps: [
    '(?:hívj|telefonálj)\\w*',
    '(?:inkább|jobb|csak)~(?:telefon\\w*|hívj\\w*|e-?mail\\w*|írásban)|telefonon',
    'érdekel(?:ne)?\\b|küldj\\w*~(?:ajánlat|árlist|részlet|információ|anyag)\\w*',
    'mennyibe|szívesen|találkoz\\w*',
    '(?:keress|írj|jelentkezz)\\w*~(?:jövő|később|múlva|ősszel|tavasszal)',
  ],
  polite: [
    '(?:tisztelt|kedves|jó napot|üdvözl\\w+|szia|helló)(?: \\w+){0,3}|kérem|kérjük',
    'légyszíves|legyenek szívesek|köszönöm(?: szépen)?|köszönettel|üdvözlettel',
    'tisztelettel|azonnal',
  ],
  urgent: ['sürgős|amennyiben|esetén|ha |időközben|távollétem'],
};
