/** Swedish, Danish, Norwegian, and what is common of Finnish and Czech. */
import type { Phrases } from './phrases.ts';

export const nordic: Phrases = {
  isSpaced: true,
  subjects: [
    'autosvar|automatiskt? svar|frånvar(?:o|ande)|fravær(?:ende)?|semester|ferie',
    'på (?:semester|ferie)|ikke på kontor|inte på kontor|poissa|automaattinen|lomalla',
    'automatická odpověď|mimo kancelář|dovolená|bekräftelse|mottagningsbekräft',
    'kvittering',
  ],
  away: [
    '(?:jag är|jeg er|vi är|vi er|er jeg|är jag|jag har|jeg har|jeg holder)\\b~' +
      '(?:på (?:semester|ferie|resande fot|tjänsteresa|barsel|forretningsreise|reise)|' +
      'föräldraledig|tjänstledig|sjukskriven|frånvarande|bortrest|fraværende|bortreist|' +
      'bortrejst|ferie\\b|semester\\b|(?:inte|ikke) (?:på|i) (?:kontoret|kontor)|' +
      'sykmeldt|permisjon|orlov)',
    '(?:åter|tillbaka|tilbake|tilbage) (?:på kontoret|den|på|mandag|måndag|i)',
    '(?:under|i) (?:min|mitt|mit) (?:frånvaro|fravær|semester|ferie)',
    'olen~(?:lomalla|poissa|matkoilla)',
    '(?:jsem|jsme|budu)~(?:mimo kancelář|na dovolené|nepřítom)',
  ],
  left: [
    '(?:arbetar|jobbar|arbejder) (?:inte|ikke) (?:längre|længere|lenger)',
    '(?:har|är) (?:slutat|sluttet|stoppet|fratrådt)',
    '(?:už|již) (?:nepracuje|nepracuji)|ei ole enää',
  ],
  received: [
    '(?:vi har|tack för)~(?:mottagit|modtaget|mottatt|tagit emot)',
    '(?:ditt|din) (?:ärende|henvendelse|sag|sak)~(?:nummer|mottag|modtag|registr)',
    'ärendenummer|sagsnummer|saksnummer',
  ],
  automatic: [
    '(?:detta|dette) (?:är|er) (?:ett|et) automat|tämä on automaattinen',
    'toto je automatick',
  ],
  stop: [
    'stop|sluta|avregistrera(?: mig)?|avsluta|avmeld(?: meg)?|afmeld(?: mig)?',
    'frameld(?: mig)?|slett meg|slet mig|ta bort mig|fjern (?:meg|mig)|avprenumerera',
    'meld meg av|peru(?:uta)?|odhlásit|poista(?: minut)?',
  ],
  optOut: [
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
    'poistakaa (?:minut|meidät)|älkää (?:lähettäkö|ottako)',
    '(?:vymažte|odstraňte|odhlaste) (?:mě|nás|mne)',
    '(?:neposílejte|nepište|nekontaktujte)',
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
    '(?:kan|kunde|vil) (?:du|ni|dere)\\b|olemme (?:kiinnostuneita|jo)',
    '(?:zavolejte|pošlete) (?:mi|nám)|máme zájem|nemáme zájem|inte aktuellt',
    'ikke aktuelt',
  ],
  talk: [
    '(?:jag|jeg|vi) (?:har|kan|vill|vil|tror|tänker|ska|skal|skulle)',
    '(?:har|kan|erbjuder|tilbyr) (?:ni|du|dere)',
    '(?:ja|nej|nei|tack|tak|takk|ok)\\b[,.!]|tyvärr|desværre|dessverre|kollega',
  ],
  keeps: [
    'ring (?:mig|meg|gärna|gerne|hellre|heller)',
    '(?:hellre|heller|helst|bara|bare|bättre|bedre)~(?:ring|telefon|mail|mejl|' + 'e-?post)\\w*',
    '(?:på|per|via) telefon|intresser\\w*|interesser\\w*',
    '(?:skicka|send) (?:mig|meg|gärna|gerne)?~(?:offert|tilbud|info|pris)\\w*',
    '(?:vad|hva|hvad) (?:kostar|koster)|gärna|gerne',
  ],
  polite: [
    '(?:hej|hei|hallo|god dag|hejsan|dobrý den)(?: \\w+){0,2}|tack|tak|takk|vänligen',
    'venligst|vennligst|snälla|mvh',
    '(?:med )?(?:vänlig|venlig|vennlig) (?:hälsning|hilsen)(?:ar)?|kiitos|děkuji',
    'prosím',
  ],
  urgent: ['brådskande|akut|haste|haster|vid |ved |om du|hvis|kiireellis|naléhav'],
};
