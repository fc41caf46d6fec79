/** Czech and Slovak, which differ in few letters once accents are gone. */
import type { Phrases } from './phrases.ts';

export const czech: Phrases = {
  isSpaced: true,
  subjects: [
    'automatick(?:á|a|é|e) (?:odpověď|odpoveď|zpráva|správa)|mimo kancelář|mimo kancelárie',
    '(?:na )?dovolen(?:á|é|ka|ke)|nepřítomnost|neprítomnosť|potvrzení|potvrdenie (?:o )?prij',
    'vaš(?:e|a) (?:zpráva|správa|žádost|žiadosť)|děkujeme za|ďakujeme za',
  ],
  away: [
    '(?:máme|je|bude|budeme mať|budeme mít) (?:zavřeno|zatvorené|zavreté|zavřená|zatvorená)',
    '(?:na e-?maily|na zprávy|na správy)~(?:odpovíd|odpoved)\\w*|se zpožděním|s oneskorením|(?:jsem|som)~(?:na školení|na konferenci|na veletrhu|na konferencii)',
    '(?:jsem|jsme|budu|budeme|som|sme|budem|budeme|nejsem|nie som)\\b~(?:na (?:dovolené|dovolenke|' +
      'mateřské|materskej|rodičovské|služební cestě|služobnej ceste|nemocenské|pn(?!\\p{L})|školení)|' +
      'mimo (?:kancelář|kancelárie|kancelárii)|nepřítom|neprítom|nemocn|chor(?:ý|á)|v kancelář|' +
      'v kancelár|k zastižení|k dispozici|k dispozícii|v zahraničí|dostupn)\\w*',
    '(?:kancelář|kancelária|obchod|prodejna|predajňa|ordinace|ordinácia|firma|provozovna|hotel|' +
      'restaurace)\\w*~(?:zavřen|zatvoren|uzavřen|uzavret|nepracuj)\\w*',
    '(?:vrátím se|vrátim sa|vracím se|zpět|späť|opět|opäť)~(?:v (?:pondělí|pondelok|kancelář)|' +
      'dne|od|\\d|do práce|po návratu)',
    '(?:odpovím|odpoviem|ozvu se|ozvem sa|odpovíme)~(?:po (?:návratu|svém|svojom)|až|jakmile|hneď ako)',
    'po (?:mém |mojom )?návrate?|(?:omezen|obmedzen)\\w* přístup|obmedzen\\w* prístup',
    '(?:zastupuje|zastúpi|zastoupí) m[ěa]|v mé nepřítomnosti|počas mojej neprítomnosti',
    '(?:e-?maily?|poštu)~(?:nečtu|nečítam|čtu jen|čítam len)',
  ],
  left: [
    '(?:schránka|adresa|účet|konto)\\b~(?:byla?|bol[ao]?|je) (?:zrušen|uzavřen|uzatvoren|deaktivovan|zrušená)\\w*',
    '(?:mažou|mažú|smazány|vymazané) bez',
    '(?:už|již|uz)~(?:nepracuje|nepracuji|nepracujem|nepůsobí|nepôsobí|není zaměstnan|nie je zamestnan)\\w*',
    '(?:odešel|odešla|odišiel|odišla)~(?:z|zo|do důchodu)(?!\\p{L})|ukončil\\w*~(?:pracovní|pracovný|poměr)',
    '(?:schránka|adresa|e-?mail)\\w*~(?:není|nie je|neni|již|už)~(?:sledov|použív|použív|aktivn|aktívn|kontrolov|čten)\\w*',
  ],
  received: [
    '(?:tiket|požadav\\p{L}+|žiadosť|hlášení|zpráva|správa)~(?:přijat|prijat|založen|zaevidov|zaregistrov)\\p{L}*',
    '(?:průměrná|priemerná|obvyklá) doba odpovědi[^.!?]{0,25}\\d|(?:stav|průběh)~sledovat',
    '(?:zprávu|správu|e-?mail|dotaz|žiadosť|žádost)~(?:sme prijali|jsme přijali|sme dostali|jsme dostali|jsme obdrželi|sme obdržali)',
    '(?:bude|budou) (?:vyřízen|vybaven|zpracován|spracovan)\\w*|(?:byla|bola|byl|bol) (?:přijata|prijatá|přijat|doručena)',
    '(?:vaš|vas|váš)\\w* (?:požadav|žádost|žiados|zpráv|správ|e-?mail|dotaz|podnět|podnet)\\w*~' +
      '(?:byl|bol|jsme|sme)~(?:přijat|prijat|zaevidov|obdrž|zaregistr|doručen|předán|dostali)\\w*',
    '(?:obdrželi|přijali|dostali|prijali) jsme|(?:obdržali|prijali|dostali) sme',
    '(?:odpovíme|odpovieme|ozveme|budeme vás kontaktovat|budeme vás kontaktovať)~(?:co nejdříve|' +
      'čo najskôr|brzy|hodin|dn[ůuí]|pracovn|nejpozději|vám)',
    '(?:pod číslem|pod číslom|číslo (?:požadavku|tiketu|žádosti|požiadavky))',
    '(?:děkujeme|ďakujeme) za (?:zprávu|správu|váš|vaši|vašu|dotaz|zájem|záujem|e-?mail)',
  ],
  automatic: [
    '(?:toto|tato|tento|táto)~automatick\\w*|automaticky (?:vygener|odesl|odosl)\\w*|' +
      '(?:neodpovídejte|neodpovedajte) na t',
  ],
  stop: [
    'stop|odhl[aá]sit|odhl[aá]siť|odhlaste (?:mě|mne|ma)?|odhláste (?:ma|nás)?|už (?:mi )?nepište|' +
      'už (?:mi )?nepíšte|nekontaktujte (?:mě|mne|ma|nás)|nepište(?: mi)?(?: už)?|dost|dosť|vymazat|vymazať',
  ],
  optOut: [
    '(?:zařiď|zajist|postar|zabezpeč)\\p{L}*~(?:nic|žádn)\\p{L}*~(?:nechod|nepřich|neprich|neposíl)\\p{L}*',
    '(?:chci|chceme|chcem|rád|jak|ako)~(?:se |sa )?(?:odhlásit|odhlásiť|odhlásím|zrušit odběr|zrušiť odber)',
    'ne(?:souhlas|súhlas)\\w*~(?:zpracov|spracov|zasíl|zasiel)\\w*|(?:prosím|žádám|žiadam|prosíme)~(?:výmaz|vymazání|vymazanie|odstranění|odstránenie|vyřazení|vyradenie|odhlášení|odhlásenie|nezasíl|neposíl|neposiel|nekontakt|vyřadit|vyradiť|vymazat|vymazať|smazat)\\w*',
    '(?:už|uz|více|viac|znovu|nikdy|dále|ďalej)~(?:nepiš|nepíš|neposíl|neposiel|nezasíl|nezasiel|nekontakt|neotravuj|neobtěžuj|nechci|nechcem)\\w*|ne(?:pište|píšte|posílejte|posielajte|kontaktujte)~(?:už|uz|více|viac|nikdy|mi|nám|mě|ma|nás)(?!\\p{L})',
    '(?:vymaž|smaž|vyřaď|vyraď|odstraň|odhla[sš]|odhlá[sš]|vyškrtn|zmaž)\\w*~(?:mě|mne|ma(?!\\p{L})|nás|' +
      'můj|môj|moje|moji|moju|mou|mé|naši|našu|adres|databáz|seznam|zoznam|údaj|e-?mail)\\w*',
    '(?:odstranění|odstránenie|vymazání|vymazanie|výmaz|odhlášení|odhlásenie|smazání)~(?:mé|mej|mojej|mých|' +
      'mojich|adres|údaj|databáz|seznam|zoznam|osobní|osobných)\\w*',
    '(?:nepište|nepíšte|neposílejte|neposielajte|nezasílejte|nezasielajte|nekontaktujte|neobtěžujte|' +
      'neoslovujte)~(?:mi|mě|mne|ma|nám|nás|už|další|ďalšie|víc|viac|prosím|$|[.!])(?!\\p{L})',
    '(?:nepřej|neprej|nežel|nechc|nemám zájem)\\w*~(?:dost[aá]v|dost[aá]t|další|ďalšie|e-?mail|nabíd|ponuk|' +
      'kontakt|zprávy|správy|zasíl|zasiel|newsletter)\\w*',
    '(?:přesta|presta|skonč)\\w*~(?:posíl|posiel|psát|písať|spam|zasíl|zasiel|obtěž|otrav)\\w*',
    '(?:odvolávám|odvolávam|nedal|nedala|neudělil)~souhlas\\w*|(?:súhlas)~(?:nedal|odvol)\\w*|dejte mi pokoj|' +
      'dajte mi pokoj|(?:stížnost|sťažnosť)~(?:úřad|úrad|spam)',
  ],
  personal: [
    '(?:nemám|nemáme|máme|mám) (?:zájem|záujem)|(?:zavolejte|zavolajte|pošlete|pošlite|napište|napíšte)\\w*',
    '(?:kolik|koľko)~(?:stojí|bude|by)|(?:cena|cenu|ceny|ceník|cenník|nabídk|ponuk|rozpočet)\\w*',
    '(?:pondělí|pondelok|úterý|utorok|středu|stredu|čtvrtek|štvrtok|pátek|piatok|zítra|zajtra)~' +
      '(?:hodí|vyhov|může|môže|ok|v \\d)\\w*',
    '(?:už|již) (?:máme|mám|spolupracujeme|používáme|používame)|(?:obraťte|obráťte) se? na',
    '(?:ozvěte|ozvite)\\w*|m(?:ů|ô)žete(?! (?:\\p{L}+ )?(?:sledov|zjist|zist|najít|nájsť))|mohl byste|mohli by ste|zní to|znie to|zaujal',
  ],
  talk: [
    '(?:my|já|ja|máme|mám|chci|chcem|potřebuj|potrebuj|můžu|môžem|děkuji|ďakujem|ano|áno|ne|nie)\\b',
  ],
  keeps: [
    '(?:zavolejte|zavolajte)|(?:raději|radšej|lépe|lepšie)~(?:napište|napíšte|zavol|e-?mail|telefon)\\w*',
    '(?:pošlete|pošlite)~(?:nabíd|ponuk|cen|info|katalog)\\w*|kolik~stojí|koľko~stojí|(?:ozvěte|ozvite)\\w*~' +
      '(?:na |v |za |příšt|budúc)',
    'zaujal|mám zájem|máme zájem|mám záujem|máme záujem',
  ],
  polite: [
    'dobrý (?:den|deň)(?: \\w+){0,2}|ahoj|prosím|děkuji|děkujeme|ďakujem|díky|vďaka|s pozdravem|s pozdravom|' +
      'ne|nie|nemám zájem|nemám záujem|ihned|ihneď',
  ],
  urgent: ['naléhav|nalieh|súrn|urgent|v případě|v prípade|pokud|ak (?:potreb|je|ide)'],
};
