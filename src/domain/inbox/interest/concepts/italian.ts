import type { Vocabulary } from './concepts.ts';

export const italian: Vocabulary = {
  words:
    "il|lo|la|gli|le|di|che|e|in|un|una|per|con|non|si|mi|ci|del|della|al|alla|da|sono|siamo|abbiamo|grazie|ma|piu|questo|nostro|vostra|suo|buongiorno|saluti|e'|anche|se|come",
  not: 'non.|no.|nessun|niente|mai.|nulla|senza|purtroppo|ne.|neanche|nemmeno|mi spiace|mi dispiace|spiacent',
  interest: 'interess|curios|attenzione|incuriosit',
  like: 'perfetto|ottimo|bella idea|buona idea|mi piace|ci piace|piaciut|eccellente|utile|sembra|fa al caso|momento giusto|proprio quello|capita a proposito|comodo|fantastico|molto bene|convin|benissimo|beneficiare|convint|mi pare valido|pare valido|piace anche|sembra qualcosa|ci sta',
  want: 'volentieri|vorrei|vorremmo|con piacere|gradi|desider|cerchiamo|cercando|ricerca|aperti|valutando|confrontando|voglio|vogliamo|perche no|ci sto|piacerebbe|disponibili a|scegliendo|vedere l’offerta|sarei lieto|saremmo disponibili|chiede da tempo|partecipi|lieti',
  yes: "si.|certo|certamente|d'accordo|ok.|va bene|assolutamente|senz'altro|procediamo|in effetti|pure.",
  send: "invi|mand|giri.|inoltri|faccia avere|fatemi avere|mi dica|saperne|conoscere|ricevere|faccia.|mostri|un'occhiata|attesa|comunichi|attendo|trasmett|condivid",
  material:
    'informazion|info.|brochure|dettagl|document|presentazion|catalogo|referenz|esempio|campion|material|portfolio|analisi|condizion|contratto|prova|pilota|pdf|scheda',
  offer: 'offert|preventivo|propost|quotazion|proponete',
  price: 'prezz|cost|quanto|tariff|iva.|abbonamento|caro.|al mese|fatturate|pagamento|mensil',
  need: 'bisogno|necessit|serv|esigenz|utilit|uso.|senso|vantagg|occorre|richiest|farcene',
  have: 'abbiamo|ho.|usiamo|utilizz|lavoriamo|dispon',
  already: 'gia.|da anni|attual|appena|da tempo|di recente|consolidat|da poco',
  supplier:
    'fornitor|agenzia|partner|qualcuno|commercialista|sistema|soluzione|concorren|estern|azienda|altro|ditte locali|fornitore',
  content:
    'content|soddisfat|copert|a posto|tutto quello|restiamo con|ben servit|ci troviamo bene|sufficient|apposto|forniti|tutto cio|attrezzati|partner di fiducia|tutto gestito|con gli stessi|gestito',
  own: 'internamente|noi stessi|da soli|in casa|proprio|interno|in proprio|nostro personale|da soli|nostro strumento|sempre fatto',
  fit: 'fa per noi|rilevante|adatt|corrisponde|rientra|per noi|nostro mestiere|nostro business|cerchiamo|in linea|pertinent|al caso|riguarda|settore|panificio',
  switch: 'cambiare|cambio|altro fornitore|altra azienda|scelto|optato|deciso|sostituire',
  refuse:
    'declin|rifiut|no grazie|grazie ma no|non mi interessa|non ci interessa|non siamo interessat|non sono interessat|passo.|non procederemo|non fa per|esclus|buon lavoro|buona fortuna|non abbiamo bisogno|non ne abbiamo|non cerchiamo|non proseguire|in bocca al lupo|lasciamo stare|non serve|nessun interesse|nessuna esigenza|privo|non e quello|rinunci|non necessit|non accettiamo|preferiamo lavorare|non ci avvarremo|non ne vediamo la necessita|non c’entra con|non rientra nei|non e per me|un no|mai.{0,20}useremmo|non lo useremmo|soldi buttati|non compriamo|la fermo',
  start:
    'inizi|cominci|provare|prova|procedere|procediamo|passi|firm|andare avanti|andiamo avanti|ordinare|introdurre|accettiamo|iscriv|pilota|avviare|partire|attivare|prossimo passo|iniziare|parte un progetto|lo facciamo|cosa devo fare',
  later:
    "piu avanti|in futuro|futur|un giorno|un'altra volta|quando sara|in caso di|se ci serve|non ancora|e presto|troppo presto|dopo|poi.|quando finir|per ora|per il momento|al momento opportuno|per adesso|magari|prossimamente|piu in la|qualora|eventual",
  period:
    'mes|settiman|anno|trimestre|primavera|estate|autunno|inverno|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|ferie|natale|pasqua|feste|stagione|semestre|esercizio|20\\d\\d',
  now: "al momento|in questo momento|attualmente|per ora|adesso|ora.|quest'anno|questo trimestre|per il momento|oggi|in questo periodo|ad oggi",
  again:
    'ricontatt|di nuovo|nuovamente|riprend|riparl|risent|riscriv|richiam|ricord|riprov|ritorn|rivediam|risentiamoci|ci risentiamo',
  contact:
    'contatt|rivolg|scriv|parli con|parlare con|chieda|senta.|indirizz|si metta|provi con|faccia riferimento',
  budget: 'budget|spese|soldi|fondi|bloccat|finanz|denaro',
  busy: 'oberat|priorit|momento giusto|capacita|risorse|trasloco|riorganizz|lavori.|piena stagione|sommers|impegnat|carico|tempo per|ristruttur|pien|non e il momento|sotto organico|strategia|fermi|fermo|personale|fondendo|carne al fuoco',
  contract: 'contratto|rinnov|firmato|impegnati|scadenza|scade|vincolat',
  wait: 'aspett|fino a|rinvi|rimand|sospes|sospeso|dopo|attend|bloccat|chius|posticip|slitt|aspettare|anno nuovo|prematuro|quindici giorni|rifletto',
  keep: 'conserv|a mente|presenti|in contatto|aggiornat|informat|tengo|terremo|memo|ci tenga',
  talk: 'chiam|sentir|sentia|sentire|telefon|appuntamento|incontro|incontr|riunione|videochiamata|demo|parlarne|parliamone|caffe|zoom|teams|call|visita|passi a|di persona|ci vediamo|minuti|presentarlo|colloquio|conversa|meet|dal vivo',
  weekday:
    'lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|domani|prossima settimana|settimana prossima|questa settimana|pomeriggio|mattina|mattino|mezzogiorno',
  clock: "\\d{1,2}[:.]\\d\\d|alle \\d|ore \\d|mezz'ora|dalle \\d|il \\d{1,2}.|quarto d'ora",
  calendar:
    'calendario|agenda|slot|disponib|invito|va bene per|le andrebbe|data.|orari|quando.|liber|che ora|che giorno|prenot|fissiamo|le va|concord|comodo',
  colleague:
    'colleg|capo|direttor|responsabile|titolare|socio|sostitut|successor|assistente|figlio|amministratore|proprietar|referente|dirigente|superiore',
  department:
    'ufficio|sede|acquisti|direzione|risorse umane|amministrazione|contabilita|casa madre|informatica|filiale|reparto|gruppo|centrale|comune.|settore|agenzia|consiglio|area tecnica|reception|parte tecnica|operazioni|casella generale|immobili|nostra sede',
  charge:
    'se ne occupa|occup|responsabile di|gestisc|decid|decision|persona giusta|persona adatta|referente|competenza|segue|autorizzat|potere|mio settore|dipende|compete|interlocutore|in carico',
  wrong:
    "sbagliat|non sono il|non sono la|errat|altra persona|non c'entro|solo di|errore|non e di mia|non e il mio|non io|non sono io|persona sbagliata|qualcun altro|non io|altra .{0,20} figli|non partecipo",
  passedOn:
    'inoltrat|in copia|trasmess|girat|giro |passat|passo la|passo il|metto in|smistat|inoltro|aggiungo|chi di dovere|daro il messaggio|chiesto alla collega|chiesto al collega',
  left: 'non lavora piu|non lavoro piu|non fa piu|non faccio piu|lasciato|pensione|cambiato reparto|non e piu|non piu|andato via|non ricopro|ruolo|non e piu impiegat|venduto l’azienda|piu impiegat',
  somebody: 'signor|sig.|dott|lui.|lei.|@|ing.',
  ask: 'cosa|come.|quanto|quando.|dove|qual|chi.|perche|domanda|capit|spieg|intende|che.',
  youDo:
    "avete|siete|offrite|fate.|lavorate|puo.|potete|c'e|e un|include|funziona|si puo|si integra|e possibile|vostro|potrebbe|spedite|ci sono",
  thanks: 'grazie|ringrazi|gentil|cortes',
  but: 'ma.|tuttavia|pero|anche se|bensi|piuttosto|invece',
  we: 'noi.|ci.|nostr|azienda|siamo|abbiamo|lavoriamo',
  me: 'io.|mi.|mio.|mia.|sono|ho.|me.',
};
