/** Italian. */
import type { Phrases } from './phrases.ts';

export const italian: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:re: ?|r: ?)?(?:in )?ferie\\b|abbiamo ricevuto|grazie per (?:averci|il)|chiusura',
    '(?:risposta|messaggio|notifica) (?:automatic[oa]|di assenza)',
    'fuori (?:ufficio|sede)|assenza|assente\\b|(?:sono )?in ferie',
    'conferma di (?:ricezione|ricevimento)|abbiamo ricevuto',
    'chiusura (?:estiva|aziendale|uffici)|chiuso per ferie|avviso di assenza',
  ],
  away: [
    '^(?:\\S+ )?in (?:maternità|ferie|viaggio|malattia|congedo|trasferta) (?:fino|dal|sino)',
    '(?:uffici?o?|albergo|hotel|negozio|studio|azienda|ristorante|sede|laboratorio|bottega)\\b~(?:è|sono|sarà|saranno|resta|resterà|resteranno|rimarr\\w+) (?:\\w+ )?chius[oaie]',
    '(?:riapr\\w+|riapertura|chius[oaie] per)~',
    '(?:leggo|leggerò|controllo|consulto)~(?:posta|mail|e-?mail|messaggi)~(?:solo|saltuari|raramente|una volta|la sera)\\w*',
    '(?:solo|saltuari\\w*)~(?:legg|controll|consult)\\w*~(?:posta|mail)',
    "(?:sono|sarò|siamo|saremo)~(?:assente|assenti|in (?:ferie|trasferta|viaggio|malattia|maternità|congedo|vacanza)|fuori (?:sede|ufficio)|all'estero|irreperibil)\\w*",
    '(?:al mio|al nostro) (?:rientro|ritorno)|(?:risponder\\w+)~(?:a partire|dal|al mio|al rientro|quando)',
    '(?:sono|sarò|siamo|saremo|mi trovo|mi troverò|i nostri uffici (?:sono|saranno|' +
      "resteranno|rimarranno)|l'ufficio (?:è|sarà|rimarrà|resterà)|risulto)\\b~" +
      "(?:fuori (?:dall'|dal )?(?:ufficio|sede|mio ufficio)|in ferie|assent[ei]\\b|" +
      'in (?:vacanza|congedo|maternità|malattia|viaggio|trasferta|aspettativa|permesso)' +
      '|chius[oi]\\b|non (?:disponibil|raggiungibil|in ufficio|presente)|non (?:sono|' +
      'sarò) (?:disponibile|in ufficio))',
    'non (?:sono|sarò)~(?:in ufficio|disponibile|raggiungibile|presente)',
    '(?:rientr|torn)(?:o|erò|eremo|iamo)\\b~(?:il(?!\\p{L})|lunedì|martedì|mercoledì|' +
      'giovedì|venerdì|ufficio|giorno)',
    '(?:al|dopo il) mio rientro|(?:durante la|in) mia assenza',
    'accesso (?:limitato|saltuario)~(?:posta|e-?mail|mail)',
    '(?:non potrò|non avrò)~(?:leggere|rispondere|accesso|consultare|accedere)',
    '(?:risponderò|risponderemo)~(?:rientro|ritorno|possibile)',
    'uffic[io]+~(?:chius[oi])',
  ],
  left: [
    '(?:casella|indirizzo|account|mail)~(?:è|sarà|viene) (?:stat[ao] )?(?:dismess|disattivat|chius|soppress|eliminat)[ao]',
    '(?:messagg\\w+|e-?mail|mail|posta)~(?:cancellat|eliminat)[aei]~(?:senza|non)',
    'non (?:lavor|fa |è |collabor|ricopr)\\w*~più~|(?:casella|indirizzo|account)~non (?:è|viene|sarà)~(?:presidiat|monitorat|letto|letta|attiv|più|controllat|in uso)\\w*|ha lasciato~(?:azienda|società|incarico)',
    'non (?:lavora|lavoro|fa|faccio|è|sono|collabora|opera)\\b~più~(?:parte|' +
      "per(?!\\p{L})|presso|azienda|società|qui(?!\\p{L})|con noi|in forza|nell')",
    'non (?:lavora|lavoro|fa|collabora) più',
    "(?:ha|ho) lasciato~(?:azienda|società|incarico|gruppo|ditta|l'|la(?!\\p{L}))",
    'quest[ao] (?:indirizzo|casella|account|e-?mail|mail)~(?:non è (?:più|presidiat|' +
      'monitorat)|non più|disattivat|dismess)',
    '(?:il mio|suo) indirizzo~(?:è cambiato|cambia)|in pensione',
  ],
  received: [
    '(?:ticket|richiesta|segnalazione|pratica|messaggio)~(?:pres[ao] in carico|protocollat[ao]|apert[ao])',
    "tempo (?:medio )?di risposta[^.!?]{0,25}\\d|seguir\\w* (?:lo stato|l'avanzamento)",
    '(?:inoltrat|trasmess|girat)\\w*~(?:reparto|ufficio|collega|competente)|riceverà (?:una )?risposta',
    '(?:richiesta|segnalazione|messaggio|e-?mail|mail|domanda)~(?:è stat[ao]|è arrivat[ao]|ci è)~(?:registrat|pres[ao] in carico|ricevut|inoltrat|assegnat|giunt|arrivat)?\\w*',
    '(?:ti|la|le|vi) (?:risponder|ricontatter|contatter)\\w+~(?:prest|possibile|entro|ore|giorni|breve)\\w*',
    '(?:operator|incaricat|consulent|team|collaborator)\\w+~(?:ricontatter|contatter|risponder)\\w+',
    '(?:la|vi|ti) ringrazi\\w+ per aver(?:ci|mi)|grazie per aver(?:ci|mi) (?:scritto|contatt)|(?:numero|codice) (?:di )?(?:ticket|pratica|richiesta|segnalazione)|dal lunedì al (?:venerdì|sabato)',
    'abbiamo (?:ricevuto|preso in carico|registrato) (?:il|la|correttamente|' +
      'con successo)?~(?:messaggio|e-?mail|mail|richiesta|segnalazione|comunicazione)',
    '(?:la (?:sua|tua|vostra)|il (?:suo|tuo|vostro)) (?:richiesta|messaggio|e-?mail|' +
      'mail|segnalazione|ticket)\\b~(?:è stat[oa]|è pervenut|sarà|verrà|ha il numero)',
    '(?:numero|n\\.|codice)~(?:di |del )?(?:ticket|pratica|richiesta|segnalazione)',
    'ticket~(?:è stato|aperto|creato|registrato)',
    '(?:la (?:ricontatteremo|contatteremo)|(?:le|ti|vi) (?:risponderemo|' +
      'ricontatteremo)|il nostro (?:team|staff|servizio)|un (?:nostro )?(?:operatore|' +
      'consulente|addetto)|sarete ricontattat)\\b~(?:possibile|presto|breve|entro|' +
      'risponder|contatter|ricontatter)',
    'grazie per (?:averci|aver) (?:contattat|scritt)',
  ],
  automatic: [
    '(?:invio|avviso) automatico',
    '(?:messaggio|risposta|e-?mail)~automatic[oa]~|non rispond\\w+ a (?:questo|questa)',
    'quest[oa] è (?:un|una)~(?:messaggio|risposta|e-?mail|mail) (?:automatic|generat)' + '[oa]',
    '(?:messaggio|e-?mail|mail|risposta)~(?:generat|inviat)[oa]~automaticamente',
    '(?:si prega di |vi preghiamo di |la preghiamo di )?non rispondere a quest[oa]',
  ],
  stop: [
    'basta(?: spam| mail| grazie)?|cancella(?:temi|mi|zione)|disiscri(?:vetemi|vimi|zione)|toglietemi',
    'stop|basta(?: così| mail| e-?mail)*|cancella(?:mi|temi|tion|zione|rmi)?|mi cancelli|ci cancelli',
    'disiscri(?:vimi|vetemi|vermi|vere|zione)|rimuov(?:imi|etemi|ermi|ere)|rimozione',
    'toglie?(?:mi|temi|termi)|elimina(?:mi|temi|rmi)',
    'non (?:scrivetemi|scrivermi|contattatemi|contattarmi|mandatemi|inviatemi)' + '(?: più)?',
    '(?:niente|nessuna) (?:più )?(?:mail|e-?mail)|lasciatemi in pace',
    'cancellate i miei dati|smettetela',
    'non (?:mi )?interessa,? (?:cancellatemi|toglietemi)',
  ],
  optOut: [
    '(?:facci\\w+ in modo|fate in modo|assicur\\w+|provved\\w+)~(?:non|nulla|niente)~(?:più|altro|nulla)(?!\\p{L})',
    '(?:essere|venire|venga|sia) (?:cancellat|rimoss|tolt|eliminat|esclus)[oaie]|(?:vorrei|vorremmo|gradirei|preferirei|come)~(?:non ricevere|non essere|disiscriv|cancellarmi|uscire)\\w*',
    '(?:prego|chiedo|chiediamo|invito|diffido|preferi\\w*|preghiamo(?!~sollecit)|gradir\\w*|grat[oi])~(?:non|di non|cancell|rimuov|elimin|togli|smett|cess)\\w*~(?:scriv|contatt|invi|mand|riceve|disturb|mio|miei|nostr|indirizzo|dati|list|comunicazion|messagg|mail)\\w*',
    'non (?:autorizz|acconsent|ho (?:mai )?(?:autorizzato|dato|chiesto|richiesto))\\w*~(?:uso|utilizzo|mail|pubblicità|dati|consenso|invio|niente|nulla|indirizzo)?',
    '(?:cancell|elimin|rimuov|togli|tolga|escluda|bloccate|blocchi)\\w*~(?:nostr[oaie]|mi[oaei]|quest[oa]|il|i) (?:indirizzo|dominio|e-?mail|mail|contatt[oi]|dati|nominativo|azienda)',
    'non (?:voglio|vogliamo|desidero|desideriamo|intendo|gradisco) (?:più )?(?:ricever|altre|essere|vostre|mail|e-?mail|pubblicità|messaggi|sentir)\\w*',
    '(?:art(?:icolo|\\.)? ?(?:17|21))\\b~(?:gdpr|regolamento)|(?:opposizione|opposi|opponiamo)\\w*~(?:trattamento|marketing)',
    '(?:non (?:insist|disturb|importun)\\w+)|(?:ultim[oa]) (?:mail|messaggio|avviso)',
    '(?:non|nulla|niente)~(?:inviare|mandare|scrivere|spedire|inviarmi|contattare)~(?:più|nulla|niente|altro|questo indirizzo)',
    'basta~(?:mail|e-?mail|spam|messaggi|pubblicità)',
    '(?:togli|cancell|rimuov|elimin|disiscriv|leva|depenn)\\w*(?:mi|ci|temi|teci|termi)\\b',
    '(?:togli|cancell|rimuov|elimin|rimuova)\\w*~(?:mio|miei|mia|nostr[oaie])~(?:indirizzo|dati|mail|e-?mail|nominativo|contatto|contatti)?',
    '(?:non|mai)~(?:scriv|contatt|invi|mand|sped|disturb)\\w*~(?:più|ulteriori|altre|altro|mai)',
    'non (?:desider|vogli|vorrei|intend|gradi)\\w*~(?:riceve|essere contatt|mail|comunicazioni|pubblicità|più)\\w*',
    'smett\\w+~(?:mand|scriv|invi|spam|mail|contatt)\\w*',
    '(?:oppon|revoc|diffid|garante|segnaler|denunc)\\w*~(?:trattamento|consenso|privacy|dati|invi|spam)?',
    'lasciate?mi~(?:pace|stare)',
    '(?:cancell|rimuov|togli|elimin|tolg|depenn|esclud)\\w*(?:mi|temi|ci|re|ermi|' +
      'armi)?\\b~(?:list[ae]\\b|elenc|database|mailing|indirizz|\\bdati|contatti|' +
      'newsletter|archivi)',
    '(?:cancellatemi|rimuovetemi|toglietemi|eliminatemi|cancellami|rimuovimi|toglimi)',
    'non (?:scriv|contatt|invi|mand|disturb|importun)(?:ete|iate|ate|ere|are|i|iamo)' +
      '?(?:mi|ci|temi|atemi|etemi|ateci|eteci|armi|ermi|rmi|telo)\\w*',
    'non (?:mi|ci) (?:scriv|contatt|invi|mand|disturb)\\w+~(?:più(?!\\p{L})|' +
      'mai(?!\\p{L})|altre|ulteriori|mail|e-?mail)',
    '(?:non (?:desider|vogli|intend|gradis)\\w+)~(?:ricev|esser[e]? contattat|' +
      'messaggi|mail|e-?mail)',
    '(?:smett|cess)\\w+~(?:scriver|inviar|mandar|contattar|e-?mail|mail|spam|invio)' + '\\w*',
    '(?:disiscri|disdi)\\w+|diffid\\w+|(?:gdpr|privacy)~(?:cancell|rimuov|oppo)',
    "(?:diritto (?:all'oblio|di opposizione|alla cancellazione)|mi oppongo|revoco~" + 'consenso)',
    'cancell\\w+~(?:miei|nostri|tutti i)~dati',
    '(?:nessuna|niente|basta)~(?:mail|e-?mail|comunicazion|messaggi)\\w*',
    'segnal\\w+~(?:spam|garante)',
  ],
  personal: [
    'mi scriva pure|(?:ci|mi) (?:risent|richiam|scriv)\\p{L}+~(?:a |in |dopo )(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|autunno|primavera)',
    '(?:ma|per ora|al momento|adesso|oggi|attualmente|purtroppo),? (?:per ora |al momento )?(?:no|non)(?!\\p{L})(?! (?:sono|siamo|posso|in ufficio|lavoro|leggo))|ne parlo',
    '(?:mi|ci) interessa\\w*|(?:non )?(?:sono|siamo|sarei|saremmo) interessat[oaie]',
    '(?:mi|ci) (?:chiami|chiamate|chiama|telefoni|mandi|mandate|invii|inviate|invia|' +
      'manda|giri)\\b',
    'chiam(?:ami|atemi|ateci)|mand(?:ami|atemi|ateci)|invi(?:ami|atemi|ateci)',
    'meglio (?:per|al|via|una|sentirci)|per telefono|al telefono',
    '(?:può|potete|potrebbe|puoi|potreste) (?:inviar|mandar|chiamar|dir|girar|fornir)' + '\\w*',
    '(?:la vostra|vostro|la tua|la sua) (?:offerta|proposta|prodotto|soluzione)',
    '(?:prezz[oi]|preventivo|listino|costi|costo|catalogo|budget)\\b|quanto cost',
    '(?:incontro|call|riunione|appuntamento|chiamata|demo)\\b~(?:lunedì|martedì|' +
      'mercoledì|giovedì|venerdì|domani|settimana|prossim|alle)',
    '(?:lunedì|martedì|mercoledì|giovedì|venerdì|domani)~(?:va bene|per me|possibile|' +
      'andrebbe)',
    '(?:abbiamo|utilizziamo|lavoriamo|usiamo) già',
    'già (?:un|una)? ?(?:fornitore|partner|soluzione)',
    'non (?:è il momento|ci serve|abbiamo (?:bisogno|budget)|sono la persona|' + 'fa per noi)',
    'al momento non',
    '(?:ricontatt(?!er)|riscriv|sentiamoc|risentiamoc)\\w+~(?:a(?!\\p{L})|in(?!\\p{L})|' +
      'dopo|prossim|fra(?!\\p{L})|tra(?!\\p{L}))',
    "(?:ho|l'ho) (?:inoltrato|girato|letto)|dove ha preso|come (?:avete|ha) avuto",
  ],
  talk: [
    '(?:ho|abbiamo|vorrei|vorremmo|posso|possiamo|penso|credo|preferisco|preferirei|' +
      'devo|stiamo|sto)\\b',
    '(?:avete|potete|siete|offrite|può|fate)\\b',
    '(?:sì|si|no|grazie|perfetto|ok|certo|va bene|volentieri)\\b[,.!]|purtroppo',
    'il mio collega|in allegato',
  ],
  keeps: [
    'chiam(?:ami|atemi|ateci|i pure)|mi (?:chiami|chiamate|telefoni)',
    '(?:meglio|preferisco|solo|piuttosto)~(?:per(?!\\p{L})|al(?!\\p{L})|telefono|' +
      'mail|e-?mail|via(?!\\p{L})|chiam\\w*)',
    '(?:per|al|via) (?:telefono|e-?mail|mail|iscritto)',
    '(?:mail|e-?mail)~(?:va bene|meglio|preferibile)|interess\\w+',
    '(?:mand|invi)\\w+~(?:offerta|preventivo|listino|prezzi|dettagli|informazioni|' +
      'catalogo|proposta)',
    'quanto cost|volentieri|con piacere|appuntamento',
    '(?:ricontatt(?!er)|riscriv|risent)\\w+~(?:a(?!\\p{L})|in(?!\\p{L})|dopo|prossim|' +
      'fra(?!\\p{L})|tra(?!\\p{L}))',
  ],
  polite: [
    'no,?(?: grazie)?|non (?:mi interessa|sono interessat[oa])',
    '(?:ciao|salve|buongiorno|buonasera|gentile|egregio|spett\\.?le)(?: \\w+){0,3}',
    'per favore|per cortesia|prego|grazie(?: mille| in anticipo)?',
    '(?:cordiali |distinti )?saluti|cordialmente|subito|immediatamente',
  ],
  urgent: [
    'urgen|in caso|per (?:qualsiasi|qualunque|ogni|richieste|emergenz)',
    'se (?:avete|la|hai|ha|il|è)|nel frattempo|durante|in mia assenza',
  ],
};
