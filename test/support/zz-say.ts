import { MORE_SAYINGS } from '../corpus/sayings/index.ts';
import { quoted, raw } from '../corpus/mail/letter.ts';
import { classOf } from './score-messages.ts';
const SENT = '<o.7f3a9c51@mail.acme-outreach.test>';
const ans = (text: string, q: boolean) => raw({ text: text + (q ? quoted : ''), subject: 'Re: A question', to: 'Anna <anna@mail.acme-outreach.test>', headers: { 'In-Reply-To': SENT, References: SENT } });
const tot: any = {};
const only = process.argv[2];
for (const [lang, s] of Object.entries(MORE_SAYINGS)) {
  if (only && only !== lang) continue;
  for (const [cls, texts, q] of [['auto_reply', s.automatic, false], ['unsubscribe', s.optOuts, true], ['reply', s.answers, true]] as const)
    for (const t of texts) {
      const got = await classOf(ans(t, q));
      const k = (tot[cls] ??= { n: 0, ok: 0 }); k.n++; if (got === cls) k.ok++; 
      else { console.log(lang, cls, '->', got, '|', t); }
      tot['as_' + got] = (tot['as_' + got] ?? 0) + 1;
    }
}
console.log(tot);
