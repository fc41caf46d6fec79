/** The signature below the writer's name: it describes the writer, and is no answer. */
import { folded } from './folding.ts';

const MAX_NAME_LINE = 50;
const POSTSCRIPT = /^(?:p\. ?s\.?|ps|nb|n\.b\.|p\.p\.s\.?)(?![\p{L}\p{N}])/u;

/** `names`: words of the writer's name, folded. The first line is never their signature. */
export function withoutSignature(words: string, names: readonly string[]): string {
  const lines = words.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  // Helpdesks put the name above what was written, too.
  const at = lines.findLastIndex(
    (line, index) => index > first && isName(folded(line).trim(), names),
  );
  if (at < 0) return words;
  const below = lines.slice(at + 1);
  const postscript = below.findIndex((line) => POSTSCRIPT.test(folded(line).trim()));
  return [...lines.slice(0, at + 1), ...(postscript < 0 ? [] : below.slice(postscript))].join('\n');
}

/** `Deirdre`, `Deirdre Mullan | Mullan Fisheries`, `D. Mullan`. */
function isName(line: string, names: readonly string[]): boolean {
  if (line === '' || line.length > MAX_NAME_LINE || /[?!:]/.test(line)) return false;
  const words = line.split(/[|,/]/)[0]!.match(/\p{L}+/gu) ?? [];
  return (
    words.length > 0 &&
    words.length <= 3 &&
    words.some((word) => names.includes(word)) &&
    words.every((word) => word.length === 1 || names.includes(word))
  );
}
