/** Polish. */
import type { Phrases } from './phrases.ts';

export const polish: Phrases = {
  isSpaced: true,
  subjects: [
    'automatyczna odpowiedź|odpowiedź automatyczna|autoodpowiedź|autoresponder',
    'poza biurem|nieobecn|(?:na |jestem na )?urlop(?:ie)?\\b',
    'potwierdzenie (?:otrzymania|odbioru|przyjęcia)|otrzymaliśmy|zgłoszenie',
    'wiadomość automatyczna|nie ma mnie w biurze|już nie pracuj',
  ],
  away: [
    '(?:jestem|będę|przebywam)~(?:szkoleni|konferencj|targ|wyjeździe|podróży|spotkani|za granicą)\\w*|ograniczony dostęp',
    '(?:biuro|sklep|firma|sekretariat|zakład|gabinet|hotel|restauracja)\\b~(?:nieczynn|zamknięt|nie pracuj|będzie)\\w*',
    'nieczynn\\w+ (?:od|do|w)|(?:odpisz|odpowie|odezw)\\w*~po (?:powrocie|urlopie)',
    '(?:zwolnieniu lekarskim|urlopie|delegacji|l4)\\b~|(?:dostęp|dostępu)~(?:poczt|mail)\\w*',
    '(?:jestem|będę|przebywam|nie ma mnie|jesteśmy|będziemy|nie będzie mnie|' +
      'nasze biuro (?:jest|będzie)|biuro (?:jest|będzie)|obecnie|aktualnie)\\b~' +
      '(?:poza biurem|na (?:\\w+ )?(?:urlopie|zwolnieniu|delegacji|l4|wakacjach|' +
      'szkoleniu)|w (?:delegacji|podróży)|nieobecn|niedostępn|w (?:pracy|biurze)|' +
      'nieczynn|zamknięt|w delegacji|bez dostępu|na wyjeździe)',
    '(?:do|od)~(?:przebywam|jestem) (?:na|poza)',
    '(?:wracam|wrócę|będę (?:ponownie )?dostępn|powrót|powrócę|wracamy)\\w*~(?:dnia|' +
      'w(?!\\p{L})|do(?!\\p{L})|po(?!\\p{L})|od(?!\\p{L})|\\d)',
    '(?:po|zaraz po) (?:moim )?powrocie',
    '(?:podczas|w czasie|na czas|w trakcie) (?:mojej |mojego )?(?:nieobecności|' + 'urlopu)',
    '(?:ograniczon|brak|nie (?:mam|będę mia))\\w*~dostęp\\w*~(?:poczt|mail|e-?mail|' + 'skrzynk)',
    'odpowiem~(?:po powrocie|powrocie|jak najszybciej po)',
  ],
  left: [
    '(?:skrzynka|adres|konto)\\b~(?:została?|jest|będzie) (?:zlikwidowan|zamknięt|usunięt|wyłączon|dezaktywowan)\\w+',
    '(?:usuwane|kasowane) bez',
    '(?:skrzynka|adres|konto)~(?:nie jest|nie będzie|nieaktywn|zosta)\\w*|nie (?:pracuje|jest) już|już nie pracuje|(?:zakończył|odszedł|odeszła)\\w*~(?:pracę|współprac|firm)\\w*',
    '(?:już |)nie (?:pracuj|jest|współpracuj|jestem)\\w*~(?:już |)(?:w firmie|' +
      'w naszej|w spółce|pracownik|zatrudnion|u nas|dla|w \\w+|z nami)',
    '(?:zakończył|zakończyła|zakończyłem|zakończyłam)~(?:pracę|współpracę|' + 'zatrudnienie)',
    '(?:odszedł|odeszła|odszedłem)~(?:z firmy|ze spółki|na emeryturę|z pracy)',
    '(?:ten|ta) (?:adres|skrzynka|konto)~(?:nie jest|nieaktywn|nieużywan)',
    '(?:mój|zmieni)\\w*~adres~(?:uległ|zmieni)',
  ],
  received: [
    'średni czas (?:odpowiedzi|reakcji|realizacji)[^.!?]{0,25}\\d',
    'nadano numer|(?:sprawie|zgłoszeniu)~(?:nadano|numer|nr)|dziękujemy za (?:kontakt|wiadomość|zgłoszenie)',
    '(?:potwierdzam|potwierdzamy)~(?:wpłynięcie|otrzymanie|przyjęcie|odbiór)|(?:zgłoszenie|wiadomość|zapytanie|sprawa)~(?:został|przyjęt|zarejestr|otrzym|wpłynę)\\w*',
    '(?:odpowiemy|odpowiadamy|odpiszemy|skontaktujemy|odpowiedzi udzielamy)~(?:najszybciej|ciągu|możliwe|wkrótce|kolejności|godzin|dni|się)\\w*',
    '(?:rozpatrywan|obsługiwan)\\w*~kolejności|numer (?:zgłoszenia|sprawy)|od poniedziałku do (?:piątku|soboty)',
    '(?:otrzymaliśmy|potwierdzamy (?:otrzymanie|przyjęcie)|dotarła do nas|' +
      'zarejestrowaliśmy)~(?:państwa|twoją|twoje|pana|pani|wiadomość|zgłoszenie|' +
      'zapytanie|mail)',
    '(?:państwa|twoje|pana|pani|twoja) (?:wiadomość|zgłoszenie|zapytanie|e-?mail|' +
      'mail)\\b~(?:został|otrzyma|przyjęt|zarejestrow|dotarł|przekazan)\\w*',
    '(?:numer|nr) (?:zgłoszenia|sprawy|ticketu|referencyjny)',
    'zgłoszenie~(?:nr(?!\\p{L})|numer|#|o numerze)~(?:zostało|przyjęte|' +
      'zarejestrowane|utworzone)?',
    '(?:odpowiemy|skontaktujemy się|nasz (?:zespół|konsultant|pracownik)|' +
      'udzielimy odpowiedzi)\\b~(?:najszybciej|wkrótce|ciągu|możliwe|niebawem|godzin|' +
      'dni(?!\\p{L}))',
    'dziękujemy za (?:kontakt|wiadomość|zgłoszenie|przesłanie)~(?:odpowiemy|' +
      'skontaktuj|wkrótce|zgłoszenie|najszybciej)',
  ],
  automatic: [
    '(?:to jest|jest to|ta) (?:automatyczna|wiadomość|odpowiedź)~(?:odpowiedź|' +
      'automatyczn|wygenerowan)',
    'wiadomość (?:została )?(?:wygenerowana|wysłana) automatycznie',
    '(?:prosimy |proszę )?(?:o )?nie (?:odpowiadać|odpowiadanie) na (?:tę|ta|tego|' + 'niniejsz)',
  ],
  stop: [
    '(?:wypisz|wypiszcie|usuń|usuńcie|proszę wypisać|proszę usunąć)(?: mnie)?|rezygnuję|dość|wypis',
    'stop',
    '(?:proszę )?(?:mnie )?(?:wypisz|wypisać|wypiszcie|wypisanie|usuń|usunąć|usuńcie|' +
      'wykreślić|wyrejestruj)(?: mnie| nas)?(?: z listy)?',
    'rezygnuję',
    '(?:proszę )?o (?:usunięcie|wypisanie)(?: (?:z listy|z bazy|mnie z (?:listy|bazy)' + '))?',
    'nie (?:pisać|pisz|piszcie|wysyłać|wysyłaj)(?: więcej| do mnie| już)*',
    '(?:żadnych|bez|koniec) (?:więcej )?(?:maili|wiadomości|reklam)|dość|przestańcie',
    'przestań|dajcie (?:mi )?spokój|wypisuję się|anuluj|rezygnacja|proszę nie pisać',
  ],
  optOut: [
    '(?:dopiln|zadba|postara)\\p{L}+~(?:nic|żadn)\\p{L}*~(?:więcej|już|adres)',
    '(?:chcę|chciał\\w*|chcemy|jak)~(?:się wypisać|wypisać|zrezygnować|być usunięt\\w*|zostać usunięt\\w*)',
    '(?:proszę|prosimy|żądam|żądamy|wnoszę|wzywam)~(?:usunięci|usunąć|wykreśl|wypisa|zaprzestani|nieprzesyłani|niewysyłani|niekontaktowani|o brak|wstrzyman)\\w*',
    'nie (?:chc|życz|wyraż|zgadz|potrzebuj)\\w*~(?:maili|mejli|mail|wiadomości|reklam|ofert|spamu|kontakt|newsletter|korespondencj|przetwarz)\\w*',
    '(?:nie) (?:proszę )?(?:do mnie|do nas|mi|nam|więcej|już)~(?:pis|wysył|przysył|kontakt|mail)\\w*',
    '(?:zablokuj|usuń|usuńcie|skasuj|skreśl)\\w*~(?:naszą|nasz|mój|moje|domen|firm|adres|kontakt|mail)\\w*|(?:ostatni|ostatnia) (?:mail|wiadomość|raz)',
    'nie wyraz\\w+ zgody|bez mojej zgody|(?:art\\.?|artykuł\\w*) ?(?:17|21)\\b',
    '(?:zaprzestani|wstrzymani|usunięci|wykreśleni)\\w*~(?:wysył|przesył|ofert|adres|dan|list|baz)\\w*',
    'rezygnuję~|(?:usu[nń]|wypisz|wykreśl|skasuj)\\w*~(?:mnie|nas|mój|moje|moich|adres|dane|danych|bazy|listy)\\w*',
    'nie (?:życz|chc|wyraża|wyrazi|zgadza)\\w*~(?:mail|wiadomoś|kontakt|reklam|zgod|ofert|spam|otrzymyw|sobie|newsletter)\\w*',
    '(?:proszę|prosimy)~nie (?:\\S+ ){0,3}(?:pisać|kontaktować|wysyłać|przysyłać|mailować)(?!~(?:do niego|do niej))',
    '(?:przesta|zaprzesta|skończ)\\w*~(?:wysył|pisa|spam|przysył|mail|nęka)\\w*',
    '(?:nie|więcej)~(?:pisz|wysyłaj|przysyłaj|kontaktuj)\\w*~|sprzeciw\\w*~(?:przetwarz|marketing|dan)\\w*|(?:uodo|rodo)\\b',
    '(?:wypis|usu[nń]|wykreś|skreś|wyrejestr)\\w*\\b~(?:list|baz(?!\\p{L})|adres|' +
      'mnie|nas(?!\\p{L})|danych|dane|mail|subskry|newsletter)',
    'nie (?:życzę sobie|życzymy sobie|chcę|chcemy|wyrażam zgody|wyrażam|zgadzam się|' +
      'zamawiał\\w*)\\b~(?:otrzymyw|dostaw|wiadomości|mail|kontakt|korespond|ofert|' +
      'przetwarz|reklam)\\w*',
    '(?:proszę |prosimy )?(?:więcej |już |)nie (?:pisać|pisz|piszcie|wysyłać|' +
      'wysyłaj\\w*|kontaktować|kontaktuj\\w*|przesyłać|nękać|spamować)\\b(?! o)',
    '(?:przestań|przestańcie|zaprzestan|zaprzestać|proszę przestać|skończcie)\\w*~' +
      '(?:pisać|wysył|kontakt|spam|mail|przesył|nęka)\\w*',
    '(?:rodo|art\\.? ?17)\\b|prawo do bycia zapomnianym|(?:cofam|wycofuję)~zgod',
    'sprzeciw\\w*~(?:przetwarz|marketing|wobec)',
    '(?:usunięcie|usunąć|usunięcia|skasować)~(?:moich|nasz|moje|wszystkich|wszystkie)' + '~dan',
    'zgłosz\\w*~(?:spam|uodo|puodo)|(?:wezwanie do zaprzestania|wzywam do)',
  ],
  personal: [
    '(?:nie )?(?:jestem|jesteśmy|byłbym|bylibyśmy) zainteresowan',
    'interesuj(?:e|ące|ąca)|brzmi (?:dobrze|ciekawie|interesująco)',
    '(?:proszę |prosimy )?(?:o )?(?:zadzwoni|telefon\\b|dzwoni|oddzwoni|' +
      'kontakt telefoniczny)\\w*',
    '(?:lepiej|wolę|raczej) (?:telefon|mail|zadzwon)\\w*',
    '(?:proszę|prosimy|poproszę) (?:o |)(?:ofertę|przesł|wysł|cennik|więcej|' +
      'szczegóły|informac|podanie|podesł|kontakt (?:w|po|za))\\w*',
    '(?:państwa|wasza|pana|twoja|waszą) (?:oferta|ofertę|propozycja|propozycję|' +
      'rozwiązanie|produkt)',
    '(?:cen[aęy]|cennik|koszt|wycen|budżet)\\w*|ile (?:kosztuje|to|wynosi)',
    '(?:spotkani|rozmow|termin)\\w*~(?:poniedział|wtor|środ|czwart|piąt|jutro|' +
      'przyszł|tygodni|godz)',
    '(?:poniedział|wtor|środ|czwart|piąt|jutro)\\w*~(?:pasuje|może być|odpowiada|' +
      'ok(?!\\p{L}))',
    '(?:mamy|korzystamy|współpracujemy|używamy) już',
    'już (?:mamy|korzystamy|współpracujemy)',
    'nie (?:potrzebujemy|mamy (?:potrzeby|budżetu)|teraz|w tym roku|jestem (?:osobą|' +
      'odpowiedni))',
    'obecnie nie|na razie nie|(?:przekazał|przesłał|porozmawiam|sprawdz)\\w+|chętnie',
    '(?:czy|jak|kiedy) (?:możemy|mogą|możecie|może|macie|można)',
    'skąd (?:mają|macie|ma)|nie,? dziękuj',
  ],
  talk: [
    '(?:mam|mamy|mogę|możemy|myślę|potrzebuję|chciałbym|chciałabym|chcemy|chętnie|' +
      'szukamy|używamy|sprawdzę)\\b',
    '(?:czy|jaki|jakie|jak|kiedy|gdzie)\\b',
    '(?:tak|nie|dziękuję|ok|super|świetnie|dobrze)\\b[,.!]|niestety|kolega|koleżanka',
    'w załączniku',
  ],
  keeps: [
    '(?:proszę |prosimy )?(?:za|o|od)?dzwoni\\w*',
    '(?:lepiej|wolę|raczej|tylko)~(?:telefon\\w*|mail\\w*|zadzwon\\w*|mailowo|' + 'e-?mail\\w*)',
    'telefonicznie|mailowo|zainteresowan\\w*',
    '(?:proszę|prosimy|poproszę)~(?:ofertę|cennik|szczegół\\w*|informacj\\w*)',
    'ile kosztuje|chętnie|spotkani\\w*',
    '(?:odezwać|kontakt)~(?:w(?!\\p{L})|po(?!\\p{L})|za(?!\\p{L})|jesień|wiosn)',
    'brzmi (?:dobrze|ciekawie)',
  ],
  polite: [
    'nie,?(?: dziękuję)?|nie jestem zainteresowan[ya]',
    '(?:dzień dobry|cześć|witam|szanown[iay]\\w*|hej)(?: \\w+){0,2}|proszę',
    'bardzo proszę|prosimy|dziękuję|dzięki|z góry dziękuję',
    '(?:z )?(?:poważaniem|wyrazami szacunku)|pozdrawiam|natychmiast|teraz',
  ],
  urgent: [
    'piln|nagł|w (?:razie|przypadku|sprawach)|jeśli|jeżeli|w międzyczasie|podczas',
    'w czasie|zastęp',
  ],
};
