import type { Vocabulary } from './concepts.ts';

export const polish: Vocabulary = {
  words:
    'i|w|na|z|do|nie|sie|jest|to|ze|o|dla|za|po|czy|jak|prosze|dziekuje|mamy|jestem|jestesmy|pan|pani|panstwo|pana|ale|tak|nas|nam|mi|od|co|moze|juz|dzien|dobry|pozdrawiam|tego|tym',
  not: 'nie.|ani.|nigdy|nic.|zaden|bez.|niestety|brak|nikt|przykro',
  interest: 'zaintereso|interesuj|ciekaw|zaciekaw|interesow',
  like: 'brzmi|swietn|dobry pomysl|podoba|spodobalo|doskonale|super|dokladnie|przyda|dobrze sie sklada|dobrym momencie|pasowac|idealn|przydac|przydalo|bardzo dobrze|przekonuj|fajn|rewelac|skorzystac.|brzmi jak|wyglada solidnie|przekonal|bolu glowy|tez sie podoba',
  want: 'chetnie|chcielib|chcialb|chcemy|chce.|z przyjemnoscia|poprosze|szukamy|szukam|otwarci|porownujemy|rozwazamy|czemu nie|czekam|wchodze|mamy potrzebe|taka potrzebe|mile widzian|wybieramy|zobaczyc oferte|bede wdziecz|bylibysmy gotowi|wziac udzial|od dawna o to prosi|dawaj',
  yes: 'tak.|oczywiscie|jasne|zgoda|ok.|jak najbardziej|pewnie|zdecydowanie|dzialajmy|rzeczywiscie|no to',
  send: 'wysla|przysla|przesla|podesla|prosze o|wyslij|dowiedziec|poznac|zapozna|rzuce okiem|przejrze|podac|pokazac|udostepn|otrzymac|opowied',
  material:
    'informac|info.|szczegol|folder|prezentac|katalog|referenc|przyklad|probk|materialy|portfolio|audyt|warunki|umowe|okres prob|pilotaz|pdf|broszur|dokument|wersj',
  offer: 'ofert|wycen|propozyc|kosztorys|proponuj',
  price:
    'cen.|cena|cene|ceny|cennik|koszt|ile.|stawk|abonament|netto|brutto|drog|miesiecznie|oplat|rozlicz|platn',
  need: 'potrzeb|zapotrzeb|pozytek|pozytku|korzy|sens|wymag|trzeba|niezbed|przydat',
  have: 'mamy|mam.|uzywamy|wspolpracujemy|korzystamy|posiada|dyspon|pracujemy',
  already: 'juz.|od lat|obecn|dotychczas|wlasnie przedluz|niedawno|od dawna|aktualny|stal',
  supplier:
    'dostawc|agencj|partner|kogos|ktos|ksiegow|system|rozwiazani|konkurenc|zewnetrzn|podwykonaw|inn|firm|lokalnymi firmami',
  content:
    'zadowol|zaopatrz|wszystko|zostajemy|swoich|zabezpieczeni|wystarcz|dobrze nam|obslugiw|w pelni wyposaz|zaufanego partnera|ogarniete|z tymi samymi',
  own: 'sami.|sam.|wewnetrznie|wlasn|we wlasnym|wewnatrz|samodziel|robilismy to sami|wlasne narzedzie|sami.',
  fit: 'pasuje|dotyczy|odpowiada|dla nas|nasza branza|profil|asortyment|szukamy|adekwat|miesci|zgodn|z nasza branza|piekarni|branza',
  switch: 'zmieni|inny dostaw|innego dostaw|wybrali|zdecydowali|wymien|rezygnowac z obecn',
  refuse:
    'odmow|odmawi|odrzuc|nie, dziek|nie dziek|dziekuje, ale|nie jestem zaintereso|nie jestesmy zaintereso|nie interesuje|nie potrzebuj|rezygnuj|nie skorzysta|brak zaintereso|brak zapotrzebo|powodzenia|nie dla nas|nie kontynuow|nie bedziemy|nie wchodzi w gre|pasuje,|nie szukamy|dajmy spokoj|sukces|nie planuj|nie trzeba|nie ma sensu|nie pasuje|nieaktualne|podziekuje|nie chcemy|nie dotyczy|nie przyjmujemy|wolimy pracowac|nie widzimy u nas|nie ma zwiazku|nie mamy tego w planach|nie dla mnie|z naszej strony nie|nigdy bysmy|wyrzucone pieniadze|nie kupujemy|zatrzymam',
  start:
    'zaczyn|zaczni|wdrozy|wyprobow|przetest|kroki|dalej|podpisz|zamow|przyjmujemy|zapis|pilotaz|dzialajmy|rozpocz|startuj|isc dalej|idziemy|nastepny krok|zaczac|rusza projekt|robimy to|co mam zrobic',
  later:
    'pozniej|przyszlosc|kiedys|innym razem|gdy przyjdzie|w razie|jesli bedzie|za wczesnie|jeszcze nie|na razie|potem|poki co|chwilowo|byc moze|po zakoncz|gdy bedzie|jak tylko|dopiero|docelowo|ewentual',
  period:
    'miesi|tydzien|tygodni|rok.|roku|kwartal|wiosn|lato|latem|jesien|zim|styczni|luty|lutym|marzec|marcu|marca|kwietni|maj.|maja|maju|czerwc|lipc|sierpni|wrzesni|pazdziernik|listopad|grudni|swieta|swiet|urlop|wakac|sezon|polrocz|pol roku|20\\d\\d|lat.',
  now: 'teraz|obecnie|aktualnie|w tej chwili|w tym momencie|na razie|w tym roku|w tym kwartale|poki co|chwilowo|dzis.|dzisiaj|na chwile obecna|na ten moment|w chwili obecnej',
  again:
    'ponownie|wroc|wroci|odezwac|odezw|przypomn|znow|jeszcze raz|powrot|sprobowac pod|napisac za|za kilka|za pare|pozniejszym',
  contact:
    'kontakt|zwroc|pisac|napisac|rozmawiac z|zapyta|pytac|skontakt|kierowac|skierow|sprobowac u|mowic z|zglos',
  budget: 'budzet|wydatk|pieni|srodk|zamroz|finans',
  busy: 'przeciaz|priorytet|dobry moment|mocy|zasob|przeprowadz|reorganiz|remont|sezon|zawalon|zajeci|zajety|czasu na|w trakcie|oblozen|nie damy rady|zapracow|brakuje nam ludzi|strategi|wstrzymane|wiecej ludzi|laczymy|pelne rece|stoi.',
  contract: 'umow|przedluz|podpisali|zwiazani|obowiazuje|wygasa',
  wait: 'poczeka|czekamy|do maja|do grudnia|odloz|odklad|przesun|po swiet|po zamkn|po inwent|zamroz|zamkniet|wstrzym|przeloz|az do|do konca|odroczo|po remoncie|poczekac|przed nowym rokiem|przedwczesn|dwa tygodnie|przemysle',
  keep: 'zachow|uwadze|w kontakcie|informowac|zapisal|pamiet|dac znac|dam znac|damy znac',
  talk: 'zadzwon|dzwon|rozmow|porozmaw|spotka|telefon|demo|wideorozm|zoom|teams|kawa|kawe|wizyt|prezentacj|zaprezentow|osobiscie|zdzwon|przekrec|uslyszenia|omowic|minut|call|na zywo|przyjechac|umow',
  weekday:
    'poniedzial|wtor|srod|czwart|piat|sobot|niedziel|jutro|przyszlym tygodniu|tym tygodniu|rano|po poludniu|poludnie|nastepnym tygodniu',
  clock: '\\d{1,2}:\\d\\d|o \\d|na \\d|od \\d|godzin|pol godziny|po \\d|o ktorej',
  calendar:
    'kalendarz|termin|zaproszenie|dostepn|pasuje|odpowiada panu|odpowiada panstwu|kiedy|wolne|wolny|jaki dzien|ktora godzin|zarezerw|umow|czas w|ma pan czas|przelozyc',
  colleague:
    'koleg|kolezan|szef|dyrektor|kierownik|prezes|wlasciciel|nastep|wspolnik|asystent|syn.|zastep|odpowiedzialn|przelozon|menedzer|manager',
  department:
    'dzial|central|zakup|kadr|administrac|ksiegowosc|spolk|it.|oddzial|grup|zarzad|urzed|zespol technicz|zespolem technicz|marketing|zarzadc|dyrekcj|biur|siedzib|recepcj|z techniki|z operacji|ogolnej skrzynki|nieruchomosci',
  charge:
    'zajmuje sie|odpowiada za|odpowiadam|decyd|decyz|wlasciwa osob|wlasciwą|odpowiednia osob|osoba kontakt|dzialka|kompetenc|upowazn|prowadzi|uprawnien|w gestii|osoba odpow|zajmuj|odpowiedzialn',
  wrong:
    'pomyl|niewlasciw|nie jestem wlasciw|zly kontakt|kogos innego|nic wspolnego|tylko ksieg|nie ta firma|to nie ja|to nie moj|nie moja|blad|bledn|zle trafil|nie mnie|innych .{0,20} synow|nie uczestnicze',
  passedOn:
    'przekaza|przekaze|przekazuj|do kopii|w kopii|przeslalem|przeslalam|dw.|dodaje|skierowal|kopii|przekierow|do wiadomosci|dolaczam|komu trzeba|poprosilem kolezanke|poprosilem koleg|poprosilam',
  left: 'nie pracuje|odszedl|odeszla|emerytur|zmienilem|zmienilam|juz nie pracuj|nie jest juz|opuscil|przeszedl|juz u nas|nie pelnie|funkcji|sprzedalem firme|sprzedalam firme|nie jest juz u nas',
  somebody: 'pan.|pana.|pani.|pania|on.|ona.|jej.|jego|@',
  ask: 'co.|jak.|gdzie|ktor|kto.|dlaczego|kiedy|ile.|skad|jaki|jaka|jakie|czym|pytanie|rozumiem|wyjasni|na czym|po co',
  youDo:
    'czy.|macie|oferujecie|jestescie|maja panstwo|moze pan|moze pani|dziala|obejmuje|mozna|wysylacie|robicie|moglby|moglaby|dajecie|jest.',
  thanks: 'dziek|milo|uprzejm|wdziecz',
  but: 'ale.|jednak|choc|natomiast|lecz|raczej|lepiej',
  we: 'my.|nas.|nam.|nasz|firm|mamy|jestesmy|spolk',
  me: 'ja.|mnie|mi.|moj|moja|mam.|jestem',
};
