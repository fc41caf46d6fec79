import type { Vocabulary } from './concepts.ts';

export const dutch: Vocabulary = {
  words:
    'de|het|een|en|ik|wij|we|u|niet|is|voor|ons|met|te|op|van|in|dat|er|aan|graag|maar|wat|jullie|zijn|hebben|geen|om|naar|bij|uw|mijn|dit|als|onze|heb|nog|wel|beste|groet|dank',
  not: 'niet|geen|nee.|nooit|niets|niemand|zonder|helaas|spijt|noch',
  interest: 'interess|geinteress|belangstelling|benieuwd|nieuwsgierig|aandacht|enthousiast',
  like: 'klinkt|goed idee|perfect|prima|mooi|precies|nuttig|komt goed uit|juiste moment|bevalt|uitstekend|fijn|handig|lijkt me|veelbelovend|top.|overtuig|zou bij ons kunnen|goed gebruiken|super|baat bij|overtuigd|degelijk|hoofdpijn besparen|vindt het ook goed',
  want: 'graag|wil.|willen|zou.|zouden|staan open|op zoek|zoeken|zin in|tegemoet|vergelijken|orienteren|waarom niet|behoefte aan|doe mee|sta open|hopen|kiezen net|zie het aanbod|zou blij|te porren|vraagt hier|doe gerust mee|kom maar op',
  yes: 'ja.|zeker|natuurlijk|akkoord|ok.|oke|absoluut|uiteraard|prima.|inderdaad|doe maar|jazeker|gerust',
  send: 'stuur|sturen|opsturen|mail.|mailt|toesturen|toezenden|vertel|meer weten|meer over|ontvang|bekijk|kijk er|laat weten|laat prijs|doe mij|maak ons|zien.|leren kennen|doorsturen|laten zien|delen',
  material:
    'informatie|info.|details|brochure|presentatie|catalogus|document|referentie|voorbeeld|monster|materiaal|portfolio|analyse|voorwaarden|contract,|proef|pilot|pdf|folder|gegevens over',
  offer: 'offerte|aanbod|voorstel|aanbieding|prijsopgave',
  price:
    'prijs|kost|tarief|tarieven|btw|abonnement|duur.|per maand|rekenen|eenmalig|prijzen|vergoeding',
  need: 'nodig|behoefte|gebruik|nut.|zin.|voordeel|oplevert|noodzaak|vraag naar|vereist|meerwaarde',
  have: 'hebben|heb.|heeft|gebruiken|werken|beschik',
  already: 'al.|reeds|al jaren|huidige|net verlengd|pas getekend|sinds jaar|bestaande|onlangs',
  supplier:
    'leverancier|bureau|partij|aanbieder|partner|iemand|boekhouder|systeem|oplossing|concurren|extern|raamcontract|ander|bedrijven uit de buurt',
  content:
    'tevreden|voorzien|alles wat|blijven bij|gedekt|goed zo|prima zo|voldoende|in goede handen|goed geholpen|tevre|blij met|volledig uitgerust|vertrouwde partner|geregeld|bij dezelfde',
  own: 'zelf.|intern.|in eigen|eigen|in huis|inhouse|onszelf|alleen gedaan|zelf een|altijd alleen',
  fit: 'past niet|past.|passen|relevant|geschikt|sluit|bij ons|voor ons|onze business|assortiment|zoeken|van toepassing|aansluit|wat we zoeken|profiel|sector|bakkerij',
  switch:
    'veranderen|overstappen|wisselen|andere partij|gekozen|andere leverancier|besloten|vervangen|anders',
  refuse:
    'afslaan|afwijz|wijzen|nee bedankt|nee dank|nee, dank|geen interesse|niet geinteress|geen behoefte|niet nodig|bedanken voor|bedankt maar nee|sla over|sla ik over|niets voor ons|niet mee verder|succes|laat maar|geen gebruik|uitgesloten|interesseert ons niet|past niet|niet op in|geen belangstelling|niet aan de orde|zien ervan af|zie ervan af|wijs|geen zin|niet verder|niet relevant|zeker niet|gaan niet op uw|werken liever|noodzaak niet|niets met onze|niet op onze agenda|niet voor mij|duidelijk nee|nooit gebruiken|weggegooid|kopen geen|stop u',
  start:
    'beginnen|start|uitprober|testen|proberen|stappen|verder.|teken.|bestel|invoeren|doorgaan|gaan door|nemen het aanbod|inschrijv|pilot|aan de slag|opdracht|akkoord|gaan we doen|volgende stap|beginnen|project start|start een project|we doen het|wat moet ik doen',
  later:
    'later|toekomst|ooit|andere keer|als het zover|mocht er|te vroeg|nog niet|voorlopig|daarna|zodra|te zijner tijd|op termijn|wellicht|misschien|indien|mochten we|als we het nodig|pas eind|pas na|pas in',
  period:
    'maand|week|weken|jaar|kwartaal|voorjaar|lente|zomer|herfst|najaar|winter|januari|februari|maart|april|mei.|juni|juli|augustus|september|oktober|november|december|vakantie|kerst|pasen|feestdagen|seizoen|half jaar|boekjaar|20\\d\\d',
  now: 'nu.|momenteel|op dit moment|op het moment|dit jaar|dit kwartaal|vandaag|thans|tegenwoordig|vooralsnog|even niet|deze periode',
  again:
    'weer|opnieuw|nog eens|nogmaals|terugkom|kom er|komen er|oppakken|herinner|terug te|terug op|later contact|hernieuw',
  contact:
    'contact|neem|wend|benader|schrijf|spreek|vraag|richt|mail naar|probeer|bereik|overleg|praten met|spreken',
  budget: 'budget|begroting|uitgaven|geld|bevroren|financ|middelen',
  busy: 'druk.|drukte|prioriteit|juiste moment|capaciteit|verhuizing|reorganis|verbouwing|hoogseizoen|kom om in|ruimte|tijd voor|midden in|bezet|overbelast|geen tijd|vol.|onderbezet|strategie|liggen stil|stil.|personeel|fuseren|aan ons hoofd',
  contract: 'contract|loopt|verlengd|getekend|vast aan|overeenkomst|looptijd',
  wait: 'wacht|tot.|uitgesteld|uitstellen|parkeer|na de|afwachten|na het|bevroren|geduld|pauze|verschoven|doorgeschoven|stil|rond.|wachten|nieuwe jaar|voorbarig|twee weken|bezinken|liever tot',
  keep: 'bewaar|bewaren|gedachten|achterhoofd|op de hoogte|houden contact|contact houden|hou|genoteerd|onthou|informeren|op de radar',
  talk: 'bel.|bellen|belt|belletje|telefon|telefoontje|gesprek|spreken.|praten|afspraak|overleg|demo|demonstratie|videogesprek|zoom|teams|langs|koffie|kennismak|call|belafspraak|meeting|persoonlijk|kwartier|live|presenteren|terugbel|ontmoet|bezoek',
  weekday:
    'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|morgen|volgende week|deze week|ochtend|middag|overmorgen|komende week',
  clock:
    '\\d{1,2} ?uur|\\d{1,2}[:.]\\d\\d|om \\d|half \\w+|half uur|halfuur|\\d{1,2}e.|vanaf \\d|kwartier',
  calendar:
    'agenda|kalender|uitnodig|beschikbaar|schikt|past u|wanneer|tijdstip|welke tijd|welke dag|hoe laat|boek|gepland|inplannen|plan.|datum|bereikbaar|slot|moment in|uitkomt|komt uit|lukt|tijden',
  colleague:
    'collega|baas|chef|manager|directeur|eigenaar|leidinggevende|opvolger|vervanger|assistent|zoon|compagnon|hoofd|verantwoordelijk|vennoot|verhuurder',
  department:
    'afdeling|hoofdkantoor|inkoop|directie|personeelszaken|hr.|administratie|boekhouding|moederbedrijf|it.|filiaal|groep|bestuur|gemeente|vve|technisch team|centrale|webbureau|vestiging|marketing|receptie|techniek|operations|algemene inbox|vastgoed',
  charge:
    'gaat over|gaat daar|gaat hier|gaat mijn|verantwoordelijk|regelt|behandelt|beslis|juiste persoon|contactpersoon|mijn gebied|bevoegd|doet dat|doet het|beheert|ligt bij|aangewezen|over gaat|daarover|daar over|zorgt voor|degene die',
  wrong:
    'verkeerd|niet de juiste|iemand anders|niets mee te maken|alleen de|niet mijn|vergiss|niet ik|doe alleen|ga daar niet|niet over|fout|niet mij|andere .{0,20} zonen|niet bij zulke',
  passedOn:
    'doorgestuurd|doorgezet|doorgegeven|cc.|geef het|kopie|stuur het door|stuur ik door|doorverw|zet ik|zet mijn|zet hem|doorgeleid|geef ik|voeg|doorgespeeld|mijn collega gevraagd|geef uw bericht',
  left: 'werkt hier niet|werkt niet meer|werk daar niet|niet meer werkzaam|verlaten|pensioen|afdeling veranderd|niet meer in dienst|uit dienst|werk niet meer|weg bij|bekleed|functie niet|zaak .{0,20}verkocht|verkocht',
  somebody: 'de heer|mevrouw|mw.|dhr.|hij.|zij.|haar.|hem.|@',
  ask: 'wat.|hoe.|waar.|welke|wie.|waarom|wanneer|hoeveel|vraag|begrijp|uitleg|bedoel|waarin|waarvoor|vanaf welke|kunt u zeggen',
  youDo:
    'hebben jullie|heeft u|zijn jullie|bieden|werken jullie|kunt u|kan ik|kan het|is er|is het|is de|zijn er|werkt het|doen jullie|leveren jullie|bent u|geldt|geeft u|voldoen|wordt',
  thanks: 'dank|bedankt|vriendelijk van',
  but: 'maar.|echter|toch|hoewel|alleen.|wel.',
  we: 'wij.|we.|ons.|onze|bedrijf|organisatie',
  me: 'ik.|mij.|me.|mijn',
};
