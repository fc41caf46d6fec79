import type { Vocabulary } from './concepts.ts';

export const turkish: Vocabulary = {
  words:
    've|bir|bu|icin|ile|de|da|mi|mu|var|yok|degil|ama|tesekkurler|lutfen|biz|bize|ben|bana|size|sizin|daha|olarak|cok|ne|su|gibi|olur|merhaba|iyi|bey|hanim|zaten|evet|hayir|bizim|sonra|simdilik',
  not: 'degil|yok|hayir|hic|maalesef|ne yazik|uzgunum|asla|\\w+(?:miyor|muyor|mayaca|meyece|mayiz|meyiz|maz|mez|madi|medi|mayan|meyen|miyorum|amiyor|emiyor)|almayalim|istemiy|dusunmuy|olmaz|kalmadi|olmad|henuz',
  interest: 'ilgi|merak|ilginc|dikkat',
  like: 'kulaga|harika|guzel|super|begen|iyi fikir|tam zamani|tam ihtiyac|tam da|faydali|isimize yarar|uyabilir|mukemmel|iyi gorunu|cazip|olumlu|seve seve|etkilendi|hosuma|ikna|faydasi olacak|saglam gorun|ikna oldum|dertten kurtar|de begendi',
  want: 'isteriz|isterim|istiyor|istiyoruz|memnuniyetle|seve seve|ariyoruz|ariyorduk|acigiz|acik|degerlendiriyoruz|karsilastir|neden olmasin|ben varim|bekliyorum|rica ed|ihtiyacimiz var|isteriz|seciyoruz|gormek isterim|memnun olurum|icin variz|istiyor|katilin|variz',
  yes: 'evet|tabii|tabi|elbette|tamam|olur|kesinlikle|anlastik|ok.|peki|memnuniyetle|gercekten|uygundur',
  send: 'gonder|ilet.|iletin|iletir|yolla|paylas|bilgi al|ogrenmek|tanimak|anlatin|bakarim|goster|bildirin|atin|atar mi|detayli|inceler|mail at',
  material:
    'bilgi|brosur|detay|ayrinti|sunum|katalog|referans|ornek|numune|dokuman|belge|materyal|portfoy|analiz|sart|kosul|sozlesmeyi gonder|deneme|pilot|pdf|dosya',
  offer: 'teklif|oneri|fiyat ver|oneriyor',
  price:
    'fiyat|ucret|ne kadar|kac|kdv|abonelik|pahali|aylik|tuttu|maliyet|odeme|tek sefer|masraf|liste',
  need: 'ihtiyac|gerek|lazim|fayda|anlami|isimize|katacag|yarar|talep|geregi|sart',
  have: 'var.|sahibiz|kullaniyor|calisiyor|mevcut',
  already: 'zaten|yillardir|mevcut|halihaz|su anki|yeni yenile|kisa sure|hali hazir|uzun suredir',
  supplier:
    'tedarikci|ajans|firma|ortak|partner|biri.|birimiz|muhasebeci|sistem|cozum|rakip|dis.|disari|taseron|baska|yerel firma',
  content:
    'memnun|karsilan|her sey|boyle iyi|devam ediyoruz|yeterli|yetiyor|anlastigimiz|halletti|cozuldu|idare|tam donanim|guvendigimiz|hallettik|ayni kisilerle',
  own: 'kendimiz|kendi|icimizde|bunyemiz|kendim|iceride|sirket icinde|kendimiz yaptik|kendi aracimiz|hep kendimiz',
  fit: 'uygun degil|uymu|uygun|bize gore|alanimiz|isimiz degil|ilgilendir|aradigimiz|gamimiz|faaliyet|kapsam|bizim icin|sektor|firin',
  switch: 'degistir|baska bir tedarik|sectik|tercih ettik|gecmek|baska firma|karar verdik|anlastik',
  refuse:
    'reddet|hayir tesekkur|hayir, tesekkur|ilgilenmi|ilgimizi cekm|gerek yok|ihtiyacimiz yok|ihtiyac duymu|ihtiyacimiz bulunm|geri cevir|pas gec|istemi|dusunmuyo|kolay gelsin|basarilar|almayalim|devam etmeyec|etmemeyi|bize gore degil|uygun degil|aramiyoruz|soz konusu|birakalim|ilgi yok|ilgimiz yok|sag olun ama|yapmiyoruz|calismiyoruz|faydasini gorm|uymuyor|anlami yok|planlamiyo|vazgec|olumsuz|kabul etmiyoruz|calismayi tercih|yararlanmayac|gerek gormuyoruz|sektorumuzle ilgisi yok|planlarimizda yok|bana gore degil|net bir hayir|asla kullan|bosa para|satin almiyoruz|durdurayim|oneriyi kabul etm|onerinizi kabul etm',
  start:
    'basla|dene|adim|imzala|siparis|uygula|kabul ediyor|kaydedin|pilot|devam edelim|ilerle|gecelim|kurulum yap|satin al|sonraki adim|basla|projem basliyor|yapalim|ne yapmam gerek',
  later:
    'sonra|ileride|gelecek|ileriki|baska zaman|zamani gelince|gerekirse|ihtiyac olursa|henuz|erken|belki|simdilik|olursa|bitince|bir gun|oldugunda|ondan sonra|daha sonra|ilerleyen|su asamada|ihtiyac halinde',
  period:
    'ay.|ayin|ayda|ayi.|hafta|yil|ceyrek|bahar|yaz.|yazdan|sonbahar|kis.|ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|bayram|tatil|sezon|donem|sene|20\\d\\d|gelecek ay',
  now: 'su an|su anda|simdi|simdilik|su sira|bu yil|bu sene|bu ceyrek|su asama|bugun|su donem|halen|suan|gunumuz|su aralar',
  again:
    'tekrar|yeniden|hatirlat|bir daha|tekrardan|yine|donus|donecegiz|donerim|geri don|sonra yazin|sonra arayin|sonra ulas',
  contact:
    'iletisim|ulas|yazin|basvur|sorun|temas|gorusun|gorusebil|konusun|irtibat|danis|muhatap|yazabil|yonlen',
  budget: 'butce|harcama|para.|dondur|finans|kaynag|kaynak|odenek',
  busy: 'yogun|oncelig|oncelik|dogru zaman|kapasite|kaynag|tasinma|yapilan|tadilat|sezon|bas kaldir|basimi|mesgul|vakit|surecinde|zaman degil|musait degil|eleman eksig|strateji|durmus|durdu|personel|birlesiyoruz|basimiz kalabalik|bas.imiz',
  contract: 'sozlesme|yenile|imzaladik|anlasma|bagli|kontrat',
  wait: 'bekle|kadar|ertele|dondur|sonra|askiya|kapandi|beklet|otel|onay|bitince|geciktir|beklemek|beklemeyi|yeni yildan once|henuz erken|iki hafta sonra|dusuneyim|o zamana kadar',
  keep: 'sakl|aklimiz|haberdar|iletisimde kal|not al|bilgilendir|kayded|haber ver|kenarda|dosyam|temasta',
  talk: 'ara.|arayin|arar|telefon|gorus|gorusme|konus|toplanti|randevu|bulus|demo|zoom|teams|kahve|ziyaret|video|goruntulu|sunum|canli|yuz yuze|alo|cagri|dakika|gelip|ofisimize|buyurun|online|tanisma',
  weekday:
    'pazartesi|sali|carsamba|persembe|cuma|cumartesi|pazar.|yarin|gelecek hafta|onumuzdeki hafta|bu hafta|sabah|ogleden|ogle|haftaya',
  clock:
    "saat|\\d{1,2}[:.]\\d\\d|\\d{1,2}'(?:te|de|ten|den|e|a|ye|ya|si|i|u)|ayin \\d|yarim saat|\\d 'de|bucuk",
  calendar:
    'takvim|davet|musait|uygun mu|size uyar|bana uyar|ne zaman|hangi gun|hangi saat|bosum|randevu|tarih|ayarla|ayirt|planla|uyar.|kacta|link',
  colleague:
    'meslektas|patron|mudur|sef|amir|arkadas|sahib|halef|ortagim|asistan|oglum|direktor|yonetici|yerime|yerine|genel mudur',
  department:
    'departman|birim|satin alma|satinalma|merkez|insan kaynak|muhasebe|idare|sube|yonetim|bilgi islem|grup|ana sirket|belediye|teknik ekip|bolum|ik.|pazarlama|resepsiyon|teknikten|operasyon|genel kutu|emlak|merkez ofis',
  charge:
    'ilgilen|sorumlu|bakiyor|bakmi|karar|yetki|dogru kisi|muhatap|alanim|yurut|yapiyor|takip eden|kisi|yetkili|gorev',
  wrong:
    'yanlis|ben degil|baska birini|ilgim yok|sadece muhas|benim alanim|benim yetki|karistir|buna ben|kisi degil|ben sadece|ben degil|baska bir .{0,20}ogullari|katilmiyorum',
  passedOn:
    'ilettim|iletildi|iletecegim|cc|bilgiye|yonlendir|bilgide|aktardim|ekliyorum|kopya|paylastim|iletiyorum|ekliyorum|ilgilisine|istedim|direktorumuze verecegim',
  left: 'artik|ayrild|emekli|calismiyor|calismiyorum|sirkette degil|bolum degis|birakti|gorevden|gecti|gorevde degil|gorevli degil|sirketi .{0,20}sattim|sattim',
  somebody: 'bey|hanim|o ilgilen|onlara|@|bay.|sayin',
  ask: 'ne.|nasil|nerede|hangi|kim|neden|ne zaman|kac|nereden|nedir|soru|anlamad|acikla|neler|mi\\?|midir|misiniz',
  youDo:
    'misiniz|miyiz|var mi|mi.|musunuz|sunuyor|dahil|calisir mi|oluyor|yapiyor mu|destekl|entegre|siz.|verir mi|edebilir mi|gerekiyor mu|sizin|urununuz|yaziliminiz',
  thanks: 'tesekkur|sag ol|sagol|nazik|minnettar',
  but: 'ama.|fakat|ancak|lakin|yalniz',
  we: 'biz|bizim|firma|sirket|miz.|mız.|muz.',
  me: 'ben.|bana|benim|beni',
};
