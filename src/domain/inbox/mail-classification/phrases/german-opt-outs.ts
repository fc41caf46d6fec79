/**
 * German opt-outs, composed of two parts: a word for stopping, and contact; or a removal, and what is
 * removed.
 */

const SCHREIBEN =
  '(?:(?:an|zu|anzu)?(?:schreib|mail|kontaktier|belästig|behellig|spamm)\\p{L}*|zu (?:schreiben|kontaktieren|mailen)|(?:kontaktiert|angeschrieben|belästigt|angemailt) (?:zu )?werden|(?:zu|an)?(?:send|schick)(?:e|en|t|est|et)?(?!\\p{L}))';
const MAILS =
  '(?:e-?mails?|mails?|emails?|nachrichten|werbung|werbemails?|reklame|post|zusendungen|zuschriften|anfragen|anschreiben|kontakt\\p{L}*|newsletter|spam|angebote|belästigung\\p{L}*|kontaktversuche|akquise)';
const WEG =
  '(?:lösch|entfern|streich|austrag|auszutrag|heraus|rausnehm|rausschmeiß|abmeld|abzumeld|sperr|herausnehm|herausgenommen|ausgetragen|gelöscht|gestrichen|entfernt)';
const UNSER = '(?:mich|uns|meine?[rn]?|unsere?[rn]?|ihn|sie aus|diese[rns]?|die|alle)';
const LISTE =
  '(?:verteiler|liste|listen|datenbank|datei|kartei|system|adressbuch|mailingliste|crm|verteilerliste|bestand)';

export const germanOptOuts: readonly string[] = [
  '(?:möchte|möchten|will|wollen|wünsche|wünschen|mag|brauche|brauchen)(?: \\S+){0,3} (?:e-?mails?|mails?|nachrichten|werbung|newsletter|angebote|zuschriften|post|sowas|so was|das)(?: \\S+){0,2} (?:nicht|nie)(?: mehr| länger| weiter)? (?:erhalten|bekommen|haben|lesen|empfangen|zugeschickt|zugesandt)',
  'unerlaubte\\p{L}* (?:werbung|e-?mail|mail)|(?:beim nächsten mal|nächstes mal|das nächste mal)~(?:anwalt|anzeige|gericht|polizei|rechtlich|melde|beschwer)\\p{L}*|verschont (?:zu )?(?:bleiben|werden)|(?:zu|um) verschonen',
  '(?:^|[.!,] )(?:bitte )(?:umgehend |sofort |einfach |mich |uns )?(?:löschen|austragen|abmelden|streichen|entfernen)[.! ]*$|(?:^|[.!,] )(?:lassen sie|lass|lasst)(?: bitte)? (?:das|es|den quatsch|den mist|diese mails)(?: bitte| einfach| sein| künftig| in zukunft)*[.! ]*$',
  `${MAILS}(?: \\S+){0,4} (?:unerwünscht|nicht (?:mehr )?erwünscht)|unerwünschte ${MAILS}|finger weg von|bitte auch (?:künftig|in zukunft) nicht`,
  '(?:wie|wo) (?:komme|kann|melde|trage|kündige)(?: ich| wir)?~(?:raus|heraus|abmelden|austragen|ab|aus|löschen lassen)(?!\\p{L})|abmelde(?:link|funktion|knopf|button)|(?:schon|bereits|mehrfach|mehrmals)~(?:abgemeldet|ausgetragen|um löschung|gebeten)',
  'widerruf\\p{L}*~(?:einwilligung|zustimmung|einverständnis)|manuell austragen|(?:möchte|möchten|will|wollen|bitte|würde gern\\p{L}*)~(?:ausgetragen|abgemeldet|gelöscht|gestrichen|entfernt) (?:zu )?werden',
  `nicht (?:mehr|wieder|weiter|erneut|länger|noch ?mal)(?: [^\\s,]+){0,3} ${SCHREIBEN}(?<! mails)`,
  `${SCHREIBEN} (?:sie |ihr |du )?(?:mir|mich|uns|ihm)(?: bitte| endlich| künftig| in zukunft)* (?:nicht|nie|keine|nix|nichts)`,
  `(?:schreibt|schreib|schickt|schick|mailt|mail|kontaktiert|meldet|spammt)(?: bitte| euch| mir| mich| uns| hier| endlich)* (?:nicht|nie|keine|nix|nichts)(?! (?:an|vor|bis|am)(?!\\p{L}))`,
  '(?:meldet|melden|meld|melde|nehmt|nehmen|nimm|tragt|tragen|trag|streicht|streichen|werft|schmeißt|löscht|löschen)(?: sie)?(?: bitte)? (?:mich|uns)(?: bitte| sofort| umgehend| endlich| da| hier)* (?:ab|aus|raus|heraus|von|weg)(?!\\p{L})(?! (?:\\d|mon|diens|mitt|donn|frei|sams|sonn|mitte|ende|anfang|sofort wieder))',
  '(?:nehmt|nehmen|nimm|tragt|tragen|streicht|streichen|löschen|entfernen)(?: sie)?(?: bitte)? (?:ihn|sie|diese|die adresse|den kontakt|unser\\p{L}*|mein\\p{L}*|sämtliche|alle)~(?:verteiler|liste|datenbank|kartei|datei|system|adressbuch|adressen)',
  `(?:hör|hört|hören|höre)(?: sie)?(?: bitte| endlich| sofort| jetzt)* auf(?: damit|,? (?:mir|mich|uns|zu|mit)|[.!]|$)`,
  `(?:bitte|bitten|ersuche|ersuchen|beantrage|beantragen|verlange|verlangen|fordere|fordern|wünsche|um)~(?:löschung|austragung|streichung|entfernung|abmeldung|herausnahme|unterlassung|sperrung)(?!\\p{L})`,
  `(?:möchte|möchten|will|wollen|wünsche|wünschen|brauche|brauchen|wünscht|dulde|dulden)(?: \\S+){0,4} (?:kein|keine|keinen|keinerlei|nichts|nix)(?: \\S+){0,3} ${MAILS}(?! (?:mit|zu|am|über)(?!\\p{L}))`,
  '(?:will|wollen|möchte|möchten|mag|wünsche)(?: \\S+){0,3} (?:nicht|nichts|nix|keine) (?:mehr|weiter|länger)~(?:hören|bekommen|erhalten|lesen|haben|empfangen|kontaktiert|angeschrieben|sehen)(?!\\p{L})',
  '(?:mir|mich|uns)(?: bitte)? nicht mehr (?:schreib|mail|kontaktier|anschreib|belästig)\\p{L}*',
  `(?:widersprech|widersprich|widerspruch)\\p{L}*~(?:daten|nutzung|verwendung|verarbeitung|werbung|werblich|speicherung|zusendung|kontakt)\\p{L}*`,
  '(?:lass|lasst|lassen|lasse)(?: sie)? (?:mich|uns)(?: bitte| einfach| endlich)* (?:in (?:ruhe|frieden)|zufrieden)',
  `(?:adresse|mailadresse|e-mail-adresse|kontaktdaten|daten|mail|kontakt)(?: bitte| sofort| umgehend| aus \\S+ \\S+)* (?:zu )?(?:lösch|entfern|streich)(?:en|t|ung)?(?!\\p{L})(?!~(?:angebot|vertragsende|software|tool))`,
  `${WEG}\\p{L}*(?: sie)?(?: bitte)? ${UNSER}~(?:${LISTE}|adresse|daten|e-?mail|mailadresse|kontakt\\p{L}*)`,
  `${UNSER}(?: \\S+){0,4} (?:aus|von)~${LISTE}~(?:nehm|lösch|entfern|streich|trag|werf|heraus|raus)`,
  '(?:unterlass|abstand|abseh|abzuseh|verzicht|einstell|einzustell)\\p{L}*~(?:zusendung|werbung|mail|e-?mail|kontakt|nachricht|anschreiben|versand|zu nehmen)\\p{L}*|(?:zusendung|werbung|mails|e-?mails|kontaktaufnahme|nachrichten|kontaktversuche|anschreiben)~(?:unterlass|abzuseh|absehen|verzicht|einstell|einzustell|untersag|verbiet)\\p{L}*',
  '(?:sehen|nehmen)(?: sie)?~(?:von|davon)~(?:mail|werbung|kontakt|zusendung|nachricht|anschreiben|schreiben)\\p{L}*~(?:ab|abstand)(?!\\p{L})',
  '(?:untersag|verbiet|verbitt|verbete)\\p{L}*~(?:ihnen|mir|uns|nutzung|werbung|mail|kontakt|zusendung|weitere)\\p{L}*',
  '(?:auf|zur) unterlassung|unterlassungs\\p{L}+|(?:abmahnung|strafanzeige|rechtliche schritte)',
  '(?:nicht|keine|kein)~(?:für|zu) (?:werbung|werbezwecke\\p{L}*|akquise|marketing)~(?:gedacht|bestimmt|verwend|nutz|gebrauch|freigegeben|da)|(?:nicht|nie)(?: mehr)? (?:für werbung )?(?:zu )?(?:verwenden|benutzen|nutzen)[.!]|(?:nicht|nie) mehr verwenden',
  '(?:art(?:ikel|\\.)? ?(?:17|21))\\b~(?:dsgvo|ds-gvo)|(?:recht auf (?:vergessen|löschung|widerspruch))',
  `(?<!(?:verschicken|versenden|machen|senden|schicken|bekommen|haben|erhalten|betreiben|lese|lesen|sehe|checke|derzeit|aktuell|beantworte|empfange) )(?:keine|keinerlei|nie wieder|niemals) (?:weiteren? |mehr |solchen? |ihrer? |unaufgeforderten? )*${MAILS}(?: mehr| bitte| dieser art| von ihnen| von euch| an (?:mich|uns|diese))*(?:[.!,]|$)`,
  '(?:spart|sparen sie|spar)~(?:mails?|nachrichten|werbung|zeit)|(?:verschont|verschonen sie|verschone)~(?:mich|uns)',
  '(?:trag|trage|tragen)(?: sie)? (?:mich|uns)(?: bitte)? aus|(?:bitte|umgehend|sofort) (?:aus|ab)(?:tragen|melden|bestellen)',
];
