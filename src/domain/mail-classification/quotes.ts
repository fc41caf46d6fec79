/** A letter's own words: what it quotes is somebody else's, often ours. */

/** What mail programs put over the letter that is answered, by what such lines begin or end with. */
const WROTE = [
  // On Mon, 3 Nov 2026 at 10:00, Ann <ann@acme.com> wrote:
  /^\s*(?:on|am|le|el|il|em|op|dnia|w dniu|den|pe|vào)\b.{4,200}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał|napisała|pisze|skrev)\b.{0,80}:\s*$/iu,
  /^\s*.{2,120}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał(?:\(a\))?)\s*:\s*$/iu,
];
const DASHED =
  /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|wiadomość oryginalna)\b.*$/iu;
const RULE = /^_{10,}\s*$/;
const FROM = /^\s*(?:from|von|de|da|van|od)\s*:\s*.+(?:@|<).*$/iu;

/** Lines at the end that are not the answer: `-- ` by RFC 3676, 4.3. */
const SIGNATURE = /^-- ?$/;

const MAX_CHARS = 20_000;

/** The text above the quote, without quoted lines and signature. */
export function ownWords(text: string): string {
  const own: string[] = [];
  const lines = text.slice(0, MAX_CHARS).replaceAll('\r', '').split('\n');
  for (const [at, line] of lines.entries()) {
    if (SIGNATURE.test(line)) break;
    if (line.trimStart().startsWith('>')) continue;
    // Mail programs break a long introduction in two.
    const joined = `${line} ${lines[at + 1] ?? ''}`.trimEnd();
    if (isIntroduction(line) || isIntroduction(joined)) {
      if (own.some((each) => each.trim() !== '')) break;
      continue;
    }
    own.push(line);
  }
  return own.join('\n').trim();
}

/** The patterns are slow; most lines are told by their ends alone. */
function isIntroduction(line: string): boolean {
  if (line.length >= 400) return false;
  const words = line.trim();
  if (words.endsWith(':') && WROTE.some((pattern) => pattern.test(line))) return true;
  if (words.startsWith('--')) return DASHED.test(line);
  return words.startsWith('__') ? RULE.test(line) : words.includes(':') && FROM.test(line);
}
