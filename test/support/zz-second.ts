import { SECOND } from '../corpus/sayings/second.ts';
import { quoted, raw } from '../corpus/mail/letter.ts';
import { scoreMessages } from './score-messages.ts';
const SENT = '<o.7f3a9c51@mail.acme-outreach.test>';
const ms = SECOND.map(([is, text, subject = 'Re: A question', headers = {}], i) => ({ id: `${i} ${text.slice(0, 110)}`, class: is,
  raw: raw({ text: text + (is !== 'auto_reply' && i % 2 ? quoted : ''), subject, to: 'Anna Weber <anna@mail.acme-outreach.test>', headers: { 'In-Reply-To': SENT, References: SENT, ...headers } }) }));
const { rows, mistakes } = await scoreMessages(ms);
console.table(rows.slice(0, 3));
for (const m of mistakes) console.log(m.class, '->', m.taken, '|', m.id);
