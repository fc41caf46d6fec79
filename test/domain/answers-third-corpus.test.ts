/** A third and a fourth collection of sayings, of people and of machines, in 35 languages. Choice 34. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { raw } from '../corpus/mail/message.ts';
import { classOf, type TakenFor } from '../support/inbox/score-messages.ts';

interface Saying {
  class: TakenFor;
  text: string;
  subject?: string;
  headers?: Record<string, string>;
  /** It names no message that it answers. */
  isAlone?: true;
}

const SAYINGS = ['third', 'fourth'].flatMap((name) => {
  const file = new URL(`../corpus/sayings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Saying[];
});
const ANSWERING = { 'In-Reply-To': '<o.7f3a9c51@mail.acme-outreach.test>' };

const source = ({ text, subject = 'Re: A question', headers, isAlone }: Saying): string =>
  raw({
    text,
    subject,
    from: 'Robin Kestrel <r.kestrel@lead.example>',
    to: 'Anna Weber <anna@mail.acme-outreach.test>',
    headers: { ...(isAlone ? {} : ANSWERING), ...headers },
  });

it.each(['reply', 'auto_reply', 'unsubscribe', 'other', 'needs_review'])(
  'knows every %s',
  async (kind) => {
    const sayings = SAYINGS.filter((each) => each.class === kind);
    expect(sayings.length).toBeGreaterThan(0);
    const taken = await Promise.all(sayings.map((each) => classOf(source(each))));
    const misread = sayings.flatMap(({ text }, at) =>
      taken[at] === kind ? [] : [`${taken[at]}: ${text}`],
    );
    expect(misread).toEqual([]);
  },
);
