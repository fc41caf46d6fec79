import { readSigns } from '../../src/domain/mail-classification/signs.ts';
import { LANGUAGES } from '../../src/domain/mail-classification/phrases/index.ts';
import { folded, patternOf } from '../../src/domain/mail-classification/folding.ts';
const t = process.argv[2]!.replaceAll('\\n','\n');
console.log(JSON.stringify(readSigns(t, ['anna','weber'])));
const f = folded(t).trim();
for (const part of ['away','left','received','automatic','optOut','personal','talk','keeps','urgent'] as const)
  for (const L of LANGUAGES) for (const p of L[part]) { try { const m = patternOf([p], L.isSpaced).exec(f); if (m && !(part==='talk')) console.log(part, L.subjects[0]!.slice(0,12), '|', m[0], '|', p.slice(0,90)); } catch(e) { console.log('BAD', part, p) } }
