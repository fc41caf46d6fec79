/** Swedish, Danish and Norwegian, which share most of it. */
import type { Phrases } from './phrases.ts';

export const nordic: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:sv: ?|re: ?)?(?:semester|ferie|på ferie|borte|bortrest)\\b|tack för ditt|tak for din|takk for (?:din|henv)|vi har (?:mottagit|modtaget|mottatt)|kontoret er lukket',
    'autosvar|automatiskt? svar|frånvar(?:o|ande)|fravær(?:ende)?|semester|ferie',
    'på (?:semester|ferie)|ikke på kontor|inte på kontor',
    'bekräftelse|mottagningsbekräft',
    'kvittering',
  ],
  away: [
    '(?:ude af|væk fra|ute av|borte fra) kontoret',
    '(?:jag är|jeg er|vi är|vi er)\\b~(?:på (?:konferens|konferanse|konference|kurs|kursus|mässa|messe|resa|rejse|utbildning))',
    '(?:fellesferien?|industriferien?|sommarstängt|julstängt)',
    '(?:kontoret|kontor|butiken|butikken|butikk|firmaet|företaget|verkstaden|værkstedet|klinikken|hotellet|vi)\\b~(?:stängt|stängd|lukket|stengt|holder lukket|håller stängt|ferielukket|semesterstängt)\\w*',
    '(?:läser|læser|leser|svarar|svarer|besvarar|besvarer)\\b~(?:inte|ikke)~(?:mejl|mail|e-?post|meddelanden|beskeder)\\w*|(?:läser|leser|læser)~(?:mejl|mails?|e-?post)~(?:sällan|bara|sjældent|sjelden|kun|sporadis)\\w*',
    '(?:inte|ikke) (?:har )?tilgang til~|(?:begränsad|begrenset|begrænset)~(?:åtkomst|tilgang|adgang|tillgång)\\w*',
    '(?:svarar|svarer|vender tilbage|återkommer)~(?:när jag|når jeg|efter min|etter)~',
    '(?:arbetar|arbejder|jobber) (?:inte|ikke) (?:på )?(?:mån|tis|ons|tors|fre|man|tir)\\w*|(?:barsel|permisjon|föräldraledig|foreldrepermisjon|tjänstledig|sygemeldt|sykemeldt|sjukskriven)\\w*',
    '(?:öppnar|åbner|åpner) (?:igen|igjen)|(?:tilbage|tilbake|tillbaka|åter) (?:i|den|på|på jobb|fra|från|efter|til)(?!\\p{L})',
    '(?:jag är|jeg er|vi är|vi er|er jeg|är jag|jag har|jeg har|jeg holder)\\b~' +
      '(?:på (?:semester|ferie|resande fot|tjänsteresa|barsel|forretningsreise|reise)|' +
      'föräldraledig|tjänstledig|sjukskriven|frånvarande|bortrest|fraværende|bortreist|' +
      'bortrejst|ferie\\b|semester\\b|(?:inte|ikke) (?:på|i) (?:kontoret|kontor)|' +
      'sykmeldt|permisjon|orlov)',
    '(?:åter|tillbaka|tilbake|tilbage) (?:på kontoret|den|på|mandag|måndag|i)',
    '(?:under|i) (?:min|mitt|mit) (?:frånvaro|fravær|semester|ferie)',
  ],
  left: [
    '(?:brevlådan?|postkassen?|postkassa|adressen?|kontoen|kontot|mailboksen|mejllådan)\\b~(?:är|er|blir|bliver|har blivit) (?:\\p{L}+ )?(?:avvecklad|nedlagt|nedlagd|stängd|lukket|stengt|borttagen|slettet|avslutad)',
    '(?:raderas|slettes|tas bort) (?:olästa?|ulæste?|uleste?)',
    '(?:ikke|inte) (?:længere|lenger|längre) (?:ansat|ansatt|anställd|i brug|i bruk|hos|her|här|tilknyttet|aktiv)\\w*|(?:har )?(?:slutat|sluttet|fratrådt|stoppet)~(?:hos|på|i(?!\\p{L})|[.,])',
    '(?:adress|adresse|adressen|mailboks|postkasse|brevlåda|e-?postadress|e-?postadressen|mailadresse)\\w*~(?:används inte|bruges ikke|brukes ikke|läses inte|læses ikke|leses ikke|overvåges ikke|ikke (?:længere|lenger)|inte längre)',
    '(?:arbetar|jobbar|arbejder) (?:inte|ikke) (?:längre|længere|lenger)',
    '(?:har|är) (?:slutat|sluttet|stoppet|fratrådt)',
  ],
  received: [
    '(?:ärendet?|sag(?:en)?|sak(?:en)?|henvendelsen?|forespørsel\\p{L}*|ticket)\\b~(?:är|er|har) (?:blivit )?(?:registrerat|registrert|registreret|oprettet|opprettet|skapat|mottagits|mottatt|modtaget)',
    '(?:genomsnittlig|gennemsnitlig|gjennomsnittlig|forventet|förväntad) (?:svar|behandlings|handläggnings)\\p{L}*[^.!?]{0,25}\\d',
    '(?:meddelande|ärende|mejl|besked|henvendelse|mail|melding|forespørsel|e-?post)\\w*~(?:har (?:mottagits|tagits emot|kommit fram|blitt mottatt)|er (?:modtaget|mottatt|registreret|registrert))',
    '(?:tack för|tak for|takk for)~(?:mejl|mail|meddelande|henvendelse|besked|melding|e-?post)\\w*[.!,]? (?:vi|du|din|ditt)',
    '(?:vi|du) (?:återkommer|vender tilbage|svarar|svarer|hör|hører|kommer tilbake|bestræber|kontaktar|kontakter)\\b~(?:snart|snarast|hurtigst|mulig|möjligt|inom|inden|innen|dagar|dage|dager|timer|timmar)\\w*',
    '(?:ditt|din|deres|ert)?~(?:ärende|sag|saken|sak|henvendelse|forespørsel)\\w*~(?:registr|oprettet|opprettet|mottat|mottag|modtag|nummer)\\w*',
    '(?:vi har|tack för)~(?:mottagit|modtaget|mottatt|tagit emot)',
    '(?:ditt|din) (?:ärende|henvendelse|sag|sak)~(?:nummer|mottag|modtag|registr)',
    'ärendenummer|sagsnummer|saksnummer',
  ],
  automatic: [
    'automatisk(?:t)? (?:svar|genererat|generert|genereret|meddelande|melding|besked)|svara inte på det|svar ikke på denne',
    '(?:detta|dette) (?:är|er) (?:ett|et) automat',
  ],
  stop: [
    'avanmäl(?:an|)|framelding|frameld|avmelding|afmelding|avregistrering|(?:meld|ta) (?:meg|mig) (?:av|bort)|slutt',
    'stop|sluta|avregistrera(?: mig)?|avsluta|avmeld(?: meg)?|afmeld(?: mig)?',
    'frameld(?: mig)?|slett meg|slet mig|ta bort mig|fjern (?:meg|mig)|avprenumerera',
    'meld meg av',
  ],
  optOut: [
    '(?:vil|vill|kan|kunne|kunde)\\b~(?:slette|fjerne|ta bort|radera|stryge|stryka)~(?:mig|meg|oss|os)(?!\\p{L})',
    '(?:se till|sørg\\p{L}*|säkerställ)\\b~(?:inget|inga|ikke|inte|ingen)~(?:mere?|mera|flere?)(?!\\p{L})',
    '(?:bli|blir|bliva|blive) (?:borttag|avregistrer|struk|fjern|slett|avmeld|afmeld|framel)\\w*|(?:vill|vil|ønsker|önskar|kan jeg|kan jag)~(?:meldes|afmeldes|avmeldes|framelde[ts]|fjernes|slettes|avregistrera mig|avprenumerera|meldes av)(?!\\p{L})',
    '(?:skicka|send|sende|sänd|skriv|skrive|mejla|maila|kontakta|kontakt)\\b(?: \\S+){0,3} (?:inte|ikke|aldrig|aldri|inga|ingen|inget)(?: \\S+){0,3}(?: fler| flere| mer| mere| mejl| mail| igen| igjen|[.!]|$)',
    '(?:inte|ikke|aldrig|aldri) (?:skicka|send|sende|skriv|skrive|kontakt|kontakta|mejla|mail|maile|få|motta|modtage)\\w*~(?:fler|flere|mer|mere|mig|meg|oss|os|til|igen|igjen)(?!\\p{L})',
    '(?:undanber|frabeder|frabe|frasier|avböjer|betakker|betackar)\\w*~',
    '(?:skriv|send|mail|kontakt|skicka|kontakta) (?:ikke|inte|aldrig|aldri)~',
    '(?:ta bort|stryk|radera|fjern|slett|slet|blokker|blockera)\\w*~(?:vår|vårt|vores|vår|min|mitt|mine|mina|denne|denna|den här|dette) (?:adress|adresse|domän|domene|domæne|e-?post|mail|mejl|uppgifter|opplysninger|oplysninger|firma)\\w*',
    '(?:samtykke|samtycke|gdpr)~(?:slet|slett|radera|fjern|ta bort|trekker|trækker|återkallar|ikke|inte)\\w*|(?:artikel|art\\.?) ?(?:17|21)\\b',
    '(?:avregistrer|avmeld|framelde|afmeld|avprenumerer|frameld)\\w*(?: meg| mig| oss| os|~(?:fra|från|lista|listen))|(?:sluta|slutt|stop) (?:med|at|att|å) (?:\\S+ )?(?:send|skick|mejl|mail|skriv|kontakt|spam|forstyrr|plag)\\w*',
    '(?:skicka|send|sende)\\b~(?:inget|inga|ingenting|ikke|intet)~(?:mer|fler|mail|mejl|e-?post|hit|mere|flere|til)\\w*',
    '(?:ikke|inte|aldrig|aldri) (?:kontakt|send|skriv|mail|mejla|kontakta|skicka)\\w*~(?:meg|mig|oss|os(?!\\p{L})|igjen|igen|mer|flere)',
    '(?:kontakta|kontakt|mejla|mail|skriv)\\w*~(?:mig|meg|oss|os)~(?:inte|ikke|aldrig|aldri)',
    '(?:slett|slet|radera|ta bort|fjern|stryk)\\b~(?:mig|meg|oss|mine|mina|min|mitt|vår|opplysning|oplysning|uppgifter|lista|liste|data)\\w*',
    '(?<!(?:had|have|has|want|we|they|to) )(?:slutt|sluta|stop|stopp|hold op)\\b~(?:sende(?!n)|skicka|send|mejla|maila|maile|skriv|kontakt|spam)\\w*',
    '(?:ønsker|önskar|vill|vil)\\b~(?:ikke|inte|inga|ingen)~(?:flere|fler|henvendelser|mail|mejl|e-?post|kontakt|motta|modtage|ha )\\w*',
    '(?:meld|melde|avregistrera|avmeld|afmeld)\\b~(?:mig|meg|oss)~|(?:la|lad|låt)\\w* (?:mig|meg) være|lämna mig ifred',
    '(?:ta bort|stryk|avregistrera|radera|plocka bort) (?:mig|oss|min|mitt|vår|mina|' + 'alla)',
    '(?:skicka|skriv|mejla|maila|kontakta|send|kontakt|mail)\\b~(?:mig(?!\\p{L})|' +
      'oss(?!\\p{L})|meg(?!\\p{L})|os(?!\\p{L})) (?:inte|ikke|aldrig)',
    '(?:inga|ingen|ikke) (?:fler|flere) (?:mejl|mail|utskick|e-?post|beskeder|' +
      'henvendelser|e-?mails?)',
    '(?:fjern|slett|slet|avmeld|frameld|afmeld) (?:meg|mig|oss|os|min|mine|våre|' + 'vores)\\b',
    '(?:vill|ønsker|vil)\\b~(?:inte|ikke|ingen|inga)\\b~(?:ha |få |motta|modtage|' +
      'bli(?!\\p{L})|kontakt|fler|flere|mail|mejl|e-?post)',
    '(?:sluta|slut|stop|stopp) (?:med )?(?:at |att |å )?(?:skicka|sende|mejla|maile|' +
      'kontakt|skriv)\\w*',
  ],
  personal: [
    '(?:låter|lyder|høres) (?:bra|intressant|spændende|godt|interessant|spennende)',
    '(?:intresserad|interesseret|interessert)e?\\w*|ring (?:mig|meg|gärna|gerne)',
    '(?:skicka|send) (?:mig|meg|oss|os|gärna|gerne|över|en|ett|et|mer|mere)\\b~' +
      '(?:info|pris|offert|tilbud|material|brosjyre|detal)\\w*',
    '(?:vad|hva|hvad) (?:kostar|koster)',
    '(?:har|använder|bruger|bruker) (?:redan|allerede)',
    '(?:ditt|ert|deres|jeres|dit) (?:erbjudande|tilbud|produkt)',
    '(?:måndag|tisdag|onsdag|torsdag|fredag|mandag|tirsdag)~(?:passar|passer|funkar|' +
      'går bra|fungerer)',
    '(?:kan|kunde|vil) (?:du|ni|dere)\\b',
    'inte aktuellt',
    'ikke aktuelt',
  ],
  talk: [
    '(?:jag|jeg|vi) (?:har|kan|vill|vil|tror|tänker|ska|skal|skulle)',
    '(?:har|kan|erbjuder|tilbyr) (?:ni|du|dere)',
    '(?:ja|nej|nei|tack|tak|takk|ok)\\b[,.!]|tyvärr|desværre|dessverre|kollega',
  ],
  keeps: [
    '(?:skriv|ring|hör av dig|send)~(?:hellre|heller|helst|senere|senare)|(?:torsdag|onsdag|tisdag|tirsdag|mandag|måndag|fredag)~(?:passar|passer|funkar|fungerer)|tilbud|offert',
    'ring (?:mig|meg|gärna|gerne|hellre|heller)',
    '(?:hellre|heller|helst|bara|bare|bättre|bedre)~(?:ring|telefon|mail|mejl|' + 'e-?post)\\w*',
    '(?:på|per|via) telefon|intresser\\w*|interesser\\w*',
    '(?:skicka|send) (?:mig|meg|gärna|gerne)?~(?:offert|tilbud|info|pris)\\w*',
    '(?:vad|hva|hvad) (?:kostar|koster)|gärna|gerne',
  ],
  polite: [
    '(?:hej|hei|hallo|god dag|hejsan|goddag)(?: \\w+){0,2}|tack|tak|takk|vänligen',
    'venligst|vennligst|snälla|mvh',
    '(?:med )?(?:vänlig|venlig|vennlig) (?:hälsning|hilsen)(?:ar)?',
  ],
  urgent: ['brådskande|akut|haste|haster|vid |ved |om du|hvis'],
};
