/** A message's own text: quoted text is another writer's, often ours. */
import { visible } from './folding.ts';

/** Introductions of a quote by mail programs, by how such lines begin or end. */
const WROTE = [
  // On Mon, 3 Nov 2026 at 10:00, Ann <ann@acme.com> wrote:
  /^\s*(?:on|am|le|el|il|em|op|dnia|w dniu|den|pe|în|vào|στις|בתאריך|ב-?|في|من|à|a)(?![\p{L}]).{4,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał|napisała|pisze|skrev|a scris|έγραψε|כתבה?|כתב\/ה|כתב|كتب|írta|yazdı)(?![\p{L}]).{0,80}[:：]\s*$/iu,
  /^\s*.{2,160}(?<![\p{L}])(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał(?:\(a\)|a)?|пишет|написала?|написал\(а\)|пише|написав|написала|írta|írta a következőt|a scris|έγραψε|כתבה?|كتب(?:ت)?|yazdı|şunları yazdı|skrev|kirjoitti|napsal\(?a?\)?)(?: følgende)?\s*[:：]\s*$/iu,
  /^\s*.{2,160}(?:写道|寫道|のメール|書きました|(?:이\(가\)|님이) ?쓴 글|wrote)\s*[:：]\s*$/iu,
  // With the date: without it people write such lines, too.
  /^\s*(?:на|dňa|dana|dne|дана)\s+\d.{2,160}(?<![\p{L}])(?:написа(?:ла|л|о|о\/ла)?|napísal(?:a|\(a\))?|napisa(?:o|la|o\/la|l|l\/a|l\(a\)))\s*[:：]\s*$/iu,
  /^\s*.{2,80}(?<![\p{L}])(?:kirjoitti|kirjutas)(?![\p{L}]).{0,20}\d{1,2}\.\d{1,2}\.\d{2,4}.{0,20}[:：]\s*$/iu,
];
const DASHED =
  /^\s*-{2,}\s*(?:original message|forwarded message|original appointment|reply message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine|message original|message transféré|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|wiadomość oryginalna|oryginalna wiadomość|исходное сообщение|пересылаемое сообщение|оригинальное сообщение|вихідне повідомлення|оригінальне повідомлення|原始邮件|原始郵件|原邮件|回复的原邮件|元のメッセージ|original message|eredeti üzenet|mesaj original|mesajul original|αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية|orijinal (?:mesaj|ileti|e-?posta)|özgün ileti|ursprungligt meddelande|opprinnelig melding|oprindelig meddelelse).*$/iu;
const RULE = /^_{10,}\s*$/;
const FROM =
  /^[\s*>]*(?:from|von|de|da|van|od|från|fra|lähettäjä|от|від|发件人|寄件者|差出人|送信者|feladó|de la|expeditor|από|מאת|من|kimden|gönderen)\*?\s*[:：]\*?\s*.+(?:@|<).*$/iu;
/** Helpdesks ask to keep this line; the text above it is new. */
const ABOVE = /^[\s#-]*(?:please )?(?:type|write|enter) your (?:reply|response) above this line/i;

/** Companies' standard disclaimers; they ask to delete messages, but are no opt-outs. */
const DISCLAIMER =
  /confidenti|privileged|intended (?:recipient|solely|only)|vertraulich|riservat[oa]|riservatezza|confiden[cz]i|vertrouwelijk|poufn|конфиденц|конфіденц|gizli|bizalmas|εμπιστευτικ|保密|机密|機密|חסוי|سري(?:ة)?(?!\p{L})/iu;
const MIN_DISCLAIMER = 90;

/** Lines at the end that are not the answer: `-- ` by RFC 3676, 4.3. */
const SIGNATURE = /^-- ?$/;

const MAX_CHARS = 20_000;

export interface Split {
  /** The text above the quote, or between its lines, without signature. */
  words: string;
  /** Without its introduction; undefined where there is none. */
  quote: string | undefined;
}

const unquoted = (line: string): string =>
  line.replace(/^[\s>\p{Default_Ignorable_Code_Point}]+/u, '');

export const ownWords = (text: string): string => splitQuote(text).words;

export function splitQuote(text: string): Split {
  const own: string[] = [];
  const quote: string[] = [];
  let hasQuote = false;
  const kept = text.slice(0, MAX_CHARS).replaceAll('\r', '');
  const written = kept.split('\n');
  // Letters of one spelling, and no marks of direction before them.
  const lines = visible(kept.normalize('NFC')).split('\n');
  for (const [at, line] of lines.entries()) {
    if (SIGNATURE.test(line)) break;
    if (ABOVE.test(line)) continue;
    if (line.trimStart().startsWith('>')) {
      hasQuote = true;
      quote.push(unquoted(written[at]!));
      continue;
    }
    if (line.length >= MIN_DISCLAIMER && own.length > 0 && DISCLAIMER.test(line)) break;
    // Mail programs wrap a long introduction.
    const joined = `${line} ${lines[at + 1] ?? ''}`.trimEnd();
    if (isIntroduction(line) || isIntroduction(joined) || isHeading(lines, at)) {
      hasQuote = true;
      if (own.every((each) => each.trim() === '')) continue;
      quote.push(...written.slice(at + 1).map(unquoted));
      break;
    }
    own.push(written[at]!);
  }
  return {
    words: own.join('\n').trim(),
    quote: hasQuote ? quote.join('\n') : undefined,
  };
}

/** `From: Ann <ann@acme.com>`, `Sent: ...`, `Subject: ...`: in any language, as Outlook has it. */
const FIELD = /^[\s*>]*\p{L}[\p{L}\p{M} \u00a0\u202f.-]{1,24}\*?\s{0,2}[:：]\*?\s*\S/u;
const MIN_FIELDS = 3;

function isHeading(lines: readonly string[], at: number): boolean {
  const block = lines.slice(at, at + MIN_FIELDS);
  return (
    block.length === MIN_FIELDS &&
    block.every((line) => line.length < 400 && FIELD.test(line)) &&
    block.some((line) => /@|\b(?:19|20)\d\d\b/.test(line))
  );
}

/** `... <ann@acme.com> ...:` in whatever language. */
const ADDRESSED = /<[^<>\s]+@[^<>\s]+>[^:：]{0,60}(?:\(.{0,80}\)\s*)?[:：]$/;

/** The patterns are slow; most lines are ruled out by their ends alone. */
function isIntroduction(line: string): boolean {
  if (line.length >= 400) return false;
  const words = line.trim();
  if (/[:：]$/.test(words) && (ADDRESSED.test(words) || WROTE.some((each) => each.test(line)))) {
    return true;
  }
  if (words.startsWith('--')) return DASHED.test(line);
  return words.startsWith('__') ? RULE.test(line) : /[:：]/.test(words) && FROM.test(line);
}
