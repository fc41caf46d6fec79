/** What the writer of an answer wrote, and nothing around it. */
import { ownWords } from '../mail-classification/quotes.ts';

/** What the writer wrote: without the quote, and without what is below their farewell. */
export function answerIn(text: string): string {
  const lines = ownWords(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const at = lines.findIndex((line, index) => index > 0 && FAREWELL.test(line.trim()));
  const kept = at < 0 ? lines : [...lines.slice(0, at), ...lines.slice(at).filter(isPostscript)];
  return kept.filter((line) => !SENT_FROM.test(line)).join('\n');
}

const isPostscript = (line: string): boolean => /^(?:p\.? ?s\.?|nb|пс)\b/iu.test(line.trim());

/** A line of nothing else. */
const FAREWELL =
  /^(?:(?:with )?(?:kind|best|warm|many)?\s*(?:regards|wishes)|best|cheers|thanks|thank you|sincerely|yours\b.*|all the best|br|rgds|(?:mit )?(?:freundlichen?|herzlichen?|besten?|vielen?|schönen?|liebe[nr]?)?\s*gr(?:ü|ue)(?:ß|ss)en?.*|mfg|vg|lg|gru(?:ß|ss)|(?:bien )?cordialement|bien à vous|salutations.*|(?:un )?(?:cordial(?:es)? )?saludos?(?: cordiales)?|atentamente|(?:cordiali |distinti )?saluti|cordialmente|(?:com os )?(?:melhores )?cumprimentos|atenciosamente|abraços?|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en)?|mvg|(?:z )?(?:poważaniem|wyrazami szacunku)|pozdrawiam(?: serdecznie)?|pozdrowienia|с уважением|всего доброго|всего хорошего|(?:saygılarım(?:la|ızla)|saygılar|iyi çalışmalar|iyi günler|sevgiler|kolay gelsin))[\s,.!–-]*$/iu;

const SENT_FROM =
  /^\s*(?:sent from my|von meinem .{1,30} gesendet|gesendet von|envoyé de(?:puis)? mon|enviado desde mi|enviado do meu|inviato da|verzonden (?:vanaf|met)|wysłane z|отправлено с|gönderildi|iphone'umdan).*/iu;
