/** Turkish. */
import type { Phrases } from './phrases.ts';

export const turkish: Phrases = {
  isSpaced: true,
  subjects: [
    'otomatik (?:yanıt|cevap|mesaj|ileti|bildirim)|ofis dışında',
    '(?:yıllık )?izin(?:deyim|li|de)?\\b|tatildeyim|ofiste değilim|talebiniz',
    'mesajınız(?:ı)? (?:alındı|aldık|ulaştı)|alındı (?:onayı|bildirimi)|destek talebi',
    'işten ayrıl',
  ],
  away: [
    '(?:fuarda|toplantıda|seyahatte|eğitimde|konferansta|yolda)\\w*~|(?:e-?posta|mesaj|mail)\\w*~(?:geç|sonra)~(?:dön|yanıt|cevap)\\w*',
    '(?:ofis|işyer|mağaza|şirket|otel|büro|klinik)\\S*~(?:kapalı|tatil)\\S*|(?:izinde|tatilde|raporlu|yurt dışında|seyahatte|ofis dışında|toplantıda)\\S*~|(?:pazartesi|salı|çarşamba|perşembe|cuma|tarihinde)~(?:dönece|ofiste|başlayaca)\\S*',
    'izinde(?:yim|yiz|\\s+olaca)|izinliyim',
    '(?:ofis|şirket|şehir|yurt) dışında(?:yım|yız|\\s+olaca)',
    'tatilde(?:yim|yiz|\\s+olaca)',
    '(?:ofiste|yerimde|masamda|iş yerinde) (?:değilim|olmayaca|bulunm)',
    '(?:raporlu|doğum izninde|seyahatte|iş seyahatinde|yurtdışında|hastalık izninde)' + '\\w*',
    '(?:ofisimiz|işyerimiz|şirketimiz)~(?:kapalı|tatil)',
    '(?:döndüğümde|dönüşümde|dönünce|döneceğim|dönüş (?:tarih|yap)|işe başlayaca|' +
      'ofise dön)\\w*',
    '(?:yokluğumda|bulunmadığım)',
    '(?:e-?posta|mail|mesaj)\\w*~(?:sınırlı|erişim\\w* (?:sınırlı|olmaya|yok)|' +
      'kontrol edemey|okuyamay|bakamay)\\w*',
    'sınırlı erişim|erişimim~(?:sınırlı|kısıtlı|olmay)',
  ],
  left: [
    '(?:posta kutusu|adres\\p{L}*|hesap|hesab\\p{L}+)~(?:kapatıl|iptal edil|kullanım dışı|silin)\\p{L}+',
    'okunmadan sil\\p{L}+',
    'artık~(?:çalışm|görev yapm|kullanılm|aktif değil)\\S*|(?:adres|hesap|posta kutusu)\\S*~(?:kullanılm|takip edilm|okunm|kapat)\\S*',
    '(?:artık|şirket\\w*|kurum\\w*|firma\\w*)~(?:çalışmamakta|çalışmıyor|' +
      'çalışmayacak|ayrılmış|ayrıldı|görev yapma|bünyesinde değil)\\w*',
    '(?:işten|görevinden|görevimden|şirketten|şirketimizden) ayrıl\\w*',
    '(?:bu (?:e-?posta|mail|adres|hesap))\\w*~(?:kullanılmı|kullanılma|aktif değil|' +
      'takip edilm|kapat|kontrol edilm)\\w*',
    'emekli ol\\w*',
  ],
  received: [
    'ortalama (?:yanıt|cevap|dönüş) süre\\p{L}*[^.!?]{0,25}\\d',
    '(?:numara|no)\\S*~(?:ile|ile) (?:kayd|kayıt)\\S*|en kısa (?:sürede|zamanda)~|(?:talep|mesaj|başvuru|e-?posta)\\S*~(?:kaydedil|alınmış|ulaş|kayıt altına)\\S*',
    '(?:talebiniz|mesajınız|e-?postanız|başvurunuz|iletiniz|mailiniz|bildiriminiz|' +
      'sorunuz|kaydınız)\\w*\\b~(?:alın|ulaş|kayd|oluştur|işleme|değerlendir|iletil|' +
      'açıl)\\w*',
    '(?:talep|bilet|kayıt|takip|destek|başvuru|ticket) (?:numara|no)\\w*',
    '(?:mesajınızı|e-?postanızı|talebinizi|mailinizi) aldık',
    '(?:en kısa (?:sürede|zamanda)|iş günü içinde|saat içinde|yakında)~(?:dönüş|' +
      'yanıt|cevap|iletişim|geri dön|dönece)\\w*',
    '(?:ekibimiz|temsilcimiz|müşteri temsilci|uzmanlarımız)\\w*~(?:dönüş|iletişim|' +
      'yanıt|cevap|ilgilen)\\w*',
    '(?:bize|bizimle) (?:ulaş|iletişim|yaz)\\w*~teşekkür',
  ],
  automatic: [
    'bu (?:bir )?(?:otomatik|e-?posta otomatik|mesaj otomatik|ileti otomatik)',
    'otomatik (?:olarak )?(?:oluştur|gönder|yanıt|cevap|üret)\\w*',
    '(?:bu (?:e-?posta|mesaj|mail|ileti)\\w*)~(?:yanıtlamay|cevaplamay|cevap vermey|' +
      'yanıt vermey)\\w*',
  ],
  stop: [
    'abonelik(?:ten)? (?:çık|iptal)\\w*|beni (?:sil|çıkar)\\w*|mail atmayın|yeter(?: artık)?',
    'stop|dur(?:un|dur|durun)?|yeter',
    'abonelikten (?:çık|ayrıl|çıkmak istiyorum|çıkar)\\w*|çıkar(?:ın|ınız)?',
    'listeden (?:çık|çıkar|sil)\\w*',
    'beni (?:(?:bu |)listeden |listenizden )?(?:çıkar|sil)\\w*|sil(?:in|iniz)?',
    '(?:bir daha |artık |bana )*(?:e-?posta|mail|mesaj)? ?(?:göndermeyin|atmayın|' +
      'yazmayın|yollamayın)(?:iz)?',
    'rahatsız etmeyin(?:iz)?|iptal(?: edin)?|verilerimi silin(?:iz)?|istemiyorum',
    'beni rahat bırakın|ret|üyelikten çık\\w*',
  ],
  optOut: [
    'artık~(?:gönderilme|gelme|yollanma)\\p{L}*',
    '(?:liste|sistem|veri ?taban|rehber)\\w*~(?:çık|sil|kaldır|ayrıl)\\w*|(?:bir daha|artık|lütfen|bundan sonra)~(?:gönderm|yazm|atm|yollam|arama|iletişim|rahatsız)\\w*',
    '(?:reklam|tanıtım|pazarlama|mail|e-?posta|mesaj)\\w*~(?:istemi|almak istemi|kabul etmi|göndermeyi)\\w*',
    '(?:bu adrese|bana|bize)~(?:reklam|mail|e-?posta|mesaj|tanıtım)\\w*~(?:gönderme|atma|yollama)\\w*',
    '(?:benimle|bizimle)~(?:iletişim|irtibat)\\S*~(?:geçmeyin|kurmayın|geçilmes|geçme)\\S*|(?:mail|e-?posta|mesaj|spam)\\S*~(?:atmay|göndermey|yollamay)\\S*~(?:bırak|kes|son|durdur|in(?!\\p{L})|ın(?!\\p{L}))\\S*|(?:listeden|listenizden|sistemden|veritaban)\\S*~(?:çıkar|sil|kaldır)\\S*|rahatsız etmey\\S*|(?:bir daha|artık)~(?:yazma|gönderme|atma|arama)\\S*',
    '(?:beni|bizi|adresimi|adresimizi|mailimi|e-?postamı|e-?posta adresimi|ismimi|' +
      'bilgilerimi|verilerimi|liste(?:niz)?den|veri ?tabanı\\w*|kişisel verilerimi\\w*)' +
      '~(?:çıkar|sil|kaldır|çıkart)\\w*',
    '(?:e-?posta|mail|mesaj|ileti|reklam|yazı|teklif|tanıtım)\\w*~(?:göndermeyin|' +
      'atmayın|yollamayın|göndermeyiniz|atmayınız|istemiyor|almak istem|gönderilmes|' +
      'yazmayın|göndermekten|göndermeyi (?:bırak|kes|durdur))\\w*',
    '(?:bana|bize|bir daha|tekrar|artık)~(?:yazmayın|ulaşmayın|iletişime geçmeyin|' +
      'mail atmayın|göndermeyin|rahatsız etmeyin|yazmayınız|aramayın(?! e))',
    'abonelik\\w*~(?:çık|iptal|ayrıl|sonland)\\w*',
    '(?:iletişim|kontakt|irtibat) (?:kurmayın|kurulmasını istem|kurmanızı istem)\\w*',
    '(?:spam|e-?posta|mail)\\w*~(?:durdur|kes|bırak|son ver)\\w*|kvkk',
    '(?:verilerim|bilgilerim)\\w*~(?:silin|silinmes|imha)\\w*',
    '(?:onayımı|rızamı|izin)~(?:geri çek|iptal|vermi)\\w*',
    'şikayet~(?:edece|ederim|kvk|iys|btk)\\w*|(?:iys)\\b|istemiyoruz',
  ],
  personal: [
    'ilgi(?:leniyor|lenmiyor|mizi|mi çek|nç|leni|lenirim)\\w*',
    '(?:beni|bizi) (?:ara|arayın|arayabilir|arar)\\w*|arayabilir\\w*',
    '(?:telefonla|telefonda|yüz yüze|mail ile|e-?posta daha)\\w*',
    '(?:gönder(?:in|ir|ebilir|iniz|irseniz|ir misiniz)|iletir|paylaş(?:ır|abilir|ın))' + '\\w*',
    '(?:teklif|fiyat|ücret|bütçe|maliyet|katalog|broşür|numune)\\w*|ne kadar',
    '(?:toplantı|görüşme|randevu|demo)\\w*~(?:pazartesi|salı|çarşamba|perşembe|cuma|' +
      'yarın|hafta|saat)',
    '(?:pazartesi|salı|çarşamba|perşembe|cuma|yarın)\\w*~(?:uygun|olur|görüşelim|' +
      'konuşalım|müsait)',
    '(?:görüşelim|konuşalım|görüşebilir|konuşabilir)\\w*',
    '(?:zaten|halihazırda|hali hazırda|mevcut)~(?:var|kullan|çalış|tedarik|anlaş|' + 'firma)\\w*',
    '(?:şu an|şimdilik|şu anda)~(?:ihtiyac|düşünm|gerek|planlam|istemiyor|yok)\\w*',
    'ihtiyacımız (?:yok|bulunm)',
    '(?:ilettim|yönlendirdim|okudum|inceledim|inceleyece)\\w*',
    '(?:sonra|yıl|ay|çeyrek|hafta)\\w*~(?:tekrar (?:yaz|ara|ilet|görüş)|yeniden)\\w*',
    '(?:ürününüz|hizmetiniz|teklifiniz|çözümünüz)\\w*',
    'nereden (?:buldun|aldın|ulaş)\\w*',
  ],
  talk: [
    '(?:biz|ben|bizim|benim|bence)\\b',
    '(?:siz|sizin|misiniz|mısınız|musunuz|nasıl|nedir|hangi)\\b',
    '(?:evet|hayır|teşekkür\\w*|tamam|olur|harika|tabii)\\b|maalesef|ekte|arkadaşım',
  ],
  keeps: [
    '(?:beni|bizi)? ?(?:ara(?:yın|yabilir|sanız)|telefon edin)\\w*',
    '(?:telefonla|telefon|mail|e-?posta)\\w*~(?:daha (?:iyi|uygun|kolay)|yeterli|' + 'tercih)\\w*',
    'ilgilen(?:iyor|ir)\\w*|gönderin\\w*|teklif\\w*~(?:gönder|ilet|incele|bak)\\w*',
    'fiyat\\w*~(?:gönder|nedir|ilet)|ne kadar|memnuniyetle|görüşelim',
    '(?:sonra|yıl|ay) tekrar',
  ],
  polite: [
    '(?:merhaba|selam|sayın|iyi günler|günaydın|iyi akşamlar)(?: \\w+){0,3}|lütfen',
    'teşekkür(?:ler| ederim| ederiz)?|rica ederim|saygılarım(?:la|ızla)',
    'iyi çalışmalar|hemen|derhal',
  ],
  urgent: ['acil|ivedi|durumunda|ise\\b|halinde|bu süre|yokluğumda|konular için'],
};
