/** Dutch. */
import type { Phrases } from './phrases.ts';

export const dutch: Phrases = {
  isSpaced: true,
  subjects: [
    'automatisch(?:e)? (?:antwoord|bericht|beantwoording|reactie|reply)|afwezig',
    'niet (?:aanwezig|op kantoor)|(?:met|op) (?:vakantie|verlof)|ontvangstbevestiging',
    'buiten kantoor|bevestiging van ontvangst|wij hebben uw|we hebben (?:je|uw)',
    'uit dienst',
  ],
  away: [
    '^(?:\\S+ ){0,2}afwezig (?:tot|t/m|van|op|wegens|vandaag|deze|ivm|i\\.v\\.m)|neemt (?:\\p{L}+ )?waar(?!\\p{L})',
    '(?:ik ben|ben) (?:deze week|vandaag|momenteel|morgen)~(?:op (?:cursus|training|reis|een beurs|conferentie)|in vergadering|weg|afwezig|vrij)',
    'lees~mail\\w*~(?:af en toe|niet|beperkt|onregelmatig|later)',
    '(?:ik ben|wij zijn|we zijn|ben)\\b~(?:er(?!\\p{L})~niet|even weg|gesloten|weg tot|met zwangerschapsverlof|op zakenreis)',
    "(?:ik|wij|we) werk(?:en)? (?:niet op|parttime|alleen op)|(?:lezen|lees|beantwoord|beantwoorden)~(?:mails?|berichten|e-?mails?)~(?:'s avonds|alleen|pas|na|niet)",
    '(?:we|wij) (?:openen|gaan)~(?:weer|open)|(?:winkel|kantoor|zaak|praktijk|werkplaats|restaurant)~(?:gesloten|dicht)\\b',
    '(?:ziekte|ziek)~(?:niet|afwezig|bereikbaar)',
    '(?:ik ben|ik zal|wij zijn|we zijn|ben ik|ik geniet|ons kantoor is|kantoor is|' +
      'momenteel|ben)\\b~(?:niet (?:aanwezig|op kantoor|op het kantoor|bereikbaar|' +
      'beschikbaar|in de gelegenheid)|afwezig|(?:met|op) (?:\\w+ )?(?:vakantie|verlof|' +
      'reis|zakenreis|ouderschapsverlof|zwangerschapsverlof)|vakantie|ziek\\b|gesloten|' +
      'buiten kantoor|vrij\\b|beperkt bereikbaar|onderweg en)',
    '(?:kantoor|bedrijf|winkel)~(?:is(?!\\p{L})|zijn|blijft) gesloten',
    '(?:terug|weer)~(?:op(?!\\p{L})|vanaf|aanwezig|bereikbaar|op kantoor|te bereiken)' +
      '~(?:ik|kantoor|maandag|dinsdag|woensdag|donderdag|vrijdag|januari|februari|' +
      'maart|april|mei|juni|juli|augustus|september|oktober|november|december|\\d)',
    '(?:na|bij) mijn (?:terugkeer|terugkomst|vakantie|verlof)',
    '(?:tijdens|gedurende|in) mijn (?:afwezigheid|vakantie|verlof)',
    '(?:beperkt|geen) toegang tot (?:mijn )?(?:e-?mail|mail)',
    '(?:lees|beantwoord) (?:ik )?mijn (?:e-?mail|mail|berichten)~(?:niet|' +
      'pas(?!\\p{L})|daarna)',
    'mail wordt niet (?:gelezen|doorgestuurd)',
  ],
  left: [
    '(?:mailbox|postbus|postvak|mailadres|adres|account)\\b~(?:is|wordt) (?:\\w+ )?(?:opgeheven|gesloten|verwijderd|gedeactiveerd|buiten gebruik)',
    '(?:ongelezen|zonder (?:ze )?te lezen) (?:verwijderd|gewist)',
    '(?:wordt|worden) niet (?:meer )?(?:gelezen|bewaakt|gebruikt|bekeken)|niet langer (?:bij|werkzaam|in dienst)|(?:mailadres|adres)~(?:vervalt|vervallen|opgeheven)',
    '(?:is|ben|werkt|werk)\\b~niet (?:meer|langer)\\b~(?:werkzaam|in dienst|' +
      'bij(?!\\p{L})|voor|hier|actief)',
    'niet (?:meer|langer) werkzaam|(?:heeft|heb)\\b~(?:verlaten|uit dienst)',
    'uit dienst (?:getreden|gegaan)',
    '(?:dit|deze) (?:e-?mailadres|adres|mailbox|postvak|account)~(?:niet (?:meer|' +
      'langer|bewaakt|gelezen)|opgeheven)',
    '(?:mijn) e-?mailadres is gewijzigd|met pensioen',
  ],
  received: [
    '(?:ticket|melding|aanvraag|verzoek|bericht)(?!\\p{L})~(?:in behandeling genomen|aangemaakt|geregistreerd)',
    '(?:gemiddelde|verwachte) (?:reactie|antwoord|doorloop)tijd[^.!?]{0,25}\\d',
    '(?:je|uw|jouw) (?:mailtje|mail|bericht|e-?mail|vraag|melding|aanvraag)~(?:is(?!\\p{L})~)?(?:binnen|ontvangen|geregistreerd|aangekomen|in goede orde)',
    '(?:hoor|hoort)~(?:van ons|van mij)|(?:we|wij) (?:reageren|antwoorden|streven)~(?:binnen|dezelfde|volgende|werkdag)',
    'bedankt voor (?:je|uw|het) (?:bericht|mail|e-?mail|contact)[!.,]? (?:we|wij|je|ons)',
    '(?:wij|we) hebben (?:uw|je|jouw) (?:bericht|e-?mail|mail|aanvraag|vraag|verzoek|' + 'melding)',
    '(?:uw|je|jouw) (?:bericht|e-?mail|mail|aanvraag|vraag|verzoek|melding|ticket)' +
      '\\b~(?:is(?!\\p{L})|werd|hebben wij|wordt)~(?:ontvangen|geregistreerd|' +
      'aangemaakt|in behandeling|doorgestuurd|binnengekomen|toegewezen)',
    '(?:ticket|meldings|referentie|zaak|dossier)-?(?:nummer|nr)',
    '(?:wij|we|ons team|een (?:medewerker|collega)|onze (?:medewerkers|' +
      'klantenservice))\\b~(?:zo (?:snel|spoedig) mogelijk|binnen|spoedig|z\\.s\\.m)',
    'bedankt (?:voor het (?:contact|opnemen)|dat u contact|voor (?:uw|je)' +
      ' (?:aanvraag|contact))',
    '(?:uw|je) vraag is bij ons',
  ],
  automatic: [
    'dit is een automatisch(?:e)?',
    'automatisch(?:e)? (?:gegenereerd|verzonden|verstuurd|aangemaakt)',
    '(?:deze|dit) (?:e-?mail|mail|bericht) (?:is|wordt|werd) automatisch',
    '(?:gelieve )?niet (?:te )?(?:antwoorden|reageren) op (?:dit|deze)',
  ],
  stop: [
    '(?:afmelden|uitschrijven|verwijderen)(?: graag| aub| svp)?|laat (?:me|mij|ons) met rust',
    'stop(?:pen|t)?(?: (?:met|hiermee|mailen|svp|aub))*|uitschrijven|afmelden',
    '(?:schrijf|haal|verwijder|meld) (?:mij|me|ons)(?: (?:uit|af|eraf|van de lijst|' +
      'van deze lijst|uit (?:de|uw|jullie) (?:lijst|bestand)))?',
    'verwijderen|geen (?:e-?)?mails? (?:meer|a\\.?u\\.?b\\.?)?',
    '(?:niet meer|nooit meer) mailen|laat (?:mij|me|ons) met rust',
    'verwijder mijn (?:gegevens|adres)|graag (?:uitschrijven|afmelden|verwijderen)',
    'geen (?:interesse|behoefte),? (?:graag )?(?:uitschrijven|verwijderen)|opzeggen',
  ],
  optOut: [
    '(?:zorg\\w*|ervoor (?:te )?zorgen)~(?:niets|geen)~meer',
    '(?:uitgeschreven|verwijderd|afgemeld|geschrapt) (?:te )?worden|(?:hoe|waar) (?:kan|meld|schrijf|kom)~(?:af|uit|afmelden|uitschrijven)(?!\\p{L})|(?:wil|willen|zou)~(?:uit|van|eruit|eraf)~(?:lijst|bestand|mailing)',
    '(?:niet|nooit|geen|niks|niets)(?: \\S+){0,3} (?:meer|langer|verder)(?: te)?~(?:mail|schrijv|stur|contact|benader|ontvang|lastig|gebruik|wens|send|hor|horen|toestur)\\w*',
    '(?:stuur|stuurt|mail|mailt|schrijf|schrijft|contacteer|benader|benadert)(?: u| mij| me| ons| alsjeblieft| aub| graag)* (?:niet|nooit|geen|niks|niets)(?! (?:voor|in|op) )',
    '(?:geen|niet) (?:prijs|behoefte|zin|gediend|interesse)~(?:mails?|e-?mails?|berichten|reclame|post|mailings?)',
    '(?:verzoek|gelieve|wil|wilt|willen|kunt|kun|zou|zouden|graag)~(?:niet (?:meer|langer|verder)|geen|verwijder|schrap|uitschrijv|afmeld|wiss|stop)\\w*~(?:te |mail|contact|benader|schrijv|stur|lijst|bestand|gegevens|adres|mij|ons|me)\\w*',
    '(?:verwijder|haal|schrap|wis|blokkeer)\\w*~(?:ons|onze|mijn|dit|het|alle) (?:adres|domein|e-?mail|e-?mailadres|gegevens|bedrijf|mailadres)',
    '(?:artikel|art\\.?) ?(?:17|21)\\b~avg|bezwaar~(?:verwerking|gebruik|marketing|gegevens)|(?:hou|houd|houdt)(?: er| hier| nu| eens| mee| ermee| hiermee)+ ?op(?!\\p{L})',
    '(?:liever|graag)~(?:geen|niet)~(?:mails?|berichten|post|e-?mails?|benaderd)',
    '(?:verwijder|haal|wis|schrap)\\w*~(?:dit|deze|mijn|ons)~(?:adres|e-?mailadres|mail)\\b|geen toestemming|hou(?:d)? (?:er|hier)(?:mee)? ?(?:mee )?op',
    '(?:haal|schrap|verwijder|gooi|schrijf|meld|neem)\\w*~(?:mij|me|ons|mijn|ons adres)\\b~(?:lijst|bestand|database|systeem|af(?!\\p{L})|uit(?!\\p{L}))',
    '(?:stuur|stuurt|mail|mailt|schrijf|benader)\\w*~(?:mij|me|ons)?~(?:geen|niet|nooit)~(?:mail|bericht|meer|post)\\w*',
    '(?:nooit|niet)~(?:om gevraagd|toestemming|aangemeld)|autoriteit persoonsgegevens|(?:mij|me|ons)~niet meer (?:te )?(?:mail|benader|contact|schrijf|lastig)\\w*',
    '(?:haal|verwijder|schrijf|schrap|meld|wis|haalt|verwijdert) (?:mij|me|ons|mijn|' +
      'onze|al mijn|dit adres|alle)\\b~(?:lijst|bestand|uit\\b|af\\b|adres|gegevens|' +
      'mailing|database|systeem|e-?mail)',
    '(?:graag|gelieve|wil|willen|wilt u|wil je|kunt u|kan je|verzoek)\\b~' +
      '(?:uitschrijven|uit te schrijven|afmelden|af te melden|verwijderen|' +
      'te verwijderen|van (?:de|uw|deze|je) (?:mailing)?lijst|uit (?:uw|de|je|jullie)' +
      ' (?:bestand|lijst|database|systeem))',
    '(?:mijn|onze|alle) (?:e-?mail|gegevens|adres|e-?mailadres|persoonsgegevens|data)' +
      '~(?:verwijder|wissen|te wissen)\\w*',
    'geen (?:verdere |ongevraagde |)(?:e-?)?(?:mails?|berichten|reclame|contact|spam|' +
      'post|correspondentie) (?:meer|te)?~(?:ontvang|stur|send|toe(?!\\p{L})|meer|wens|' +
      '[.!]|$)',
    '(?:mail|contacteer|schrijf|benader|stuur|stuurt|e-?mail|contact) (?:mij|me|ons)~' +
      '(?:niet meer|geen|nooit|niet langer|niet\\b)',
    '(?:wil|wens|wensen|willen)\\b~(?:geen|niet(?: meer| langer)?)\\b~(?:ontvang|' +
      'benaderd|gecontacteerd|e-?mails?|mails?|gemaild|contact)',
    '(?:stop|stopt|hou|houd) (?:met|op met|onmiddellijk)~(?:mail|send|stur|contact|' +
      'spam|e-?mail|lastig|benader)\\w*',
    'niet (?:meer|langer) (?:te )?(?:mailen|benaderen|contacteren|schrijven|contact)',
    'avg~(?:verwijder|wis(?!\\p{L}))|recht (?:op vergetelheid|van bezwaar)',
    'maak(?:t)? bezwaar|sommatie|sommeer',
  ],
  personal: [
    '(?:geen )?(?:interesse|behoefte)\\b|interessant|geïnteresseerd',
    '(?:bel|bellen|belt) (?:mij|me|ons|u|je|even|gerust|liever)\\b',
    'liever (?:telefon|bellen|per|mail)|telefonisch',
    '(?:stuur|stuurt|mail|zend) (?:mij|me|ons|maar|gerust|even|het|de|een|wat|graag)~' +
      '(?:voorstel|offerte|informatie|info|prijs|prijzen|brochure|details|voorbeeld|' +
      'link|documentatie|gegevens over)',
    '(?:kunt|kun|kan|zou|zouden) (?:u|je|jij|jullie|we)',
    '(?:uw|je|jullie|jouw) (?:aanbod|voorstel|product|oplossing|prijzen|offerte|' + 'dienst)',
    'wat (?:kost|kosten|zijn de|is de prijs)|hoeveel|prijs(?:lijst|opgave)?\\b',
    '(?:afspraak|gesprek|belletje|overleg|demo)\\b~(?:maandag|dinsdag|woensdag|' +
      'donderdag|vrijdag|volgende|morgen|week|maken|plannen|inplannen)',
    '(?:maandag|dinsdag|woensdag|donderdag|vrijdag|morgen)~(?:schikt|past|' +
      'kan(?!\\p{L})|uitkomt|goed)',
    '(?:hebben|werken|zijn|gebruiken|heb)\\b~(?:al|reeds)\\b~(?:leverancier|partner|' +
      'voorzien|oplossing|een(?!\\p{L})|met(?!\\p{L})|aanbieder)',
    '(?:niet het (?:juiste|goede) moment|nu niet|op dit moment (?:geen|niet))',
    '(?:neem|kom|mail|probeer|benader)~(?:later|in(?!\\p{L})|na(?!\\p{L})|volgend|' +
      'terug op)~(?:contact|terug|jaar|kwartaal|maand|januari|september)',
    '(?:heb ik|ik heb) (?:het |je |uw |dit )*(?:doorgestuurd|gelezen|bekeken|' +
      'doorgegeven|besproken)',
    'nee,? (?:bedankt|dank)|klinkt (?:goed|interessant)',
  ],
  talk: [
    '(?:ik|wij|we) (?:heb|hebben|kan|kunnen|wil|willen|zou|denk|vind|zoek|ga|gaan|' +
      'moet|zal|zullen|gebruik)\\b',
    '(?:heeft|hebben|bieden|kunnen|doen) (?:u|jullie|je)',
    '(?:ja|nee|prima|graag|oke|ok|dank)\\b[,.!]|helaas|collega|bijlage',
    'zoals (?:besproken|afgesproken)',
  ],
  keeps: [
    'bel(?:t|len)? (?:mij|me|ons|u|gerust|even|liever|maar|gewoon)',
    '(?:liever|beter|gewoon|alleen)~(?:bel\\w*|telefo\\w*|mail|per(?!\\p{L})|e-?mail)',
    'per (?:telefoon|mail|e-?mail|post)',
    '(?:mail|e-?mail)~(?:werkt|is(?!\\p{L})|gaat) (?:beter|prima|fijner|handiger)',
    'interess\\w+',
    '(?:stuur|mail)(?:t)? (?:mij|me|ons|maar|gerust)~(?:offerte|voorstel|prijs\\w*|' +
      'info\\w*|brochure|details)',
    'wat kost|graag (?:een|meer|uw|je|jullie|bellen|een keer)|afspraak',
    '(?:neem|kom|mail)~(?:later|in(?!\\p{L})|na(?!\\p{L})|volgend)~contact',
    'klinkt (?:goed|interessant)',
  ],
  polite: [
    'nee,?(?: bedankt| dank u| dank je)?|geen interesse',
    '(?:hallo|hoi|beste|geachte|dag|goedemorgen|goedemiddag|goedendag)(?: \\w+){0,3}',
    'graag|gelieve|a\\.?u\\.?b\\.?|s\\.?v\\.?p\\.?|alstublieft|alsjeblieft',
    'dank(?: u| je)?(?: wel)?|bedankt|alvast|(?:met )?(?:vriendelijke )?groet(?:en)?',
    'mvg|gr|onmiddellijk|nu|direct',
  ],
  urgent: [
    'haast\\b',
    'dringend|spoed|voor (?:vragen|dringende|urgente|overige)|in geval|mocht|indien',
    'als u|als je|ondertussen|tijdens mijn|urgente',
  ],
};
