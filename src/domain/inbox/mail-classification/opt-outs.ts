/**
 * Whether the writer wants no more messages from us. Sentence by sentence: one that continues the
 * conversation does not opt out of everything.
 */
import { ABBREVIATION, bare, folded, patternOf, patternsOf } from './folding.ts';
import { LANGUAGES } from './phrases/index.ts';
import { asksRemoval } from './removals.ts';

/**
 * The maximum length of a line that is an opt-out as a whole, apart from politeness. Longer lines are
 * sentences.
 */
const MAX_LINE = 120;
/** In a message up to this length the first lines alone may express it. */
const MAX_SHORT = 300;
const FIRST_LINES = 3;
/** `No thanks. Unsubscribe.` */
const MAX_TWO_SENTENCES = 160;
const MAX_POLITE = 4;

const OPT_OUT = patternsOf('optOut');
const KEEPS = patternsOf('keeps');
const PERSONAL = patternsOf('personal');
const TALK = patternsOf('talk');

const wholes = (part: 'stop' | 'polite'): RegExp[] =>
  patternsOf(part).map(({ source }) => new RegExp(`^(?:${source})$`, 'u'));
const STOP = wholes('stop');
const POLITE = wholes('polite');
const POLITE_ENDS = LANGUAGES.map(({ polite, isSpaced }) => {
  // Matches as few words as possible: the opt-out itself may follow a greeting.
  const { source } = patternOf(polite, isSpaced);
  const least = source.replaceAll(/\{\d,\d\}/g, '$&?');
  return new RegExp(`^(?:${least})${isSpaced ? '(?!\\p{L})' : ''} *| *(?:${least})$`, 'u');
});

const some = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** `words`: the message without its quotes, with its lines; `text`: the same, folded. */
export function isOptOut(words: string, text: string): boolean {
  if (text === '' || OPPOSITE.test(text)) return false;
  const isAlone = saysItAlone(words, text);
  const sentences = sentencesOf(text).map((each) => each.trim());
  const wishes = sentences.filter((each) => some(OPT_OUT, each) && !isAboutOther(each));
  const isRemoval = () => asksRemoval(sentences, (each) => ORIGIN.test(each), isAboutOther);
  if (!isAlone && wishes.length === 0 && !isRemoval()) return false;
  if (text.split(CLAUSES).some(isFurtherTalk)) return false;
  return !sentences.some((each) => !wishes.includes(each) && asksMore(each));
}

function saysItAlone(words: string, whole: string): boolean {
  // Folded, a dash is a hyphen: `Unsubscribe—thanks`.
  const spaced = words.replaceAll(/[\u2013-\u2015]/g, ' - ');
  const text = spaced === words ? whole : folded(spaced).trim();
  const lines = spaced.split('\n').map((line) => folded(line).trim());
  const first = lines.filter((line) => line !== '').slice(0, FIRST_LINES);
  const candidates = text.length <= MAX_SHORT ? [text, ...first] : first.slice(0, 1);
  if (text.length <= MAX_TWO_SENTENCES) {
    candidates.push(...sentencesOf(text), text.slice(text.lastIndexOf(': ') + 1));
  }
  return candidates.some(isWish) || (text.length <= MAX_FROM_LIST && FROM_LIST.test(text));
}

/** `bitte aus dem verteiler nemen`: with any verb, misspelt or missing. */
const MAX_FROM_LIST = 80;
const FROM_LIST =
  /(?<!\p{L})(?:(?:off|from|out of) (?:your|the|this|ur) (?:mailing |e-?mail |distribution )?(?:list|database)|(?:aus|von) (?:dem|ihrem|eurem|der|ihrer|eurer|deinem|diesem) (?:e-?mail-?|mailing)?(?:verteiler|liste|datenbank)|de (?:votre|vos|la|cette) (?:listes?|base|fichiers?)|de (?:su|la|esta|vuestra|tu) (?:lista|base)|d(?:a|alla) (?:vostra|sua|questa)? ?(?:mailing ?list|lista)|da (?:sua|vossa)? ?lista|(?:van|uit) (?:de|deze|uw|je|jullie) (?:mail|mailing)?(?:lijst|bestand)|z (?:waszej |panstwa |tej )?(?:listy|bazy)(?: mailingowej)?|из (?:рассылки|списка|базы)|з (?:розсилки|списку|бази)|ze? (?:seznamu|zoznamu|databaze)|listarol|din lista|fran (?:listan|er lista)|fra (?:listen|listene|jeres liste))(?!\p{L})(?!.{0,40}\?)/u;

/** Its parts ask for it, or are politeness. Emoji and marks say nothing: `*Unsubscribe* 🙏`, `• “stop”`. */
function isWish(line: string): boolean {
  if (line.length > MAX_LINE) return false;
  const parts = line.split(PARTS).map(bare);
  const others = parts.filter((part) => part !== '' && !some(POLITE, part));
  return others.length > 0 && others.every(isStop);
}

/** In folded text: a typographic apostrophe is a plain one. `~` and `_` stand round words in bold. */
const PARTS =
  /["'“”„«»‹›「」『』【】《》()[\]{}<>*_~•/]|[,.!?:;。、，！،؛؟।❗❕]+| - |\s-+\s?|[\p{Extended_Pictographic}\p{Regional_Indicator}]+/u;

function isStop(part: string): boolean {
  let rest = part;
  for (let more = MAX_POLITE; more >= 0; more -= 1) {
    if (some(STOP, rest)) return true;
    const end = POLITE_ENDS.find((pattern) => pattern.test(rest));
    if (!end) return false;
    rest = rest.replace(end, '').trim();
  }
  return false;
}

const isAboutOther = (sentence: string): boolean =>
  OFFERED.test(sentence) ||
  (NO_REPLY.test(sentence) && !OWN.test(sentence)) ||
  (LAW.test(sentence) && (isQuestion(sentence) || ASKED.test(sentence)) && !OWN.test(sentence)) ||
  OF_OTHERS.test(sentence) ||
  LINKED.test(sentence) ||
  (THINGS.test(sentence) && !MAILS.test(sentence));

const isFurtherTalk = (clause: string): boolean =>
  !NOT.test(clause) && !CONFIRM.test(clause) && some(KEEPS, clause) && !some(OPT_OUT, clause);

/** `Do you do that?` Not questions about the address's origin, nor about repeated opt-outs. */
const asksMore = (sentence: string): boolean =>
  isQuestion(sentence) &&
  !ORIGIN.test(sentence) &&
  !some(OPT_OUT, sentence) &&
  !isWish(sentence) &&
  (some(PERSONAL, sentence) || some(TALK, sentence));

export const isQuestion = (sentence: string): boolean => /[?？؟]\s*$/.test(sentence);

export const sentencesOf = (text: string): string[] => text.split(SENTENCE_END);

const SENTENCE_END = new RegExp(
  String.raw`(?<=[!?。？！؟])|(?<=\D\.)(?<!${ABBREVIATION})(?=\s)|(?<=\d\.)(?=\s+\p{L}{2,}\s)`,
  'u',
);

/** The boundary between two wishes. */
const CLAUSES =
  /[,;:.!?。、،؛؟()]| - |(?<!\p{L})(?=(?:but|however|just|rather|instead|sondern|aber|lieber|mais|plutot|pero|sino|mejor|(?<!nu )ma|meglio|mas|melhor|maar|liever|ale|tylko|lepiej|но|лучше|але|краще|hanem|inkabb|dar|mai bine|αλλα|καλυτερα|אלא|אבל|עדיף|لكن|ولكن|بل|ama|fakat|men|utan|radeji|radsej|а по-добре|vaan|mutta)(?!\p{L}))|(?=但|而|可以)/u;

/** `I don't want your offer` shows no interest. */
const NOT =
  /(?<!\p{L})(?:not?|never|dont|neither|nor|without|ohne|sans|sin|senza|sem|zonder|bez|без|fara|χωρις|ללא|بدون|stop|nicht|kein\p{L}*|nie|niemals|ne|n'|pas|plus|jamais|nunca|ni|non|nao|nem|niet|geen|nooit|не|нет|никогда|ні|ніколи|nu|δεν|μην?|לא|אל|אין|inte|ikke|aldrig|لا|لم|لن|عدم|ei|en|emme|alkaa|ala|ne\p{L}{4,}te|nie som|nemam|nechc\p{L}+)(?!\p{L})|n't\b|[不别別勿没沒]|ない|なく|ません|不要|m[ae]yin|istemiyor|degil|않|마세요|말아|없/u;

const OPPOSITE =
  /(?<!\p{L})(?:don't|do not|never|didn't|can't|cannot|won't|wouldn't|please don't) (?:please |ever )?(?:want to |wish to |need to |have to )?(?:stop|unsubscribe|remove (?:me|us) from)(?!\p{L})/u;

/** The writer's own readers, customers and lists: the sentence is about their mailings. */
const OF_OTHERS =
  /(?<!\p{L})(?:(?:our|their|my) (?:\p{L}+ )?(?:customers|clients|readers|subscribers|users|guests|members|patients|newsletters?|people|mailing|visitors|parents|fans)|customers|subscribers|do (?:people|users|drivers|recipients)|(?:unser|mein)\p{L}* (?:kund|lese|abonnent|nutzer|gast|gaste|mitglied|newsletter|patient)\p{L}*|leute|kund(?:en|innen)|nos (?:clients?|abonnes|lecteurs|utilisateurs|adherents)|notre (?:newsletter|infolettre)|(?:nuestr[oa]s?) (?:clientes?|usuarios|suscriptores|boletin|lectores|newsletter)|(?:nostr[aeio]) (?:clienti|utenti|iscritti|lettori|newsletter)|(?:noss[oa]s?) (?:clientes|utilizadores|usuarios|leitores|newsletter|assinantes)|(?:onze|ons) (?:klanten|lezers|nieuwsbrief|abonnees|leden)|(?:nasi|naszych|nasz) (?:klienci|klientow|newsletter|czytelni\p{L}+)|наш\p{L}* (?:клиент|клиєнт|клієнт|подписчик|підписник|рассылк|розсилк|читател|читач)\p{L}*|vara (?:kunder|lasare)|vore? (?:kunder|laesere)|vare kunder|(?:nasi|nase) (?:zakaznici|klienti|zakaznik)|asiakkaamme|ugyfeleink|clientii nostri|πελατες μας|musterilerimiz)(?!\p{L})|(?:我们|我們)的?(?:客户|客戶|用户|读者|讀者)|お客様が|고객(?:들)?이|הלקוחות שלנו|عملاؤنا/u;

/** `Please confirm in writing` that it was done. */
const CONFIRM =
  /confirm|bestatig|conferm|potwierd|bevestig|подтверд|підтверд|bekraft|bekreft|vahvist|potvr|igazol|onayla|επιβεβαι|[确確][认認]/u;

/** `Do not reply to this message` is typical of machines. */
const NO_REPLY =
  /(?<!\p{L})(?:not|nicht|pas|no|non|nao|niet|nie|не|inte|ikke|ala|alkaa|ne|nu|μην?) (?:\S+ ){0,3}?(?:repl(?:y|ies)|respond|answer|antwort\p{L}*|beantwort\p{L}*|repondre|repondez|respond[ae]n?|responder|rispond\p{L}+|antwoord\p{L}*|beantwoord\p{L}*|odpowiada\p{L}*|отвеча\p{L}*|відповіда\p{L}*|svar\p{L}*|besvar\p{L}*|vastat\p{L}*|valaszol\p{L}*|raspund\p{L}*|απαντ\p{L}+|odpovid\p{L}*)(?!\p{L})|antworten sie (?:bitte )?nicht|yanitlamay|cevaplamay|请勿回复|請勿回覆|返信しない|ご返信いただいても/u;

/** `Do you comply with the GDPR?` asks about us; `Would you delete my data? GDPR` does not. */
const LAW =
  /(?<!\p{L})(?:gdpr|dsgvo|rgpd|avg|rodo|kvkk|lgpd|lopd|datenschutz|data protection)(?!\p{L})/u;
const ASKED =
  /^\s*(?:do|does|is|are|how|what|ist|sind|wie|est|comment|es|como|come|sao|zijn|hoe|czy|jak)(?!\p{L})/u;
const OWN =
  /(?<!\p{L})(?:my|me|us|meine\p{L}*|mich|uns|mes|mon|moi|mis|mi|miei|mio|meus|meu|mijn|mij|moje|moich|мои|моих|мои|мене)(?!\p{L})/u;

/** `Unsubscribe here: https://...`: an offer by the writer, no opt-out. */
const LINKED =
  /https?:\/\/|(?<!\p{L})(?:click|klick\p{L}*|cliquez|haga clic|clicca\p{L}*|clique|klik|kliknij|kliknete|нажмите|натисніть|perejdite|перейдите)(?!\p{L})|点击|點擊|クリック|클릭/u;

/** `Answer no and I'll stop`, `you can exercise your rights`: an offer by the writer, no opt-out. */
const OFFERED =
  /(?:should|shall) (?:i|we) (?:stop|remove|take)|you can object|(?:if you|in case you|falls sie|wenn sie|sollten sie|si vous|si tu|si usted|si ya|si no|se non|se nao|als u|als je|jesli|если|якщо|dac[a] nu) .{0,30}(?:n't|not|no longer|rather|prefer|kein|nicht|plus|pas|desea|quiere|desider|vuole|vuoi|quiser|quer|deseja|geen|niet|nie|не|doriti).{0,60}(?:repl|answer|respond|let me|say|just|click|antwort|sagen|schreib|klick|dites|repond|clique|respond|diga|haga|rispond|dica|clicc|antwoord|laat|klik|odpisz|kliknij|ответ|відпов|напиш|raspund)|(?:i'll|i will|we'll|we will) (?:stop|not|never|remove|take you)(?!\p{L})|(?:you (?:can|may)|puede[ns]?|podra|vous pouvez|konnen sie|puo|potete|pode|kunt u) (?:\p{L}+ ){0,3}(?:exercise|ejercer|exercer|ausuben|esercitare|uitoefenen)/u;

/** `Don't send brochures, just the price`: only a part is unwanted. */
const THINGS =
  /(?<![\p{L}.])(?:brochure|broschure|prospekt|folder|katalog|catalog|pdf|powerpoint|slides|price list|preisliste|прайс|прайс-лист|примеры|приклади|examples?|ejemplos?|esempi|exempl|beispiele?|voorbeeld|przyklad|prikla|pelda|samples?|muster|invoice|rechnung|factur|fattur|fatura|faktur|position \d|punkt \d|point \d|vertrag|contract|clause|calend[ae]r (?:link|invite)|kalender|attachment|anhang|typo|slider|photo|image|bilder|seiten von|pages? (?:from|of)|alten? entwurf|drafts?|cookies?)\p{L}*/u;
const MAILS =
  /(?:mail|communicat|contact|kontakt|correo|nachricht|message|mensaj|messagg|mensag|bericht|wiadomo|письм|лист|повідом|сообщен|зprav|sprav|uzenet|level|viest|meddel|besked|μηνυμ|מייל|הודע|رسائل|[邮郵]件|メール|메일|mesaj|имейл|съобщ|newsletter|list|adress|data|dane|dati|daten|datos|dados|donnees)/u;

/** `Who gave you my address?`, `How many times must I ask?`, `Are you deaf?` */
const ORIGIN =
  /where (?:did|do|have) you|what (?:does|will|would) it take|why (?:am|do) i (?:still|keep)|who gave|how (?:did|do) you (?:get|have)|how (?:many|often)|are you (?:deaf|kidding|stupid|blind|serious)|what part of|don't you|understand|(?:woher|wie oft|wieso|warum|wer hat)|(?:d'ou|combien de fois|comment avez|qui vous)|(?:de donde|cuantas veces|quien (?:le|os|te))|(?:da dove|quante volte|chi vi|dove avete)|(?:de onde|quantas vezes|quem)|(?:waar heb|hoe vaak|wie heeft)|(?:skad|ile razy|kto)|(?:откуда|сколько раз|кто|звидки|звідки|скільки разів|хто)|honnan|de unde|odkud|odkial|(?:var|varifran) har ni|hvor har|mista|που βρηκ|πωσ βρηκ|מאיפה|מניין|من اين|كيف حصلت|nereden|откъде|odakle|[从從]哪|哪[里裡]得到|怎么有我|どこで|어디서|어떻게 알/u;
