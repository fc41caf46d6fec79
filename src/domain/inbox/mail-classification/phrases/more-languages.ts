/** Lithuanian with Latvian and Estonian, Catalan, Vietnamese, Indonesian with Malay, and Thai. */
import type { Phrases } from './phrases.ts';

export const baltic: Phrases = {
  isSpaced: true,
  subjects: [
    'automatinis (?:atsakymas|pranešimas)|automātisk[aā] (?:atbilde|ziņa)|automaat(?:ne )?(?:vastus|teade)|puhkus(?:el|e teade)|atostog(?:os|ose)|atvaļinājum[sā]|nesu biure|kontorist väljas',
  ],
  away: [
    '(?:esu|būsiu|esame|šiuo metu)~(?:atostog|komandiruot|išvyk|nedarb|nebiure|ligos)\\p{L}*|(?:nesu|nebūsiu) (?:biure|darbe|pasiekiam)\\p{L}*|(?:grįšiu|grįžęs|grįžusi|sugrįžęs)\\p{L}*',
    '(?:esmu|būšu|esam|pašlaik|šobrīd)~(?:atvaļinājum|prombūtn|komandējum|slimīb|birojā neesmu)\\p{L}*|(?:neesmu|nebūšu) (?:birojā|darbā|pieejam)\\p{L}*|(?:atgriezīšos|pēc atgriešanās)',
    '(?:olen|viibin|oleme)~(?:puhkus|haiguslehel|lähetus|kontorist eemal|komandeering|lapsehoolduspuhk|ära)\\p{L}*|(?:ei ole|pole) (?:\\p{L}+ )?(?:kontoris|kättesaadav|tööl)|(?:naasen|tagasi olen|puhkuselt naas)\\p{L}*|(?:kontor|pood|büroo) on (?:suletud|kinni)',
  ],
  left: [
    '(?:nebedirb|nebesu|nebėra)\\p{L}*|(?:pašto )?(?:dėžutė|adresas)~(?:nebenaudojam|neveikia|netikrinam)\\p{L}*',
    '(?:vairs|vairāk) ne(?:strādā|esmu|tiek)\\p{L}*|(?:adrese|pastkaste)~(?:vairs|netiek)\\p{L}*',
    'ei tööta enam|enam ei tööta|(?:aadress|postkast)\\p{L}*~(?:ei ole enam|enam ei|pole enam|ei loeta)',
  ],
  received: [
    '(?:jūsų|gavome)~(?:laišk|žinut|užklaus|prašym|kreipim)\\p{L}*~(?:gaut|gavome|užregistruot|priimt)\\p{L}*|gavome jūsų|(?:atsakysime|susisieksime)~(?:per|netrukus|artimiausi|kuo greičiau|darbo)',
    '(?:jūsu|saņēmām)~(?:vēstul|ziņ|pieteikum|pieprasījum)\\p{L}*~(?:saņemt|reģistrēt|ir saņ)\\p{L}*|(?:atbildēsim|sazināsimies)~(?:tuvākaj|laikā|pēc iespējas|drīz|darba)\\p{L}*',
    '(?:teie|sinu) (?:kiri|päring|pöördumine|sõnum|e-kiri)\\p{L}*~(?:on (?:kätte|vastu|registreeritud)|saabunud|saime)|(?:vastame|võtame ühendust)~(?:esimesel|jooksul|peagi|võimalusel|tööpäeva)',
  ],
  automatic: [
    'automatin\\p{L}+ (?:atsakym|praneš|laišk)\\p{L}*|automātisk\\p{L}+ (?:atbild|ziņ|vēstul)\\p{L}*|automaat(?:ne|selt)~(?:vastus|teade|kiri|saadetud)|see on automaat\\p{L}*',
  ],
  stop: [
    '(?:atsisakau|atsisakyti|išbraukite|nebesiųskite|nerašykite|stop)(?: manęs| prašau)*|(?:atrakstīties|atteikties|noņemiet|nesūtiet|nerakstiet)(?: mani| lūdzu)*|(?:loobun|lõpetage|eemaldage|ärge kirjutage|ärge saatke)(?: mind| palun| enam)*',
  ],
  optOut: [
    '(?:išbrauk|ištrin|pašalin|išregistruo|išim)\\p{L}*~(?:man[eę]|mus|sąraš|adres|duomen|bazės|el)\\p{L}*|(?:manęs|mane|mūsų|mano)~(?:išbrauk|ištrin|pašalin)\\p{L}*|(?:daugiau|nebe)~(?:nerašy|nesiųs|nesius|nesisteb|neberašy|nesikreip)\\p{L}*|(?:neberašy|nebesiųs|nebesiun)\\p{L}*|(?:nerašykite|nesiųskite|nerašyk)~(?:man|daugiau|mums)|(?:nenoriu|nepageidauju|nenorime|nepageidaujame)~(?:gauti|laišk|daugiau|reklam)\\p{L}*|(?:prašau|prašome)~(?:nerašyti|nesiųsti|nebesiųsti|liautis)',
    '(?:izņem|dzēs|izdzēs|noņem|svītro|izslēdz|izsvītro)\\p{L}*~(?:mani|mūs|sarakst|adres|datu|manu)\\p{L}*|(?:vairāk|vairs)~(?:nesūt|neraks|netraucē)\\p{L}*|(?:nesūtiet|nerakstiet|nesūti)~(?:man|vairs|vairāk|mums)|(?:nevēlos|nevēlamies|negribu)~(?:saņemt|vēstul|vairs|reklām)\\p{L}*|(?:lūdzu|lūdzam)~(?:nerakstīt|nesūtīt|pārtraukt)',
    '(?:eemalda|kustuta|võta|võtke|kustutage)\\p{L}*~(?:mind|meid|minu|meie|list|nimekir|andme|aadress)\\p{L}*|(?:ärge|ära)~(?:kirjuta|saat|saada|tülita)\\p{L}*~(?:mulle|enam|rohkem|meile)|(?:ärge|ära) (?:enam|rohkem|mulle|meile)~(?:kirjuta|saat|saada|tülita)\\p{L}*|(?:ei soovi|ei taha)~(?:kirju|saada|rohkem|enam|reklaam|meile)\\p{L}*|lõpeta\\p{L}*~(?:saat|kirjuta|spämm)\\p{L}*',
  ],
  personal: [
    'kiek kainuoja|įdomu|nedomina|neaktualu|turime savo|paskambinkite|atsiųskite|cik maksā|interesē|neinteresē|mums jau ir|piezvaniet|atsūtiet|palju (?:see )?maksab|huvita\\p{L}*|meil on juba|helista\\p{L}*|saatke (?:hind|pakkum|info)\\p{L}*',
  ],
  talk: [
    '(?:ačiū|paldies|aitäh|tänan)[,.!]|(?:galime|varam|võime|ar galite|vai varat|kas saate)\\b',
  ],
  keeps: [
    '(?:paskambinkite|piezvaniet|helista\\p{L}*)|(?:geriau|labāk|parem)~(?:telefonu|pa tālruni|telefon|paštu|e-past)\\p{L}*|(?:atsiųskite|atsūtiet|saatke)~(?:kain|cenu|hin|pasiūlym|piedāvājum|pakkum)\\p{L}*',
  ],
  polite: [
    'ačiū|prašau|prašome|sveiki|laba diena|pagarbiai|dėkoju|paldies|lūdzu|labdien|ar cieņu|aitäh|tänan|palun|tere|lugupidamisega|ei,? aitäh|ne,? ačiū|nē,? paldies',
  ],
  urgent: ['skub\\p{L}*|steidzam\\p{L}*|kiire\\p{L}*|prireikus|vajadzības gadījumā|vajadusel'],
};

export const catalan: Phrases = {
  isSpaced: true,
  subjects: ["resposta automàtica|fora de l'oficina|vacances\\b|absència|de vacances"],
  away: [
    "(?:sóc|soc|estic|estaré|som|estem|seré)~(?:vacances|fora de l'oficina|de baixa|de permís|absent|de viatge)|(?:oficina|despatx|botiga|consulta)~(?:tancat|tancada|tancarem)|(?:tornaré|quan torni|a la tornada|en tornar)",
  ],
  left: [
    'ja no (?:treballo|treballa|hi treball|està|formo)\\p{L}*|(?:adreça|bústia)~(?:ja no|no està)',
  ],
  received: [
    "(?:hem rebut|s'ha rebut|rebut)~(?:missatge|correu|sol·licitud|consulta|petició)|(?:li|us|et) (?:respondrem|contestarem)~(?:aviat|termini|possible|dies|hores)|sol·licitud~(?:registrad|rebud)\\p{L}*",
  ],
  automatic: [
    '(?:missatge|resposta|correu) (?:enviat )?automàtic\\p{L}*|no respongueu aquest|no respongui aquest',
  ],
  stop: [
    '(?:baixa|donar de baixa|prou|prou correus|no més correus|atureu-vos|elimineu-me|esborreu-me)',
  ],
  optOut: [
    "no (?:m'|em |ens |'m )?(?:envieu|envïïn|enviï|enviïn|escriviu|escrigui|contacteu|molesteu)\\p{L}*~(?:més|correu|publicitat|mai)|(?:don(?:eu|i|in|ar)?-?(?:me|nos|'m)|donar)~baixa|(?:elimin|esborr|tre|suprim)\\p{L}*~(?:adreça|llista|dades|correu|base)|no (?:vull|volem|desitjo|desitgem)~(?:rebre|més)|deix(?:eu|i|in)~(?:enviar|escriure)",
  ],
  personal: [
    "quant (?:costa|val)|ens interessa|m'interessa|no ens interessa|no m'interessa|ja tenim|truqueu-me|truca'm|pressupost",
  ],
  talk: ['(?:gràcies|sí|no|bé)[,.!]|(?:podeu|podríeu|pot|podria)\\b'],
  keeps: [
    "truqueu|truca'm|millor (?:per|un correu|trucar)|envieu-me~(?:preu|informaci|pressupost|detall)\\p{L}*",
  ],
  polite: [
    'si us plau|gràcies|moltes gràcies|bon dia|bona tarda|hola|salutacions|atentament|no,? gràcies|sisplau',
  ],
  urgent: ['urgènci\\p{L}*|urgent|en cas de'],
};

export const vietnamese: Phrases = {
  isSpaced: true,
  subjects: ['(?:thư )?trả lời tự động|tự động trả lời|vắng mặt|nghỉ phép'],
  away: [
    '(?:đang|sẽ|hiện)~(?:nghỉ phép|nghỉ lễ|nghỉ mát|đi công tác|vắng mặt|nghỉ thai sản|không có mặt|đi vắng)|(?:văn phòng|công ty|cửa hàng)~(?:đóng cửa|nghỉ lễ|nghỉ tết)|(?:trả lời|phản hồi)~(?:sau khi|khi) (?:tôi )?(?:trở lại|quay lại|về)',
  ],
  left: [
    '(?:không còn|đã nghỉ|đã thôi)~(?:làm việc|công tác|sử dụng|việc)|(?:địa chỉ|hộp thư)~không còn',
  ],
  received: [
    '(?:chúng tôi )?đã nhận được (?:email|thư|tin nhắn|yêu cầu|tin)|(?:sẽ|để) (?:phản hồi|trả lời|liên hệ)~(?:sớm|trong vòng|trong thời gian|trong \\d)|yêu cầu (?:của bạn )?đã được (?:tiếp nhận|ghi nhận)',
  ],
  automatic: [
    '(?:tin nhắn|thư|email|phản hồi|trả lời) tự động|vui lòng không (?:trả lời|phản hồi)',
  ],
  stop: ['(?:hủy đăng ký|ngừng gửi|dừng lại|đừng gửi nữa|xóa tôi|stop|đừng làm phiền)(?: tôi)?'],
  optOut: [
    '(?:xóa|xoá|loại|gỡ|bỏ)~(?:tôi|email|địa chỉ|chúng tôi)~(?:danh sách|khỏi|dữ liệu)|(?:đừng|không|ngừng|dừng|thôi|ngưng)~(?:gửi|liên hệ|liên lạc|làm phiền|nhận|email)~(?:nữa|cho tôi|chúng tôi|tôi|thư|email|quảng cáo)',
  ],
  personal: [
    'giá (?:bao nhiêu|thế nào|cả)|bao nhiêu tiền|quan tâm|không có nhu cầu|chưa có nhu cầu|báo giá|gọi cho tôi',
  ],
  talk: ['(?:cảm ơn|vâng|dạ|không)[,.!]|(?:có thể|được không)'],
  keeps: ['gọi cho tôi|(?:gửi|cho)~(?:báo giá|bảng giá|thông tin|tài liệu)|liên hệ lại'],
  polite: [
    '(?:xin )?cảm ơn(?: bạn| anh| chị| nhiều)?|xin chào|chào(?: \\p{L}+){0,2}|vui lòng|làm ơn|trân trọng|xin',
  ],
  urgent: ['khẩn|gấp|cần thiết|trường hợp'],
};

export const indonesian: Phrases = {
  isSpaced: true,
  subjects: [
    'balasan otomatis|jawapan automatik|balas(?:an)? automatik|sedang cuti|di luar kantor|cuti\\b',
  ],
  away: [
    '(?:sedang|akan|saat ini)~(?:cuti|di luar (?:kantor|kota|negeri)|dinas luar|libur|bercuti|tidak (?:berada )?di kantor)|(?:kantor|toko|pejabat|kedai)~(?:tutup|libur)|(?:balas|jawab|respon)\\p{L}*~(?:setelah|selepas|ketika|saat) (?:saya )?(?:kembali|balik)',
  ],
  left: [
    '(?:sudah )?(?:tidak|tak) lagi (?:bekerja|digunakan|bertugas|aktif)|(?:tidak|sudah tidak) (?:bekerja|digunakan|aktif|dipantau)~lagi|sudah (?:resign|pensiun|berhenti)',
  ],
  received: [
    '(?:pesan|e-?mail|permintaan|tiket|mesej|pertanyaan)~(?:telah|sudah|kami) (?:kami )?(?:terima|diterima|tercatat|dicatat)|telah (?:kami )?(?:terima|menerima)~(?:pesan|e-?mail|permintaan)|(?:akan|segera) (?:membalas|merespons?|menghubungi|menjawab)~(?:segera|dalam|secepat|anda)',
  ],
  automatic: [
    '(?:pesan|balasan|e-?mail|mesej) (?:ini )?(?:dikirim |dibuat |dijana )?(?:secara )?(?:otomatis|automatik)|jangan (?:balas|membalas) (?:e-?mail|pesan) ini|mohon tidak membalas',
  ],
  stop: [
    '(?:berhenti|stop|hentikan|cukup|batalkan langganan|berhenti langganan|jangan kirim lagi|jangan hubungi)(?: saya| kami)?',
  ],
  optOut: [
    '(?:hapus|keluarkan|buang|padam|hilangkan)\\p{L}*~(?:saya|kami|alamat|e-?mail|data)~(?:daftar|dari|senarai|daripada|database|anda)|(?:jangan|stop|berhenti|hentikan|tidak (?:mau|ingin|bersedia))~(?:kirim|mengirim|hubungi|menghubungi|menerima|e-?mail|hantar|ganggu|menulis)\\p{L}*',
  ],
  personal: [
    'berapa (?:harga|biaya)\\p{L}*|tertarik|tidak butuh|belum (?:butuh|perlu)|penawaran|telepon saya|hubungi saya',
  ],
  talk: ['(?:terima kasih|ya|tidak|maaf)[,.!]|(?:apakah|bisa|bolehkah)'],
  keeps: [
    '(?:telepon|hubungi|whatsapp|wa) saya|kirim\\p{L}*~(?:harga|penawaran|info|proposal|brosur)\\p{L}*|hubungi lagi (?:bulan|tahun|nanti)',
  ],
  polite: [
    'terima kasih|mohon|tolong|harap|salam|halo|selamat (?:pagi|siang|sore|malam)|hormat (?:kami|saya)|sila|tidak,? terima kasih|makasih',
  ],
  urgent: ['mendesak|darurat|penting|segera hubungi|jika|kecemasan'],
};

export const thai: Phrases = {
  isSpaced: false,
  subjects: ['ตอบกลับอัตโนมัติ|ข้อความอัตโนมัติ|ลาพักร้อน|ไม่อยู่ที่สำนักงาน'],
  away: [
    'ลาพักร้อน|ลาพัก|ลาคลอด|ลาป่วย|อยู่ในช่วงลา|ไม่อยู่ที่สำนักงาน|ไม่อยู่ออฟฟิศ|เดินทางไปต่างประเทศ|ปิดทำการ|วันหยุด|จะกลับมา',
  ],
  left: ['ไม่ได้ทำงาน|ลาออก|พ้นสภาพ|ไม่ได้ใช้งานแล้ว|เลิกใช้'],
  received: ['ได้รับ(?:อีเมล|ข้อความ|คำขอ|เรื่อง)|จะติดต่อกลับ|จะตอบกลับ|หมายเลข(?:คำขอ|เรื่อง)'],
  automatic: ['อัตโนมัติ|กรุณาอย่าตอบกลับ'],
  stop: ['ยกเลิก(?:การสมัคร|การรับข่าวสาร)?|หยุดส่ง|ไม่รับ|เลิกส่ง'],
  optOut: [
    '(?:ลบ|เอา|นำ|ถอด).{0,30}(?:ออกจาก|รายชื่อ|ข้อมูล)|(?:อย่า|หยุด|เลิก|งด|ไม่ต้อง|ไม่ต้องการ|ไม่อยาก|ไม่ประสงค์).{0,20}(?:ส่ง|รับ|ติดต่อ).{0,30}(?:อีเมล|เมล|อีก|มา|ข่าวสาร|โฆษณา)?|ยกเลิกการรับ',
  ],
  personal: ['ราคา|เท่าไหร่|สนใจ|โทรหา|ใบเสนอราคา|ไม่สะดวก|มีอยู่แล้ว'],
  talk: ['ครับ|ค่ะ|คะ'],
  keeps: ['โทรหา|ส่งราคา|ขอรายละเอียด|ติดต่อใหม่|สนใจ'],
  polite: ['ขอบคุณ(?:ครับ|ค่ะ)?|สวัสดี(?:ครับ|ค่ะ)?|กรุณา|โปรด|ครับ|ค่ะ|ด้วย'],
  urgent: ['เร่งด่วน|ด่วน|ฉุกเฉิน'],
};
