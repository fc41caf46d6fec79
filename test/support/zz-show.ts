import {readFileSync} from 'node:fs';
import { readLetter } from '/work/w-answers/activities/inbox/read-letter.ts';
import { ownWords } from '/work/w-answers/src/domain/mail-classification/quotes.ts';
import { classOf } from '/work/w-answers/test/support/score-messages.ts';
const [,, file, from, to] = process.argv;
const ms = JSON.parse(readFileSync(file,'utf8'));
for (const m of ms.slice(+from, +to)) {
  const source = Buffer.from(m.raw.replaceAll(/\r?\n/g,'\r\n'));
  const l = await readLetter({uid:1,flags:[],internalDate:new Date('2026-11-21'),sizeBytes:source.length,source,isWhole:true} as any,new Set(['anna@mail.acme-outreach.test']));
  const t = await classOf(m.raw);
  const h=[...l.headers.keys()].filter(k=>/auto|prece|suppress|list-|ticket|generated/.test(k)).map(k=>k+'='+l.headers.get(k)).join('; ');
  console.log(`## ${m.id} ${m.class}${t===m.class?'':' !!!!!! '+t} | ${l.subject} | ${h}\n${ownWords(l.bodyText)}`);
}
