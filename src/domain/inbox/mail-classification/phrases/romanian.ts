/** Romanian. */
import type { Phrases } from './phrases.ts';

export const romanian: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:răspuns|mesaj) automat|în afara biroului',
    '(?:sunt )?(?:în|plecat(?:ă)? în) concediu|concediu|absen[tț]|lipsesc',
    'confirmare (?:de )?primire|am primit (?:mesajul|solicitarea|e-?mailul)',
    'plecat din birou|nu sunt (?:la|în) birou',
  ],
  away: [
    '(?:lipsesc|sunt plecat[ăa]?|voi lipsi)~(?:din|până|pana|de la birou)',
    '(?:răspund|voi răspunde)~(?:întârziere|întoarc|revin)\\w*|(?:delegație|deplasare|concediu)',
    '(?:birou|magazin|firm|cabinet|atelier|sediu)\\w*~(?:închis|nu lucr)\\w*',
    '(?:concediu|delegație|deplasare)~(?:până|de la|în perioada)',
    '(?:sunt|voi fi|suntem|vom fi|mă aflu|biroul (?:este|va fi)|birourile|momentan|' +
      'în prezent)\\b~(?:în (?:\\w+ )?(?:concediu|vacanță|deplasare|delegație)|plecat|' +
      'absent|în afara (?:biroului|țării)|indisponibil|închis|nu (?:sunt|voi fi))',
    'nu (?:sunt|voi fi|mă aflu)~(?:la birou|în birou|disponibil|la serviciu)',
    '(?:revin|mă întorc|voi reveni|mă voi întoarce|revenim)\\b~(?:pe(?!\\p{L})|' +
      'la(?!\\p{L})|în(?!\\p{L})|din(?!\\p{L})|data|luni|marți|miercuri|joi(?!\\p{L})|' +
      'vineri|birou)',
    '(?:la|după) (?:întoarcere|revenire|întoarcerea mea|revenirea mea)',
    '(?:în|pe perioada|pe durata) (?:absenței|absența|concediului)',
    'acces (?:limitat|restricționat)~(?:e-?mail|mail|poșt)',
    '(?:nu voi (?:avea|putea))~(?:acces|răspund|citi|verifica)',
    'voi răspunde~(?:întorc|întoarcere|revin|reven)|birou\\w*~închis',
  ],
  left: [
    '(?:căsuța|adresa|contul)\\b~(?:a fost|este|va fi) (?:desființat|închis|dezactivat|ștears)\\w*',
    '(?:șterse|sterse) fără',
    'nu mai (?:lucr|fac|face|activ|este angajat|este|colabor)\\w*~(?:compani|firmă|' +
      'firma|la(?!\\p{L})|parte|aici|în cadrul|noi(?!\\p{L})|cu noi)',
    '(?:a|am) (?:părăsit|plecat din|încetat)~(?:compani|firm|colabor|organizați|' + 'activitat)',
    '(?:această|acest|aceasta) (?:adresă|cont|căsuță|adresa)~(?:nu (?:mai )?(?:este|' +
      'e)|dezactivat)',
    's-a pensionat|adresa mea~schimbat',
  ],
  received: [
    '(?:tichet|solicitare|cerere|mesaj)\\p{L}*~(?:preluat|înregistrat|deschis|creat)\\p{L}*',
    'timp\\p{L}* (?:mediu|estimat) de răspuns[^.!?]{0,25}\\d',
    '(?:am primit|am înregistrat|am recepționat)~(?:mesajul|solicitarea|e-?mailul|' +
      'cererea|sesizarea)',
    '(?:mesajul|solicitarea|cererea|e-?mailul|sesizarea) (?:dumneavoastră|dvs\\.?|ta|' +
      'tău|dumneavoastra)?~(?:a fost|este|va fi)~(?:primit|înregistrat|recepționat|' +
      'preluat|în curs|alocat)',
    '(?:numărul|nr\\.?)~(?:tichet|solicitar|cerer|înregistrare|ticket)',
    'tichet\\w*~(?:a fost|creat|deschis|nr(?!\\p{L})|#)',
    '(?:vă vom (?:răspunde|contacta)|echipa noastră|un (?:coleg|operator|consultant)|' +
      'veți fi contactat|revenim)\\b~(?:curând|posibil|scurt|ore(?!\\p{L})|zile|' +
      'contacta|răspunde|lucrătoare)',
    '(?:vă mulțumim|mulțumim) (?:că ne-ați|pentru (?:mesaj|că ne|contact|e-?mail|' + 'solicitare))',
  ],
  automatic: [
    'acesta este un~(?:mesaj|răspuns|e-?mail) (?:automat|generat)',
    '(?:mesaj|e-?mail|răspuns)\\w*~(?:generat|trimis) automat',
    '(?:vă rugăm )?(?:să )?nu răspundeți (?:la acest|direct)',
  ],
  stop: [
    '(?:va |te )?(?:rog )?(?:sa )?ma (?:dezabonati|stergeti|scoateti)',
    'stop|dezabon(?:are|ați-mă|ează-mă|ez|eaza-ma|ati-ma)',
    '(?:vreau )?(?:să )?mă dezabonez|ștergeți[- ]mă|șterge[- ]mă|ștergeți datele mele',
    'scoateți[- ]mă(?: din listă| de pe listă)*|eliminați[- ]mă',
    'nu[- ]?(?:mi)? mai (?:trimiteți|scrieți|contactați)(?: mesaje| e-?mailuri|' +
      ' mailuri| nimic)*',
    'nu mă mai contactați|gata|ajunge|opriți(?:-vă)?|lăsați-mă în pace',
    'fără (?:e-?mailuri|mailuri|spam)|nu mă interesează,? (?:ștergeți|dezabonați)',
  ],
  optOut: [
    '(?:asigur|aveți grijă)\\p{L}*~(?:nu mai|nimic)(?!\\p{L})',
    '(?:vreau|doresc|aș dori|cum)~(?:să ies|să fiu (?:șters|scos|eliminat|radiat)|să mă dezabonez|mă dezabonez)\\w*',
    '(?:vă rog|va rog|solicit|cer|doresc|rog)~(?:să nu|sa nu|nu-mi|ștergere|stergere|dezabon|eliminar|eliminați|scoate|ștergeți|stergeti|radier)\\w*',
    'nu (?:mai )?(?:doresc|vreau|vrem|dorim|sunt de acord|accept)~(?:mail|e-?mail|mesaj|reclam|ofert|contact|primesc|primim|prelucr|spam)\\w*',
    'nu[- ](?:imi |ne |mi |mă |îmi )?-?(?:mi |ne )?mai (?:trimit|scri|contact|deranj|suna)\\w*',
    '(?:să )?mă (?:ștergeți|scoateți|eliminați|dezabonați|stergeti)',
    '(?:lasati|lăsați)[- ]?(?:mă|ne|ma) (?:în|in) pace',
    'nu (?:mai )?(?:vreau|doresc)~(?:mail|mesaj|ofert|reclam|spam|să primesc)\\w*',
    'nu (?:mi-)?am dat~acord\\w*',
    '(?:șterg|scoat|elimin|înlătur|dezabon|radi)\\w*[- ]?(?:mă|ne|-mi)?\\b~(?:list|' +
      'baz(?!\\p{L})|datele|adres|e-?mail|newsletter|contact|evidenț)',
    '(?:ștergeți|scoateți|eliminați|dezabonați|șterge|scoate|elimină)[- ]?(?:mă|ne)' + '\\b',
    '(?:să )?mă dezabon\\w*',
    'nu (?:îmi |ne |mi |mă |ne-)?-?(?:mai )?(?:trimit|scri|contact|deranj|expedi)' +
      '\\w*~(?:mai(?!\\p{L})|e-?mail|mail|mesaj|nimic|ofert|niciodată|vă rog|[.!]|$)',
    'nu (?:mai |îmi )?(?:doresc|vreau|dorim|vrem|sunt de acord)~(?:să (?:primesc|mai|' +
      'primim|fiu|mă)|mesaje|e-?mail|mail|contact|spam|prelucr)\\w*',
    '(?:încet|opri|termin)\\w*~(?:cu|să|trimit|mesaj|e-?mail|spam|contact)\\w*|gdpr',
    '(?:ștergerea|ștergeți|ștergere)~(?:datelor|datele)|mă opun',
    'retrag~(?:consimț|acord)\\w*|(?:raport|reclam|sesiz)\\w*~(?:spam|anspdcp)',
    'nu mai doresc|somați\\w+',
  ],
  personal: [
    '(?:mă|ne) interesează|(?:nu )?(?:sunt|suntem) interesa[tț]\\w*|interesant',
    'sună (?:bine|interesant)|sun(?:ați|ă)[- ]?(?:mă|ne)',
    '(?:mai bine|prefer|mai degrabă)~(?:telefon|sun(?!\\p{L})|e-?mail|mail)',
    '(?:trimite|trimiteți)[- ]?(?:mi|ne|ți-mi)~',
    '(?:puteți|ați putea|poți|ai putea)~(?:trimite|suna|spune|oferi|detalia|explica)',
    '(?:oferta|propunerea|soluția|produsul|serviciile) (?:dvs|dumneavoastră|voastră|' + 'ta)',
    '(?:ofertă de preț|preț(?:ul|uri|urile)?|cost\\w*|tarif\\w*|buget\\w*|' + 'catalog\\w*)\\b',
    'cât (?:costă|ar costa|este)',
    '(?:întâlnire|discuție|apel|ședință|call|demo)\\b~(?:luni|marți|miercuri|' +
      'joi(?!\\p{L})|vineri|mâine|săptămân|ora(?!\\p{L}))',
    '(?:luni|marți|miercuri|joi|vineri|mâine)~(?:e ok|este ok|îmi convine|' +
      'pot(?!\\p{L})|putem|la ora|merge)',
    '(?:avem|folosim|lucrăm|colaborăm) deja|deja (?:avem|folosim|lucrăm)',
    '(?:nu avem (?:nevoie|buget)|nu este momentul|nu avem)',
    '(?:momentan|deocamdată|acum) nu\\b(?! (?:sunt|mă aflu|voi))',
    '(?:reveniți|contactați|scrieți)[- ]?(?:mă|ne|mi)?~(?:în(?!\\p{L})|peste|după|' +
      'anul|luna|toamn|primăvar|la anul)',
    'am (?:transmis|redirecționat|vorbit|citit)|de unde (?:aveți|ați)',
  ],
  talk: [
    '(?:am|avem|pot|putem|cred|vreau|dorim|aș|am vrea|mi-ar|sunt|suntem|caut)\\b',
    '(?:aveți|puteți|oferiți|care|când|cum|ce)\\b',
    '(?:da|nu|mulțumesc|perfect|ok|sigur|bine)\\b[,.!]|din păcate|colegul|colega',
    'atașat',
  ],
  keeps: [
    'sun(?:ați|ă)[- ]?(?:mă|ne)',
    '(?:mai bine|prefer|doar|mai degrabă)~(?:telefon\\w*|sun\\w*|e-?mail\\w*|' + 'mail\\w*)',
    'telefonic|(?:e-?mailul|mailul)~(?:mai bine|e ok)|interes(?:at|ant|ează)\\w*',
    'trimite\\w*[- ]?(?:mi|ne)?~(?:ofert|preț|detalii|informați|catalog)\\w*',
    'cât costă|cu plăcere|întâlnire',
    '(?:reveniți|contactați|scrieți)\\w*~(?:în(?!\\p{L})|peste|după|anul|luna)',
  ],
  polite: [
    '(?:bună(?: ziua| seara| dimineața)?|salut|stimat[ăe]?|dragă)(?: \\w+){0,3}',
    'vă rog(?: frumos)?|te rog|rog|mulțumesc|mulțumim|cu stimă|cu respect|o zi bună',
    'imediat',
  ],
  urgent: [
    'urgen|în caz|pentru (?:orice|urgențe|întrebări|probleme)|dacă|între timp',
    'pe perioada|în absența',
  ],
};
