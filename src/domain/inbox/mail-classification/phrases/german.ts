/** German, with and without its umlauts. */
import { germanOptOuts } from './german-opt-outs.ts';
import type { Phrases } from './phrases.ts';

export const german: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:re: |aw: )?urlaub\\b|betriebsruhe|ihre (?:anfrage|nachricht|e-?mail) (?:ist|wurde)|vielen dank f(?:ü|ue)r ihre (?:anfrage|nachricht)',
    'automat(?:ische|isierte) (?:antwort|r(?:ü|ue)ckantwort|abwesenheit|r(?:ü|ue)' +
      'ckmeldung|antwortmail|nachricht|e-?mail|eingangs)',
    'autoreply|abwesenheit|abwesend|nicht im (?:b(?:ü|ue)ro|haus)|im urlaub',
    'urlaubs?(?:notiz|meldung|abwesenheit|vertretung|gru|:|$)',
    'eingangsbest(?:ä|ae)tigung|empfangsbest(?:ä|ae)tigung',
    'bin (?:nicht da|abwesend|im urlaub|au(?:ß|ss)er haus)|au(?:ß|ss)er haus',
    'betriebs(?:ferien|urlaub)',
    'wir haben (?:ihre|deine) (?:nachricht|anfrage|e-?mail) erhalten',
    'nicht mehr (?:im unternehmen|bei)',
  ],
  away: [
    '(?:bin|sind) (?:\\p{L}+ ){0,3}(?:weg|verreist|offline)[!.]|(?:ab|am|bis) \\S+ (?:wieder|zurück) (?:da|hier|erreichbar|im)(?!\\p{L})|(?:haben|machen) (?:wir )?(?:\\p{L}+ )?(?:inventur|umzug|betriebsausflug)~',
    '(?:im|in) (?:mutterschutz|elternzeit|krankenstand|erholungsurlaub|sabbatical|reha)|(?:bin|ist|liege)~(?:krank|erkrankt|krankgeschrieben|arbeitsunf(?:ä|ae)hig)(?!\\p{L})~(?:bis|und|kann|werde|daher|[.,]|$)|^(?:\\S+ ){0,2}(?:bis|ab) (?:\\S+ ){1,3}(?:weg|unterwegs|verreist|offline|abwesend)',
    '(?:b(?:ü|ue)ro|gesch(?:ä|ae)ft|praxis|werkstatt|sekretariat|telefon|laden|kanzlei)(?: \\S+){0,4} (?:nicht besetzt|unbesetzt|geschlossen|zu(?!\\p{L}))',
    '(?:bin|sind)\\b~(?:ganzt(?:ä|ae)gig|den ganzen tag|die ganze woche|derzeit|zurzeit|aktuell)~(?:termin|seminar|schulung|kur|reha|messe|unterwegs|meeting)',
    '(?:aufgrund|wegen) (?:der |des |einer |von )?(?:feiertag|urlaub|krank|betriebs|inventur|fortbildung|umzug|messe|weihnacht|oster|brückentag|personalmangel)\\w*~',
    '(?:erst|fr(?:ü|ue)hestens|voraussichtlich) (?:ab|am|wieder|mitte|ende|anfang|n(?:ä|ae)chste|morgen|(?:ü|ue)bermorgen|montag|dienstag)~(?:beantwort|antwort|wieder|lesen|bearbeit|melden|erreichbar|da)?\\w*',
    '(?:postfach|mailbox|adresse)~(?:nur|lediglich)~(?:werktags|zwischen|montag|unregelm)\\w*',
    '(?:ich|wir|bin|sind)\\b~(?:nur |erst )(?:am |montag|dienstag|mittwoch|donnerstag|freitag|vormittag|nachmittag|morgens|abends)~(?:b(?:ü|ue)ro|werkstatt|erreichbar|da\\b|haus|praxis|laden|antwort)',
    '(?:arbeite|arbeiten)~(?:teilzeit|nur |montags|dienstags|mittwochs|donnerstags|freitags)~',
    '(?:lese|lesen|beantworte|beantworten|antworte|antworten|bearbeite)\\b~(?:mails?|e-?mails?|nachrichten)~(?:nur|gesammelt|unregelm|sporadisch|einmal|abends|erst|nicht)',
    '(?:nur|gesammelt|unregelm(?:ä|ae)(?:ß|ss)ig|sporadisch|erst)~(?:mails?|e-?mails?|nachrichten)~(?:gelesen|beantwort|lesen|abgerufen)\\w*',
    '(?:b(?:ü|ue)ro|praxis|laden|gesch(?:ä|ae)ft|betrieb|kanzlei|studio|hotel|restaurant|werkstatt|firma)~(?:ist|bleibt|bleiben|sind|haben|hat)~(?:geschlossen|zu\\b|betriebs)',
    '(?:rechnen sie|bitte)~(?:mit|um)~(?:verz(?:ö|oe)gerung|etwas geduld|l(?:ä|ae)ngeren (?:antwort|warte))',
    '(?:antworte|melde mich|beantworte|k(?:ü|ue)mmere mich)~(?:nach meine[rm]|sobald ich|wenn ich~zur(?:ü|ue)ck)',
    '(?:sind|bin)\\b~(?:wieder|zur(?:ü|ue)ck)~(?:f(?:ü|ue)r sie da|in der|im b|erreichbar|an bord)|danke f(?:ü|ue)r (?:die|ihre|deine|eure) geduld',
    '(?:ich bin|wir sind|ich befinde mich|unser b(?:ü|ue)ro (?:ist|bleibt)|ich werde|' +
      'bin ich|bin|befinde ich mich|wir haben)\\b~(?:nicht (?:im (?:b(?:ü|ue)ro|haus|' +
      'hause|dienst)|am (?:platz|arbeitsplatz)|erreichbar|da\\b|verf(?:ü|ue)gbar|' +
      'anwesend)|abwesend|au(?:ß|ss)er haus|im (?:\\w+ )?(?:urlaub|homeoffice ohne)|' +
      'in urlaub|in (?:elternzeit|mutterschutz|den ferien|altersteilzeit|ferien|' +
      'freistellung)|auf (?:dienstreise|gesch(?:ä|ae)ftsreise|reisen|einer messe|' +
      'fortbildung|schulung)|krank(?:geschrieben)?\\b|geschlossen|betriebs(?:ferien|' +
      'urlaub)|unterwegs und|betriebs(?:ruhe)|nur (?:eingeschr(?:ä|ae)nkt|sporadisch|' +
      'unregelm))',
    '(?:wir|ich) (?:machen|mache|haben|habe)\\b~(?:betriebs(?:ferien|urlaub|ruhe)|' +
      'urlaub\\b(?! und)|ferien)~(?:vom|bis|von|ab|\\d)',
    '(?:habe|haben) (?:ich|wir) (?:\\w+ )?(?:urlaub|ferien|betriebsferien|' + 'geschlossen)',
    '(?:b(?:ü|ue)ro|praxis|betrieb|gesch(?:ä|ae)ft) (?:ist|bleibt)~geschlossen',
    '(?:ihre|deine|eure) (?:e-?mail|mail|nachricht)(?:en)? (?:wird|werden)' +
      ' (?:in dieser zeit |w(?:ä|ae)hrenddessen |automatisch )?(?:nicht|weder)',
    '(?:wird|werden) (?:nicht|weder) (?:gelesen|weitergeleitet|bearbeitet)',
    '(?:ab|am|vom|bis)~ (?:bin ich|stehe ich ihnen|sind wir|stehen wir ihnen)~' +
      '(?:wieder|zur(?:ü|ue)ck)',
    'bin (?:ich )?(?:ab|am|erst|wieder)~(?:wieder|zur(?:ü|ue)ck)~(?:erreichbar|da|' +
      'b(?:ü|ue)ro|f(?:ü|ue)r sie)',
    'nach meiner (?:r(?:ü|ue)ckkehr|r(?:ü|ue)ckkunft)',
    'keinen (?:regelm(?:ä|ae)(?:ß|ss)igen )?zugriff auf (?:meine )?(?:e-?mails?|' + 'mails?)',
    '(?:e-?mails?|mails?|nachrichten)~nicht (?:regelm(?:ä|ae)(?:ß|ss)ig|gelesen|' +
      'abgerufen|bearbeitet|lesen|abrufen|bearbeiten)',
    'w(?:ä|ae)hrend meiner abwesenheit|in meiner abwesenheit',
    'meine (?:urlaubs)?vertretung',
  ],
  left: [
    '(?:ungelesen|ungesehen) (?:gelöscht|verworfen|vernichtet)|(?:postfach|adresse|mailbox)\\b~(?:aufgelöst|aufgegeben|eingestellt)|(?:mails?|e-?mails?|nachrichten) (?:an|für) \\S+(?: \\S+)? (?:liest|beantwortet|bearbeitet) (?:hier )?(?:niemand|keiner)|(?:liest|lesen|beantwortet) (?:hier )?(?:niemand|keiner)(?: mehr)?',
    '(?:frau|herr|herrn) \\p{L}+ (?:arbeitet|ist) (?:hier )?nicht mehr (?:hier|da|bei uns|im haus|tätig)~(?:mails?|wenden|kontakt|postfach|adresse)',
    'neue (?:e-?mail-?|mail)?adresse(?: lautet|:| ist)~@|(?:ändern|aktualisieren) sie (?:bitte )?(?:ihr|ihre|den|die)~(?:adressbuch|kontakt|daten|eintrag)\\w*',
    '(?:hat|habe|haben)\\b~(?:haus|unternehmen|firma|kanzlei|praxis|team|gesellschaft|betrieb|verein|uns(?!\\p{L}))~verlassen|(?:neuer|neue) ansprechpartner',
    'nicht mehr (?:abgerufen|gelesen|verwendet|genutzt|betreut|(?:ü|ue)berwacht|aktiv|g(?:ü|ue)ltig|in betrieb|besetzt)',
    '(?:postfach|adresse|mailadresse|konto)~(?:wird|wurde|ist)~(?:gel(?:ö|oe)scht|abgeschaltet|geschlossen|deaktiviert|stillgelegt|nicht)',
    '(?:ist|bin) (?:seit|zum|ab)~(?:nicht mehr|ausgeschieden|im ruhestand|in rente)',
    '(?:ist|bin|arbeitet|arbeite|sind)\\b~(?:nicht (?:mehr|l(?:ä|ae)nger))\\b~' +
      '(?:f(?:ü|ue)r|bei|im|in|t(?:ä|ae)tig|besch(?:ä|ae)ftigt|unternehmen|firma|haus)',
    '(?:aus dem|das) unternehmen (?:ausgeschieden|verlassen)|ausgeschieden',
    '(?:im|in den|in) (?:wohlverdienten )?ruhestand',
    '(?:dieses|diese|das) (?:postfach|e-?mail-?adresse|adresse|mailadresse|' +
      'e-?mail-?konto)\\b~(?:nicht (?:mehr|(?:ü|ue)berwacht|gelesen)|stillgelegt|' +
      'deaktiviert)',
    'meine (?:e-?mail-?)?adresse hat sich ge(?:ä|ae)ndert',
  ],
  received: [
    '(?:ticket|vorgang|anfrage)~(?:angelegt|eröffnet|erstellt)|(?:mittlere|durchschnittliche|voraussichtliche) (?:antwort|bearbeitungs|reaktions)zeit[^.!?]{0,25}\\d|aufgrund (?:des |der )?(?:aktuell |derzeit |momentan |sehr |derzeitigen )*(?:hohen?|vielen|starken|erhöhten|großen)~(?:aufkommen|anfragen|volumen|nachfrage|eingang|anrufe|zahl|nachricht)',
    'ein\\w* (?:mitarbeiter|kolleg|berater|ansprechpartner)\\w*~(?:wird sich|meldet sich|kümmert sich|wird ihnen)',
    '(?:anliegen|anfrage|nachricht|meldung|e-?mail|schreiben|vorgang|antrag)(?: \\S+){0,6} (?:erfasst|aufgenommen|registriert|angelegt|vermerkt|zugewiesen)|in der reihenfolge (?:ihres|des) eingangs',
    '(?:danke|dank)(?: \\S+){0,4}[.!,] (?:wir|das team|unser team)~(?:so (?:schnell|rasch|bald) (?:wie|als)|schnellstm|umgehend|baldm|in k(?:ü|ue)rze|zeitnah|innerhalb)',
    '(?:anfrage|anliegen|nachricht|meldung|e-?mail)~(?:aufgenommen|angelegt|vermerkt|notiert|zugeordnet)|(?:ein kolleg|eine kolleg|unser team|ein mitarbeiter|wir)\\w*~(?:meldet sich|melden uns)\\b',
    '(?:ist|sind) (?:gut |sicher |soeben )?bei uns (?:eingegangen|angekommen|gelandet)',
    '(?:wir|ich) (?:melden|melde|antworten|k(?:ü|ue)mmern)\\b~(?:innerhalb|in der regel|meist|schnellst|zeitnah|baldm(?:ö|oe)g|asap|sobald|umgehend)',
    '(?:vorgangs|ticket|referenz|bearbeitungs|fall|auftrags)-?(?:nummer|nr\\.?|id)\\b',
    'wir haben ihre~(?:bekommen|erhalten|registriert|notiert)',
    '(?:beantwortung|bearbeitung|antwort)~(?:kann|dauert|erfolgt)~(?:tage|stunden|werktag|reihenfolge|dauern)',
    '(?:ihre|deine|eure) (?:e-?mail|mail|nachricht|anfrage|anliegen|ticket|' +
      'mitteilung|schreiben|support-?anfrage)\\b~(?:eingegangen|erhalten|' +
      'entgegengenommen|registriert|erfasst|(?:ü|ue)bermittelt|angelegt|' +
      'wird (?:schnellstm|umgehend|bearbeitet)|in bearbeitung|weitergeleitet)',
    '(?:wir haben|haben wir) (?:ihre|deine) (?:e-?mail|nachricht|anfrage|mitteilung|' +
      'mail)~(?:erhalten|empfangen)',
    '(?:ihre|deine) (?:ticket-?|vorgangs-?|fall-?|bearbeitungs-?|anfrage)(?:nummer|' + 'nr|id)',
    '(?:ticket|vorgang|fall)~(?:nummer|nr(?!\\p{L})|#)~(?:angelegt|er(?:ö|oe)ffnet|' +
      'erstellt|erfasst)',
    '(?:unter der|mit der) (?:ticket|vorgangs|referenz|bearbeitungs)-?(?:nummer|nr)',
    '(?:wir (?:werden|melden|k(?:ü|ue)mmern)|ein mitarbeiter|unser (?:team|support|' +
      'kundenservice)|unsere mitarbeiter|wir bearbeiten)\\b~(?:schnellstm(?:ö|oe)glich|' +
      'umgehend|in k(?:ü|ue)rze|so schnell wie m(?:ö|oe)glich|baldm(?:ö|oe)glichst|' +
      'zeitnah|innerhalb von|werktag)',
    'vielen dank f(?:ü|ue)r (?:ihre|deine) (?:kontaktaufnahme|anfrage|nachricht)~' +
      '(?:wir(?!\\p{L})|eingegangen|erhalten|bearbeit)',
  ],
  automatic: [
    'vom system (?:erzeugt|erstellt|generiert|verschickt)',
    '(?:nachricht|mail)~nicht antworten',
    '(?:dies(?:es|e)? ist eine?|eine) automatisch(?:e|es)?',
    'automatisch (?:generierte|erstellte|erzeugte|versandte|versendete)',
    '(?:e-?mail|nachricht|antwort|mail) (?:wurde|wird|ist) automatisch',
    '(?:antworten sie|bitte)~nicht auf diese (?:e-?mail|nachricht|mail)',
    'automatisch(?:e|er) (?:antwort|empfangsbest|eingangsbest|r(?:ü|ue)ckmeldung)',
  ],
  stop: [
    'abmelden|austragen|abbestellen|l(?:ö|oe)schen|stop(?:p|pen)?',
    'schlu(?:ss|ß)(?: damit| jetzt)?|aufh(?:ö|oe)ren',
    'nicht mehr (?:schreiben|kontaktieren|melden|anschreiben)',
    'keine (?:weiteren |)(?:e-?mails?|mails?|werbung|nachrichten)(?: mehr)?',
    'mich (?:bitte )?(?:sofort )?(?:abmelden|austragen|l(?:ö|oe)schen|entfernen|' + 'streichen)',
    'raus (?:aus dem verteiler|da)|meine daten l(?:ö|oe)schen',
    '(?:aus (?:dem |ihrem )?verteiler|newsletter) (?:entfernen|streichen|nehmen|' +
      'abmelden|l(?:ö|oe)schen)',
    'kein interesse,? (?:bitte )?(?:austragen|l(?:ö|oe)schen|abmelden)',
    'lassen sie mich in ruhe|widerspruch|abmeldung',
  ],
  optOut: [
    ...germanOptOuts,
    '(?:sorgen sie|sorgt|sorge|stellen sie sicher|stellt sicher|achten sie)\\b~(?:nichts|keine?)~(?:mehr(?! als)|weiter\\p{L}*)|(?:dsgvo|gespeicherten daten)~l(?:ö|oe)schung|werbezweck\\w*~widers',
    '(?:sparen|spar) (?:sie|dir|euch)~(?:sich )?~(?:mails?|e-?mails?|nachricht|werbung|müh)\\w*|(?:sofort|bitte|umgehend) (?:alles )?l(?:ö|oe)schen|(?:auf|in) (?:ihre|eure|die) (?:sperrliste|blacklist|robinsonliste|ausschlussliste)|sperrliste',
    'nichts mehr (?:von ihnen|von euch|von dir)?~(?:h(?:ö|oe)ren|bekommen|erhalten|lesen|wissen)|von (?:ihnen|euch) nichts mehr',
    '(?:verschonen|verschont|verschone) (?:sie )?(?:mich|uns)|in (?:ruhe|frieden) (?:lassen)?|lass(?:t|en)? (?:sie )?(?:mich|uns)~ruhe',
    '(?:noch|jede weitere) (?:eine |)(?:mail|e-?mail|nachricht)~(?:anwalt|anzeige|rechtlich|abmahn|melde|gericht)\\w*',
    '(?:nie|niemals) (?:wieder|mehr)~(?:schreib|mail|kontakt|anschreib|melden|nachricht)\\w*',
    '(?:schreib|mail|kontaktier|meld)\\w* (?:sie )?(?:mir|mich|uns|sich)~nie',
    '(?:nehmt|nehmen|nimm|streicht|streichen|werft|tragt|l(?:ö|oe)scht)\\b~(?:mich|uns|meine|unsere)\\b~(?:liste|verteiler|kartei|datenbank|raus|runter|heraus|system|datei|adressen|austragen|aus\\b)',
    '(?:einwilligung|zustimmung)~(?:nicht|nie|keine|widerruf)\\w*|(?:nicht|nie|keine)~(?:eingewilligt|zugestimmt|einwilligung|erlaubt)',
    '(?<!(?:verschicken|versenden|machen|senden|schicken|bekommen|haben|erhalten|betreiben) )keine (?:weitere |weiteren )?(?:kontaktaufnahme|zusendungen|werbemails|werbung|reklame|belästigung)',
    '(?:k(?:ü|ue)nftig|zuk(?:ü|ue)nftig|in zukunft)~(?:keine|nicht mehr|absehen|unterlassen)',
    '(?:unerw(?:ü|ue)nscht|unverlangt|bel(?:ä|ae)stigung|rechtswidrig|uwg)\\w*~(?:werbung|mail|unterlass|l(?:ö|oe)sch|frist|e-?mail)',
    '(?:nehmen|nimm|streichen|streich|entfernen|entferne|entfernt|l(?:ö|oe)schen|' +
      'l(?:ö|oe)sche|l(?:ö|oe)scht|tragen|trag|sperren) (?:sie |)(?:bitte |)' +
      '(?:umgehend |sofort |)(?:mich|uns|meine|unsere|diese|alle (?:meine|unsere|(?:ü|' +
      'ue)ber mich|zu meiner|daten))\\b',
    '(?:mich|uns|meine (?:e-?mail|adresse|daten|mailadresse|kontaktdaten|' +
      'personenbezogenen)|unsere (?:e-?mail|adresse|daten|mailadresse|firma)|' +
      'diese (?:e-?mail-?)?adresse|s(?:ä|ae)mtliche|alle (?:meine |)daten)\\b~' +
      '(?:austragen|(?:zu |)l(?:ö|oe)schen|gel(?:ö|oe)scht|entfernen|abmelden|' +
      'streichen|herausnehmen|abzumelden|auszutragen|vom verteiler|aus (?:ihrem|dem|' +
      'eurem|deinem) (?:e-?mail-?)?(?:verteiler|liste|datenbank|system)|von (?:ihrer|' +
      'der|eurer) (?:liste|mailingliste))',
    '(?:aus|von) (?:ihrem|dem|eurem|ihrer|der|eurer) (?:e-?mail-?|mailing)' +
      '?(?:verteiler|liste|datenbank)~(?:l(?:ö|oe)sch|entfern|nehm|streich|heraus|' +
      'abmeld|austrag)',
    '(?<!(?:verschicken|versenden|machen|senden|schicken|bekommen|haben|erhalten|betreiben) )keine (?:weiteren |weitere |mehr |solche[nr]? |unaufgeforderten |werbe-?|)' +
      '\\s*(?:e-?mails?|mails?|nachrichten|werbung|werbemails?|zuschriften|' +
      'kontaktaufnahmen?|anschreiben|newsletter)(?: mehr| an (?:mich|uns)|~(?:schicken|' +
      'senden|erhalten|bekommen|zusenden|zuschicken|w(?:ü|ue)nsch|zukommen))?',
    '(?:schreiben|kontaktieren|mailen|bel(?:ä|ae)stigen|anschreiben|kontaktiert|' +
      'schreib|kontaktiere) (?:sie |)(?:mir|mich|uns) (?:bitte |in zukunft |k(?:ü|ue)' +
      'nftig |)(?:nicht|nie|keine)',
    '(?:m(?:ö|oe)chte|m(?:ö|oe)chten|will|wollen|w(?:ü|ue)nsche|w(?:ü|ue)nschen)\\b~' +
      '(?:nicht (?:mehr|weiter|l(?:ä|ae)nger)|keine(?:rlei)?)\\b~(?:e-?mails?|mails?|' +
      'kontaktiert|angeschrieben|werbung|nachrichten|erhalten|bel(?:ä|ae)stigt|kontakt)',
    'unterlassen sie (?:das|dies|es)\\b',
    '(?:unterlassen|sehen) sie~(?:e-?mails?|kontakt|werbung|zusendung|anschreiben|' +
      'bel(?:ä|ae)stigung|weitere|davon ab)',
    '(?:h(?:ö|oe)ren|h(?:ö|oe)r) (?:sie |)(?:bitte |sofort |)auf~(?:zu schreiben|' +
      'e-?mails?|mails?|spam|zu senden|schicken|bel(?:ä|ae)stig)',
    'widerspreche~(?:nutzung|verwendung|verarbeitung|werbung|speicherung|daten|' + 'kontakt)',
    '(?:m(?:ö|oe)chte|will|bitte) mich~(?:abmelden|austragen)|dsgvo~l(?:ö|oe)sch',
    'l(?:ö|oe)sch~dsgvo|(?:unterlassungs|abmahn)\\w*',
    'lassen sie mich (?:bitte |)in ruhe|kontaktieren sie (?:mich|uns) nicht',
    'von weiteren (?:e-?mails?|mails?|nachrichten|kontaktversuchen|anfragen)~' +
      '(?:abzusehen|absehen)',
    'nicht (?:mehr|wieder|erneut) (?:anschreiben|kontaktieren|anmailen|' +
      'zu kontaktieren|zu schreiben)',
  ],
  personal: [
    '(?:melden uns|melde mich|kommen auf sie zu|komme auf sie zu),? (?:wenn|falls|sobald) (?:wir|ich|es|bedarf|sich|das)(?!~(?:zurück|wieder|urlaub|büro))',
    'danach (?:gern|können|habe|passt|sehr gern)|ich melde mich (?:dann|bei)|(?:das|wir) (?:brauchen|passt|haben)~(?:nicht|kein|leider)',
    '(?:k(?:ö|oe)nntet|k(?:ö|oe)nnt|w(?:ü|ue)rdet) ihr|passt mir|bei uns k(?:ö|oe)nnen',
    '(?:wir|ich) (?:w(?:ü|ue)rden?|m(?:ö|oe)chten?) (?:gerne? )?(?:einen? |mehr |' +
      'das |ein )*(?:termin|muster|angebot|demo|test|erfahren|sehen|testen|' +
      'kennenlernen|vereinbaren)',
    'klingt (?:gut|interessant|spannend|vielversprechend)',
    'h(?:ö|oe)rt sich (?:gut|interessant)|ruf(?:en (?:sie|s)|t|)? mich',
    'rufen? (?:sie )?(?:einfach |lieber |gerne? )?(?:an|durch)\\b',
    'lieber (?:telefon|anruf|per|schriftlich|e-?mail)|telefonieren',
    'kein(?:en)? (?:interesse|bedarf|budget)',
    '(?:grunds(?:ä|ae)tzlich |sehr |durchaus )?interess(?:e an|iert|ant)',
    '(?:senden|schicken|mailen) sie (?:mir|uns) (?:bitte |gerne? |doch |mal )*(?:ein|' +
      'das|die|den|weitere|mehr|ihre|details|unterlagen|infos|preise)',
    '(?:schick|send)(?:en)? (?:mir|uns)~(?:angebot|unterlagen|infos|details|preis|' +
      'prospekt|muster|katalog)',
    'ihr (?:angebot|vorschlag|produkt)|ihre (?:preise|l(?:ö|oe)sung|software)',
    'was (?:kostet|kosten|w(?:ü|ue)rde)|wie (?:hoch|teuer|viel)',
    '(?:passt|passen|ginge|w(?:ä|ae)re)\\b~(?:mir(?!\\p{L})|ihnen|montag|dienstag|' +
      'mittwoch|donnerstag|freitag|uhr(?!\\p{L})|woche)',
    '(?:termin|gespr(?:ä|ae)ch|telefonat)\\b~(?:montag|dienstag|mittwoch|donnerstag|' +
      'freitag|n(?:ä|ae)chste|uhr|vereinbaren|machen|gern)',
    '(?:sind|bin|haben|nutzen|arbeiten)\\b~(?:bereits|schon)~(?:versorgt|anbieter|' +
      'lieferant|partner|dienstleister|vertrag|l(?:ö|oe)sung|zufrieden|mit)',
    '(?:melden|schreiben|kommen) sie (?:sich |)(?:bitte |gerne? |doch )*(?:im|in|' +
      'n(?:ä|ae)chst|wieder|nochmal|erneut|auf)',
    '(?:ich habe|hab) (?:ihre|es|sie|das|die)~(?:weitergeleitet|gelesen|angeschaut|' +
      'angesehen|besprochen)',
    '(?:k(?:ö|oe)nnen|k(?:ö|oe)nnten|m(?:ö|oe)gen) sie (?:mir|uns|das|bitte)',
    'woher haben sie',
  ],
  talk: [
    '(?:ich|wir) (?:habe|haben|bin|sind|k(?:ö|oe)nnen?|w(?:ü|ue)rden?|m(?:ö|oe)' +
      'chten?|denke|glaube|finde|brauchen?|nutzen|suchen|m(?:ü|ue)ssen|wollen?|' +
      'hatte[n]?|sehe|werde)\\b',
    '(?:haben|k(?:ö|oe)nnen|k(?:ö|oe)nnten|bieten|machen|sind|gibt) (?:sie|ihr|es)\\b',
    '(?:ja|nein|danke|gerne?|super|ok|okay|alles klar)\\b[,.!]|leider|angebot|preis',
    'termin|kollege|kollegin|wie besprochen|anbei|im anhang',
  ],
  keeps: [
    'vorher gern|davor gern',
    'danach (?:gern|können|habe|bin|passt|sehr gern)|(?:parken|merken) wir',
    '(?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|vormittag|nachmittag)~(?:passt|geht|w(?:ä|ae)re)|(?:k(?:ö|oe)nnen|k(?:ö|oe)nntet|k(?:ö|oe)nnt) (?:sie|ihr|wir)~(?:anschauen|ansehen|telefonieren|machen|helfen|schicken|sprechen)',
    "ruf(?:en (?:sie|s'|s)|t|en|)? (?:mich|mi|uns|einfach|lieber|gerne?|bitte)",
    '(?:lieber|besser|einfach|nur|gerne?|bitte)~(?:anrufen|telefon\\w*|anruf\\w*|' +
      'schriftlich|per (?:e-?mail|mail|telefon|post)|durchklingeln)',
    '(?:e-?mail|mail|schriftlich|telefon\\w*|per (?:e-?mail|mail|telefon)) (?:ist|' +
      'passt|w(?:ä|ae)re|geht|reicht|funktioniert)',
    'interess(?:iert|ant|e an)|klingt (?:gut|interessant|spannend)',
    '(?:schick|send|mail)\\w*(?: sie)? (?:mir|uns)~(?:angebot|unterlagen|infos?|' +
      'details|preis\\w*|katalog|muster|mal(?!\\p{L}))',
    '(?:schaue|sehe|pr(?:ü|ue)fe|lese)~(?:angebot|an\\b|gern)|was kostet|termin',
    '(?:melden|schreiben|kontaktieren) sie (?:sich|uns|mich)?~(?:wieder|im|in|n(?:ä|' +
      'ae)chst|sp(?:ä|ae)ter)',
    'freue mich|gerne? (?:ein|einen|das|ihr|mehr|sprechen|telefon)',
  ],
  polite: [
    'nein,?(?: danke)?|kein interesse|hallo(?: \\w+){0,2}',
    'guten (?:tag|morgen|abend)(?: \\w+){0,3}|sehr geehrte[rs]?(?: \\w+){1,5}|moin',
    'hi\\b|liebe[rs]?(?: \\w+){1,3}|bitte|danke(?: sch(?:ö|oe)n| im voraus)?',
    'vielen dank|mit freundlichen gr(?:ü|ue)(?:ß|ss)en',
    '(?:viele |beste |sch(?:ö|oe)ne |freundliche |)gr(?:ü|ue)(?:ß|ss)e|gru(?:ß|ss)',
    'mfg|lg|vg|sofort|umgehend|jetzt',
  ],
  urgent: [
    'dringend|eilig|notf(?:a|ä|ae)ll|in dringenden|sollten sie|falls',
    'bei (?:fragen|weiteren|akuten|r(?:ü|ue)ckfragen|dringlichen)|zwischenzeit',
    'inzwischen|vertretung|w(?:ä|ae)hrend|wenden sie sich',
  ],
};
