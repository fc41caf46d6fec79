/** Phrases typical of automatic answers, in all languages: weak evidence on their own. */

/** For urgent matters, another contact. */
const URGENCY =
  /urgen|emergenc|can(?:'t|not) wait|time[ -]sensitive|immediate (?:assistance|attention|help)|dringend|dringlich|eilig|notf[a]?all|notfallen|eilfall|eilt|spoed|dringende|haast\?|(?<!\p{L})piln|naleha|surn|срочн|неотложн|терминов|терміново|нагальн|спешн|неотложн|surgos|επειγ|דחופ|דחוף|عاجل|طارئ|(?<!\p{L})acil|bradskande|akut|hastesag|haster|kiireel|[紧緊]急|急事|お急ぎ|至急|급한|긴급|급하/u;

/** Within some hours or days. */
const RESPONSE_TIME =
  /(?:(?<!\d)\d+|one|two|three|few|ein(?:en|em|es)?|zwei|drei|funf|dos|due|dois|deux|twee|een|dwoch|двух|одного|трех|egy) ?(?:-|bis zu )?(?:business|working|werk|arbeits|ouvr|habil|lavorativ|ute?is|roboc|рабоч|робоч|munka|lucrat|iş|is gunu|ימי עסקים|arbets|hverdag|virke|pracovn|arkip|工作|個工作|营业|營業|営業|영업)|(?:within|innerhalb|binnen|sous|dans un delai|en un plazo|entro|em ate|inom|innen|inden|w ciagu|в течение|протягом|в рамките|behem|do) (?:von |de |maximo de )?\d+ ?(?:h|std|stunden|heures|horas|ore|uur|timm|tim|godz|час|годин|hodin)|\d+ ?(?:小时内|小時內|時間以内|시간)/u;

/** From nine to five. */
const OPENING_HOURS =
  /(?<!\d)\d{1,2}(?:[:.h]\d{2})? ?(?:am|pm|a\.m\.|p\.m\.|uhr|h)? ?(?:-|to|and|bis|a|do|до|tot|til|till|~)+ ?\d{1,2}(?:[:.h]\d{2}| ?(?:am|pm|a\.m\.|p\.m\.|uhr|h(?!\p{L})))/u;

/** An answer at another time. */
const ANSWERS =
  '(?:repl(?:y|ies)|respon|answer|write back|get back|be in touch|pick up|antwort|melde|beantwort|repond|traite|contest|risponder|rispond|responder|reager|reageer|odpowi|odpis|odpov|ozv|ответ|відпов|отговор|valaszol|vastaa|svar|vender tilbage|aterkommer|yanit|cevap|donus|doneb|απαντ|raspund|אענ|אשיב|ערד|سأرد|الرد|回[复覆復]|[处處]理|返信|返事|회신|답변|답장)';
const LATER =
  '(?:when|until|till|once|after|next|later|delay|only|(?:on )?(?:mon|tues|wednes|thurs|fri)day|tomorrow|as soon as|erst|sobald|ab dem|nachste|morgen|verzoger|des |lundi|mardi|mercredi|jeudi|vendredi|retour|a partir|cuando|lunes|martes|miercoles|jueves|viernes|proxim|regreso|al rientro|quando|lunedi|appena|segunda|regresso|assim que|pas |zodra|maandag|dopiero|po powrocie|poniedzial|opozni|когда|после|понедельник|позже|как только|как смогу|коли|понеділ|пізніше|jakmile|zpozden|az |po navrat|oneskor|amikor|hetfo|kesobb|vasta|maanantai|kun |palattu|forst|nar jag|nar jeg|nar vi|pa mandag|pa mandag|sonra|gec|pazartesi|όταν|μόλις|δευτερα|καθυστ|cand|luni|intarzi|когато|след|понеделник|כש|באיחור|بعد|عند|أتأخر|[后後]|周[一二三四五]|以降|遅|明日|늦|이후|월요일)';
const ANSWERS_LATER = [
  new RegExp(`${ANSWERS}[^.!?。]{0,60}${LATER}`, 'u'),
  new RegExp(`${LATER}[^.!?。]{0,60}${ANSWERS}`, 'u'),
];

/** `Thank you for your message`, at the beginning. */
const THANKS =
  /^.{0,30}?(?<!\p{L})(?:thank(?:s| you)(?: very much)? for (?:your|the|contact|writing|getting|reaching)|(?:vielen |herzlichen |besten )?dank fur (?:ihre|deine|die)|danke fur|merci (?:pour|de) (?:votre|ton|nous)|gracias por (?:su|tu|contact|escrib|comunic)|grazie per (?:il|la|aver)|obrigad[oa] (?:pel|por)|(?:hartelijk )?(?:dank|bedankt) voor|dziekuj\p{L}+ za|(?:спасибо|благодарим) (?:за|вас за)|дякуємо за|dekuj\p{L}+ za|dakuj\p{L}+ za|koszon\p{L}+ |kiitos |tack for|tak for|takk for|ευχαριστ|tesekkur|mesajiniz icin|multum\p{L}+ pentru|va multumim|благодар|תודה (?:על|ש)|شكرا (?:ل|على))|^.{0,20}(?:感[谢謝]|ありがとうございま|주셔서 감사)/u;

/** Another contact, or another channel, for those who wait. */
const REDIRECT =
  /(?<!\p{L})(?:contact|reach|call|phone|ring|write to|turn to|wenden|anrufen|ruf\p{L}*|vertret\p{L}*|hilft|contact\p{L}+|adress\p{L}+|joindre|appel\p{L}+|ecri\p{L}+|dirij\p{L}+|atiend\p{L}+|contatt\p{L}+|rivol\p{L}+|fal\p{L}+ com|contact\p{L}+|bel(?:len)?|mail(?:en)? naar|kontakt\p{L}*|prosz\p{L}+ o kontakt|zadzwon\p{L}+|обра\p{L}+|звон\p{L}+|пишите|зверта\p{L}+|телефон\p{L}+|obrat\p{L}+|kontaktuj\p{L}+|keress\p{L}+|hivj\p{L}+|ota yhteytta|soita\p{L}*|ring|arayin\p{L}*|iletisim\p{L}*|επικοινων\p{L}+|απευθυν\p{L}+|sunati|contactati|свържете|обърнете|לפנות|פנו)(?!\p{L})[^.!?]{0,60}(?:@|\d{3}|office|reception|sekretar|секретар|büro|buro|kollege|colleague)|(?:للتواصل|التواصل مع)|[联聯][系繫絡]|まで(?:ご)?連絡|연락/u;

/** The number of weak hints in folded text: urgency and later answers count twice. */
export const hintsIn = (text: string): number =>
  (URGENCY.test(text) ? 2 : 0) +
  (ANSWERS_LATER.some((pattern) => pattern.test(text)) ? 2 : 0) +
  (RESPONSE_TIME.test(text) || OPENING_HOURS.test(text) ? 1 : 0) +
  (REDIRECT.test(text) ? 1 : 0) +
  (THANKS.test(text) ? 1 : 0);

/** The absent person is not the writer: `My boss is on holiday, I will ask him`. */
const SOMEBODY_ELSE =
  /^.{0,25}(?<!\p{L})(?:boss|chef\p{L}{0,2}|our (?:ceo|cfo|cto|owner|director|manager)|(?:the|my) (?:manager|owner|director|partner|husband|wife)|patronn?e?|directeur|directrice|gerant|jefe|jefa|duen[oa]|director|titolare|capo|direttore|dirett\p{L}+|diretor|patrao|dono|baas|directeur|szef\p{L}*|dyrektor|kierownik|начальник|руководител\p{L}*|директор|шеф\p{L}*|sef\p{L}*|reditel|riaditel|fonok\p{L}*|igazgato\p{L}*|pomo\p{L}*|johtaja\p{L}*|esimie\p{L}*|sjefen|mudur\p{L}*|patron\p{L}*|διευθυντ\p{L}+|αφεντικο)(?!\p{L})|^.{0,8}(?:המנהל|הבוס|مدير|رئيس|老[板闆]|[经經]理|领导|上司|社長|部長|사장|부장|팀장)/u;

export const isAboutSomebodyElse = (sentence: string): boolean => SOMEBODY_ELSE.test(sentence);

/** Signatures of mail programs on phones. */
const MOBILE =
  /^(?:sent from (?:my|the)|sent via (?:my|the) |get outlook for|von meinem .{2,30} gesendet|gesendet (?:von|mit)|envoye (?:de(?:puis)?|a partir de) mon|enviado (?:desde|do|de) (?:mi|meu)|inviato da|verzonden vanaf|verstuurd vanaf|wyslane z|отправлено с|надислано з|надіслано з|trimis de pe|skickat fran|sendt fra|lahetetty|odeslano z|odoslane z|kuldve|изпратено от|נשלח מ|أرسلت من|أُرسل|발송|iphoneから|發自我的|发自我的)/mu;

export const isFromPhone = (lines: string): boolean => MOBILE.test(lines);
