import { splitQuote } from '../../src/domain/mail-classification/quotes.ts';
import { readSigns, isAutomaticSubject } from '../../src/domain/mail-classification/signs.ts';
import { hintsIn } from '../../src/domain/mail-classification/hints.ts';
import { LANGUAGES } from '../../src/domain/mail-classification/phrases/index.ts';
import { folded, patternOf } from '../../src/domain/mail-classification/folding.ts';
import { ownSubject } from '../../src/domain/mail-classification/unsubscribe-requests.ts';
const piece = process.argv[2]!.replaceAll('\\n', '\n');
const text = piece.repeat(Math.ceil(2000 / piece.length)).slice(0, 1500);
const t = (name: string, f: () => unknown) => { const s = performance.now(); f(); const d = performance.now() - s; if (d > 20) console.log(name, d.toFixed(0)); };
const f = folded(text);
t('hints', () => hintsIn(f.slice(0,800)));
t('split', () => splitQuote(piece.repeat(20000/piece.length)));
t('ownSubject', () => ownSubject(text.repeat(3)));
for (const part of ['away','left','received','automatic','optOut','personal','talk','keeps','urgent','subjects'] as const)
  for (const L of LANGUAGES) for (const p of L[part]) t(part + ' ' + p.slice(0, 120), () => patternOf([p], L.isSpaced).test(f));
for (const part of ['stop','polite'] as const)
  for (const L of LANGUAGES) for (const p of L[part]) t(part + ' ' + p.slice(0, 120), () => new RegExp(`^(?:${patternOf([p], L.isSpaced).source})$`,'u').test(f.slice(0, 300)));
t('subject', () => isAutomaticSubject(text));
t('signs', () => readSigns(text, ['anna']));
