import type { Vocabulary } from './concepts.ts';

export const german: Vocabulary = {
  words:
    'der|die|das|und|ich|wir|sie|nicht|ist|fur|uns|mit|zu|ein|eine|es|bitte|auf|den|dem|haben|danke|ihr|ihre|mir|bei|von|im|am|gerne|gern|kein|keine|auch|wie|was|da|sind|noch',
  not: 'nicht|kein|nein|nichts|nie.|niemals|niemand|ohne|leider|weder|nee.|no.',
  interest: 'interess|neugierig|gespannt|spannend|begeistert|ansprechend',
  like: 'klingt|hort sich|gut.|super|toll|perfekt|passt gut|passen.|passend|gefallt|genau das|prima|vielversprechend|ausgezeichnet|kommt wie gerufen|trifft sich|richtigen zeitpunkt|nutzlich|hilfreich|gute idee|genau richtig|uberzeug|was fur uns',
  want: 'gern|wurde mich|wurden wir|mochte|mochten|wollen|hatte.|hatten|freue mich|suchen.|auf der suche|sucht|offen fur|bin dabei|prufen|vergleichen|planen|haben bedarf|konnen wir brauchen|gut gebrauchen|wunsch|wahlen gerade|freue mich|wurde ich .{0,20}sehen|zu haben|wunscht sich',
  yes: 'ja.|klar.|naturlich|selbstverstandlich|sicher.|auf jeden fall|unbedingt|ok.|okay|einverstanden|warum nicht|immer her|absolut|jawohl',
  send: 'schick|send|zukommen|zusend|zuschick|ubermitt|mail mir|mailen|ansehen|anschauen|ansehe|schaue ich|sehe ich mir|erfahren|erzahlen|mehr dazu|mehr daruber|lassen sie mir|stellen sie uns|zeigen',
  material:
    'info|unterlage|details|broschure|prasentation|katalog|dokument|material|referenz|muster|probe|beispiel|prospekt|portfolio|pdf|test|analyse|konditionen|vertrag~schick|flyer|checkliste|naheres|nahere',
  offer: 'angebot|offert|kostenvoranschlag|vorschlag|anbieten',
  price:
    'preis|kost|tarif|gebuhr|stundensatz|teuer|netto|brutto|monatlich|pro monat|abo.|abrechn|rechnen sie',
  need: 'bedarf|brauch|benotig|notwendig|verwendung|nutzen.|mehrwert|sinn|lohnt|profitier|erforderlich|notig|anforderung|bedurf',
  have: 'haben.|habe.|hat.|nutzen|verwenden|arbeiten|arbeite',
  already:
    'bereits|schon|seit jahren|seit langem|bisherig|bestehend|aktuellen anbieter|langjahrig|kurzlich|gerade erst',
  supplier:
    'anbieter|lieferant|dienstleister|agentur|partner|jemand|steuerberater|losung|system|rahmenvertrag|extern|konkurrenz|mitbewerber|anderen',
  content:
    'zufrieden|versorgt|gut aufgestellt|bestens|gut aufgehoben|gut bedient|abgedeckt|ausreichend|eingedeckt|alles was wir|haben alles|fest gebunden|glucklich|gut betreut|bleiben bei|bestens versorgt|ausgestattet|gut beraten|komplett ausgestattet|verlasslichen partner|abgedeckt',
  own: 'selbst.|selber|intern.|inhouse|eigene|eigenes team|hausintern|in eigenregie|im haus|allein gemacht|selbst etwas',
  fit: 'passt nicht|passt.|passen.|relevant|geeignet|entspricht|in frage|infrage|fur uns|nichts fur|unser geschaft|zu uns|betrifft|sortiment|konzept|ins portfolio|was wir suchen|thema fur uns|zutreffend|branche|backerei',
  switch:
    'wechsel|andern|umsteigen|tauschen|anders entschieden|anderen anbieter|andere losung|fur einen anderen|entschieden',
  refuse:
    'absage|absag|ablehn|lehne|lehnen|verzicht|nein danke|kein interesse|kein bedarf|nicht interess|nicht benotig|brauchen wir nicht|brauche ich nicht|nicht weiter verfolg|uninteress|viel erfolg|sehen wir ab|absehen|nicht in frage|kommt nicht|ausgeschlossen|nichts fur uns|kein thema|erubrigt|nicht relevant|keinen bedarf|keine verwendung|kein gebrauch|keinen gebrauch|alles gute|nicht gewunscht|keinerlei|nehmen ihr angebot nicht|arbeiten lieber|keine notwendigkeit|nicht nutzen|nichts fur mich|klares nein|nie einsetzen|rausgeschmissen|kaufen keine|nicht auf der agenda|nichts dergleichen',
  start:
    'starten|legen wir los|loslegen|beginn|nachste|geht es weiter|weitermachen|machen wir|ausprobier|testen|testzugang|pilot|bestell|vertrag|unterschreib|anfangen|umsetzen|annehmen|nehmen wir|weiter vorgehen|beauftrag|buchen wir',
  later:
    'spater|zukunft|kunftig|irgendwann|ein andermal|bei bedarf|gegebenenfalls|wenn es soweit|noch nicht|zu fruh|noch zu|sobald|wenn wir|falls sich|mittelfristig|langfristig|vorerst|vorlaufig|erst einmal|perspektivisch|demnachst|zu gegebener zeit|fruhestens|erst im|erst ende|erst nach',
  period:
    'monat|woche.|wochen|jahr|quartal|fruhjahr|fruhling|sommer|herbst|winter|januar|februar|marz|april|mai.|juni|juli|august|september|oktober|november|dezember|ostern|weihnachten|ferien|urlaub|saison|halbjahr|20\\d\\d|feiertag|pfingsten',
  now: 'im moment|momentan|derzeit|aktuell|zurzeit|zur zeit|gerade|im augenblick|jetzt|dieses jahr|dieses quartal|augenblicklich|gegenwartig|heute|stand heute',
  again:
    'wieder|noch mal|nochmal|noch einmal|erneut|zuruckkomm|auf sie zu|auf mich zu|komme auf|kommen auf|wiedervorlage|erinner|nachfragen|nachfassen|aufgreifen|auf uns zu|zuruck',
  contact:
    'kontakt|wenden|melden|melde|schreiben sie|sprechen sie|fragen sie|ansprech|erreichen|adress|richten sie|versuchen sie|an herrn|an frau|an info|bitte an|direkt an|kontaktier',
  budget: 'budget|mittel.|geld|etat|finanz|ausgaben|eingefroren|gelder',
  busy: 'ausgelastet|kapazit|priorit|zeitpunkt|keine zeit|zeitlich|stress|uberlast|umzug|umbau|umstruktur|strukturieren|ressourcen|viel zu tun|in arbeit|hochsaison|eingespannt|beschaftigt|mitten in|baustellen|unterbesetzt|strategie|gestoppt|personal|fusionier|um die ohren',
  contract: 'vertrag|laufzeit|lauft noch|gebunden|verlanger|unterschrieben|lauft|bindung',
  wait: 'warten|warte.|bis.|verschieb|verschoben|vertag|danach|nach der|nach dem|nach den|zuruckgestellt|pausier|auf eis|aufgeschoben|abwarten|geduld|planung|zuruckstellen|vor dem neuen jahr|zu fruh|sacken',
  keep: 'behalte|behalten|notiert|vormerk|vorgemerkt|auf dem schirm|in kontakt|auf dem laufenden|im hinterkopf|ablage|merken|gespeichert|aufbewahr|hinterleg',
  talk: 'telefon|anruf|rufen sie|ruf.|gesprach|sprechen.|sprechen wir|termin|treffen|call|demo|videokonferenz|zoom|teams|besprech|austausch|austauschen|kennenlern|vorbei|kaffee|meeting|ruckruf|vorstellen|videocall|minuten|vor ort|personlich|unterhalten|live|durchrufen|vorfuhr',
  weekday:
    'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|nachste woche|nachster woche|kommende woche|kommenden woche|vormittag|nachmittag|ubermorgen|mittag|diese woche|halb',
  clock:
    '\\d{1,2} uhr|\\d{1,2}[:.]\\d\\d|uhr|um \\d|halbe stunde|viertelstunde|\\d\\.\\d|\\d{1,2}\\.|ab \\d',
  calendar:
    'kalender|termin|einladung|zeitfenster|verfugbar|wann.|uhrzeit|passt ihnen|passt mir|ihnen passen|zeit.|buchen|gebucht|vereinbar|frei.|slot|recht.|ginge|geht bei',
  colleague:
    'kolleg|chef|leiter|leitung|geschaftsfuhr|inhaber|vorgesetz|nachfolg|vertretung|assistent|sohn|tochter|geschaftspartner|vorstand|manager|eigentumer|vermieter|sekretar|prokurist|mitarbeiter|verantwortlich',
  department:
    'abteilung|einkauf|zentrale|personal|verwaltung|marketing|buchhaltung|konzern|muttergesellschaft|niederlassung|team.|vertrieb|it.|technik|logistik|stelle|bereich|hausverwaltung|hauptsitz|filiale|agentur|gemeinde|empfang|aus der technik|sammelpostfach',
  charge:
    'zustandig|verantwortlich|kummert|betreut|entscheid|ansprechpartner|leitet|macht das|macht jetzt|erledigt|befugnis|richtige person|richtige adresse|federfuhr|fallt in|liegt bei|bearbeitet|regelt|zustandigkeit|in der hand|gehort zu',
  wrong:
    'falsch|nicht der richtige|nicht die richtige|nicht zustandig|nichts zu tun|bin nur|nicht mein|jemand anderen|verwechs|irrtum|irren|nicht ich|an der falschen|nicht mich|andere .{0,20}gmbh|nicht eingebunden',
  passedOn:
    'weitergeleitet|leite|weiterleit|weitergegeben|gebe das|gebe ich|in kopie|kopie|cc.|in cc|verteiler|weitergereicht|verwiesen|ubergeben|setze|nehme meinen|nehme meine|gebe ihre|weiterzuleiten|weitergabe|hole |weitergereicht|meine kollegin gebeten|meinen kollegen gebeten',
  left: 'nicht mehr bei|nicht mehr im|nicht mehr fur|arbeitet nicht mehr|arbeite nicht mehr|verlassen|ruhestand|rente|ausgeschieden|gewechselt|arbeite dort nicht|pensioniert|gekundigt|nicht mehr da|nicht mehr tatig|funktion nicht mehr|nicht mehr beschaftigt|firma .{0,20}verkauft',
  somebody: 'herr.|herrn|frau.|er.|ihn.|ihm.|hr.|fr.|dr.|@|unter \\d',
  ask: 'was.|wie.|wo.|welch|wer.|warum|wieso|wann.|woher|worin|wozu|ab wann|womit|wofur|frage|ruckfrage|verstehe|erklar|wissen.|unter .~verstehen|wieviel|weshalb',
  youDo:
    'haben sie|sind sie|bieten sie|konnen sie|gibt es|ist das|ist der|ist die|lasst sich|kann man|arbeiten sie|liefern sie|funktioniert|geht das|braucht man|machen sie|ihr produkt|ihre software|kommen sie|wird das|werden|darf ich',
  thanks: 'dank|merci|verbindlich|nett',
  but: 'aber|jedoch|allerdings|sondern|nur.|dennoch|trotzdem|doch',
  we: 'wir.|uns.|unser|firma|unternehmen|betrieb',
  me: 'ich.|mich.|mir.|mein',
};
