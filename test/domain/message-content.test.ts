/**
 * Messages: both parts, the headers that mail programs act on, threads, tracking.
 * docs/sending-rules.md#form-of-a-message.
 */
import { describe, expect, it } from 'vitest';
import type { CampaignStep } from '../../src/domain/campaigns/campaigns.ts';
import { sequenceOf } from '../../src/domain/campaigns/follow-ups.ts';
import { guessLanguage, MESSAGE_LANGUAGES } from '../../src/domain/sending/message-languages.ts';
import { answerTo } from '../../src/domain/sending/answer-subjects.ts';
import {
  chooseVariant,
  renderMessage,
  threadOf,
  type MessageOrder,
} from '../../src/domain/sending/message-content.ts';
import { templateProblems } from '../../src/domain/campaigns/templates.ts';

const step = (change: Partial<CampaignStep> = {}): CampaignStep => ({
  position: 0,
  delayDays: 0,
  subjectTemplate: 'Hello {{firstName}}',
  bodyTemplate: 'Hi {{firstName}},\n\nsee https://acme.example/?a=1&b=2.\nBye',
  variants: [],
  ...change,
});
const unsubscribeUrl = 'https://outreach.example/u/abc?x=1&y=2';
const way = { unsubscribeUrl, unsubscribeToken: 'abc' };
const order = (change: Partial<MessageOrder> = {}): MessageOrder => ({
  step: step(),
  variant: 0,
  seed: { campaignId: 1, leadId: 2, position: 0 },
  recipient: { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.example', company: 'A & B' },
  sender: { name: 'Bob', email: 'bob@send.example', postalAddress: '1 Main Street\nSpringfield' },
  links: way,
  language: 'en',
  thread: null,
  ...change,
});

describe('renderMessage', () => {
  it.each([
    ['', '', 'Hi there,'],
    ["Joe's Pizza & Grill – Downtown", '', 'Hi there,'],
    ['Joe', '', 'Hi Joe,'],
    ["Joe's Pizza & Grill –", 'Downtown', 'Hi there,'],
    ["Joe's", 'Pizza', 'Hi there,'],
    ["Joe's Pizza", '', 'Hi there,'],
  ])('greets nobody by the name of their business: %s', (firstName, lastName, greeting) => {
    const company = "Joe's Pizza & Grill – Downtown";
    const recipient = { firstName, lastName, email: 'info@joes.example', company };
    const bodyTemplate = 'Hi {{firstName|there}},';
    const { text } = renderMessage(order({ recipient, step: step({ bodyTemplate }) }));
    expect(text.split('\n')[0]).toBe(greeting);
  });

  it.each([
    ['N/A', 'N/A', '-'],
    ['n/a', 'Lee', 'N/A'],
    ['-', '', 'null'],
    ['(unknown)', '.', 'Unknown'],
    ['#N/A', '#N/A', '#N/A'],
    ['Unbekannt', 'Unbekannt', '–'],
  ])(
    'takes %s, %s and %s for nothing, as files fill their columns',
    (firstName, lastName, company) => {
      const recipient = {
        firstName,
        lastName,
        email: 'a@b.example',
        company,
        city: '--',
        role: 'N/A',
      };
      const bodyTemplate =
        'Hi {{firstName|there}}, {{company|your company}} in {{city|your town}}, {{role|boss}}';
      const { text } = renderMessage(order({ recipient, step: step({ bodyTemplate }) }));
      expect(text.split('\n')[0]).toBe('Hi there, your company in your town, boss');
    },
  );

  it.each(['N. A.', 'K. A.', 'Na', 'Nil', 'X', 'An', "O'Neil", 'Ю', '王'])(
    'takes %s for a name',
    (firstName) => {
      const recipient = { firstName, lastName: 'Lee', email: 'a@b.example', company: null };
      const bodyTemplate = 'Hi {{firstName|there}},';
      const { text } = renderMessage(order({ recipient, step: step({ bodyTemplate }) }));
      expect(text.split('\n')[0]).toBe(`Hi ${firstName},`);
    },
  );

  it.each([
    ['a company made of the person', {}, 'Hi Ann,'],
    ['a company with a website', { website: 'https://annlee.example' }, 'Hi there,'],
    ['a business', { lastName: 'Lee GmbH', company: 'Ann Lee GmbH' }, 'Hi there,'],
  ])('greets somebody whose company has their name: %s', (_what, change, greeting) => {
    const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@lee.example', company: 'Ann Lee' };
    const bodyTemplate = 'Hi {{firstName|there}},';
    const recipient = { ...ann, ...change };
    const { text } = renderMessage(order({ recipient, step: step({ bodyTemplate }) }));
    expect(text.split('\n')[0]).toBe(greeting);
  });

  it('makes the HTML part of a text: paragraphs, breaks, links, all escaped', () => {
    const { subject, text, html } = renderMessage(order());
    expect(subject).toBe('Hello Ann');
    expect(text).toContain('Hi Ann,\n\nsee https://acme.example/?a=1&b=2.\nBye\n');
    expect(html).toContain('<p>Hi Ann,</p>');
    expect(html).toContain(
      '<a href="https://acme.example/?a=1&amp;b=2">https://acme.example/?a=1&amp;b=2</a>.<br>',
    );
  });

  it('makes the text part of HTML, and escapes values there alone', () => {
    const bodyTemplate = '<p>Hi {{firstName}} of {{company}}</p><ul><li>one</li></ul>';
    const { text, html } = renderMessage(order({ step: step({ bodyTemplate }) }));
    expect(html).toContain('<p>Hi Ann of A &amp; B</p>');
    expect(text).toContain('Hi Ann of A & B');
    expect(text).toContain('* one');
    expect(text).not.toContain('<');
  });

  it('names the sender with the postal address and the way out in both parts (CAN-SPAM)', () => {
    const { text, html } = renderMessage(order());
    for (const part of [text, html]) {
      for (const words of ['Bob', '1 Main Street', 'Springfield']) expect(part).toContain(words);
    }
    expect(text).toContain(`Unsubscribe: ${unsubscribeUrl}`);
    expect(html).toContain('href="https://outreach.example/u/abc?x=1&amp;y=2"');
  });

  it.each([
    ['{{company}}', '{{role}}', true],
    ['{{company}}', 'Hi', true],
    ['Hi', '{{role}},', true],
    ['Hi', '<p>{{role}}&nbsp;</p>', true],
    ['Hi', '<p><img src="https://acme.example/a.png"></p>', false],
    ['{{company|Hi}}', 'Dear {{role}}', false],
  ])(
    'tells a message of which nothing is left: %s, %s',
    (subjectTemplate, bodyTemplate, isEmpty) => {
      const recipient = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.example' };
      const message = renderMessage(
        order({ recipient, step: step({ subjectTemplate, bodyTemplate }) }),
      );
      expect(message.isEmpty).toBe(isEmpty);
    },
  );

  it('answers in the thread where nothing is left of the own subject of a follow-up', () => {
    const thread = { subject: 'Hello Ann', messageIds: ['<1@send.example>'] };
    const followup = step({ position: 1, subjectTemplate: '{{role}}' });
    const { subject, isEmpty } = renderMessage(order({ step: followup, thread }));
    expect({ subject, isEmpty }).toEqual({ subject: 'Re: Hello Ann', isEmpty: false });
  });

  it.each([
    ['de', 'Abmelden'],
    ['fr-CH', 'Se désabonner'],
    ['sv', 'Avsluta utskick'],
    ['zh-TW', '取消訂閱'],
    ['xx', 'Unsubscribe'],
  ])('says the way out in the language of the campaign: %s', (language, words) => {
    const { text, html } = renderMessage(order({ language }));
    expect(text).toContain(`${words}: ${unsubscribeUrl}`);
    expect(html).toContain(`>${words}</a>`);
    expect(html).not.toContain('dir="rtl"');
  });

  it.each([
    ['ar', 'إلغاء الاشتراك'],
    ['he-IL', 'להסרה מרשימת התפוצה'],
  ])('writes the footer from the right: %s', (language, words) => {
    const { text, html } = renderMessage(order({ language }));
    expect(text).toContain(`${words}: ${unsubscribeUrl}`);
    expect(html).toMatch(new RegExp(`<p dir="rtl" style=[^>]+>[^]*>${words}</a></p>`));
  });

  it('leaves the link where the template has it, and adds name and address alone', () => {
    const bodyTemplate = 'Hi. No more? {{unsubscribeUrl}}';
    const { text } = renderMessage(order({ step: step({ bodyTemplate }) }));
    expect(text.split(unsubscribeUrl)).toHaveLength(2);
    expect(text).not.toContain('Unsubscribe:');
    expect(text).toContain('1 Main Street');
  });

  it('adds the link where the spintax of the template has left it out', () => {
    for (let leadId = 1; leadId <= 20; leadId += 1) {
      const seed = { campaignId: 9, leadId, position: 0 };
      for (const bodyTemplate of [
        '{Stop: {{unsubscribeUrl}}|Bye}',
        '<p>{{{unsubscribeUrl}}|Bye}</p>',
      ]) {
        const { text, html } = renderMessage(order({ seed, step: step({ bodyTemplate }) }));
        expect(text.split(unsubscribeUrl)).toHaveLength(2);
        expect(html).toContain(unsubscribeUrl.replace('&', '&amp;'));
      }
    }
  });

  it('carries unsubscribing by one click (RFC 8058, 3.1) and by mail to the mailbox (RFC 2369)', () => {
    const byMail = '<mailto:bob@send.example?subject=unsubscribe%20abc>';
    expect(renderMessage(order()).headers).toEqual({
      'List-Unsubscribe': `<${unsubscribeUrl}>, ${byMail}`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it.each([
    ['jörg@send.example', 'j%C3%B6rg@send.example'],
    ['a+b%c&d?e#f@send.example', 'a%2Bb%25c%26d%3Fe%23f@send.example'],
    ["o'neil@send.example", "o'neil@send.example"],
    ['"a b"@send.example', '%22a%20b%22@send.example'],
  ])('names the mailbox %s in it as RFC 6068 wants it', (email, shown) => {
    const { headers } = renderMessage(order({ sender: { ...order().sender, email } }));
    const byMail = `<mailto:${shown}?subject=unsubscribe%20abc>`;
    expect(headers['List-Unsubscribe']).toBe(`<${unsubscribeUrl}>, ${byMail}`);
  });

  it('is the same message to the byte at every attempt', () => {
    const bodyTemplate = '{a|b|c} {d|e|f} {{firstName}}';
    for (let leadId = 1; leadId <= 20; leadId += 1) {
      const one = order({
        step: step({ bodyTemplate }),
        seed: { campaignId: 9, leadId, position: 0 },
      });
      expect(renderMessage(one)).toEqual(renderMessage(one));
    }
  });

  it('says the same in both parts, whatever spintax chooses', () => {
    for (let leadId = 1; leadId <= 20; leadId += 1) {
      const bodyTemplate = '<p>{<b>one</b>|<i>two</i>|three}</p>';
      const seed = { campaignId: 9, leadId, position: 0 };
      const { text, html } = renderMessage(order({ step: step({ bodyTemplate }), seed }));
      const word = /one|two|three/.exec(html!)![0];
      expect(text.startsWith(word)).toBe(true);
    }
  });

  it('no value adds a header, however it tries', () => {
    const recipient = { ...order().recipient, firstName: 'A\r\nBcc: x@evil.example' };
    expect(renderMessage(order({ recipient })).subject).toBe('Hello A Bcc: x@evil.example');
  });

  it('offers no link but to the web', () => {
    const bodyTemplate = '<a href="{{website}}">x</a>';
    const recipient = { ...order().recipient, website: 'javascript:alert(1)' };
    expect(renderMessage(order({ step: step({ bodyTemplate }), recipient })).html).not.toContain(
      'javascript',
    );
  });
});

describe('follow-ups', () => {
  const thread = { subject: 'Hello Ann', messageIds: ['<1@x>', '<2@x>'] };

  it('answer in the thread: Re:, In-Reply-To and References (RFC 5322, 3.6.4)', () => {
    const next = step({ position: 2, subjectTemplate: null });
    const { subject, headers } = renderMessage(order({ step: next, thread }));
    expect(subject).toBe('Re: Hello Ann');
    expect(headers).toMatchObject({ 'In-Reply-To': '<2@x>', References: '<1@x> <2@x>' });
    expect([answerTo('Re: a'), answerTo('AW: a'), answerTo('Rest')]).toEqual([
      'Re: a',
      'AW: a',
      'Re: Rest',
    ]);
  });

  it.each([
    'RE: x',
    'RE：x',
    'Re[2]: x',
    'Re (3): x',
    'AW: x',
    'VS: x',
    'RES: x',
    'R: x',
    'Antw: x',
    '回复：x',
    '回复: x',
    '答复: x',
    '回覆：x',
    '返信: x',
    '회신: x',
    'Отв: x',
    'НА: x',
    'ΑΠ: x',
    'Vá: x',
    'BLS: x',
    'TL: x',
    'תגובה: x',
    'رد: x',
    'ตอบ: x',
    '  re : x',
  ])('say once that they answer: %s', (subject) => {
    expect(answerTo(subject)).toBe(subject.trim());
  });

  it.each(['Reason: x', 'Fwd: x', 'Results: x', 'Q: x', 'Request for x'])(
    'say that they answer what only looks like an answer: %s',
    (subject) => expect(answerTo(subject)).toBe(`Re: ${subject}`),
  );

  it('go on in a thread that was sent with one more Re:', () => {
    const sent = ['回复：x', 'Re: 回复：x'].map((subject, n) => ({
      subject,
      messageId: `<${n}@x>`,
    }));
    expect(threadOf(sent)).toEqual({ subject: '回复：x', messageIds: ['<0@x>', '<1@x>'] });
  });

  it('with a subject of their own begin a thread of their own, in which the next ones go on', () => {
    const next = step({ position: 1, subjectTemplate: 'Something else, {{firstName}}' });
    const { subject, headers, isAnswer } = renderMessage(order({ step: next, thread }));
    expect({ subject, isAnswer }).toEqual({ subject: 'Something else, Ann', isAnswer: false });
    expect(Object.keys(headers)).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post']);
    const sent = [
      { subject: 'Hello Ann', messageId: '<1@x>' },
      { subject: 'Re: Hello Ann', messageId: '<2@x>' },
      { subject: 'Something else, Ann', messageId: '<3@x>' },
      { subject: 'Re: Something else, Ann', messageId: '<4@x>' },
    ];
    expect(threadOf([])).toBeNull();
    expect(threadOf(sent.slice(0, 2))).toEqual(thread);
    const begun = { subject: 'Something else, Ann', messageIds: ['<3@x>', '<4@x>'] };
    expect(threadOf(sent)).toEqual(begun);
    const last = renderMessage(order({ step: step({ subjectTemplate: null }), thread: begun }));
    expect(last.subject).toBe('Re: Something else, Ann');
    expect(last.headers).toMatchObject({ References: '<3@x> <4@x>' });
  });

  const plain = { followupDelayDays: 4, language: null };

  it('are built in where none are written: in turns, never the first text again (Choice 10)', () => {
    const first = step();
    const written = step({
      position: 1,
      delayDays: 2,
      bodyTemplate: 'Mine',
      subjectTemplate: null,
    });
    const messages = sequenceOf({ ...plain, steps: [first, written], maxFollowups: 5 });
    expect(messages.map(({ position, delayDays }) => [position, delayDays])).toEqual([
      [0, 0],
      [1, 2],
      [2, 4],
      [3, 4],
      [4, 4],
      [5, 4],
    ]);
    const bodies = messages.map(({ bodyTemplate }) => bodyTemplate);
    expect(new Set(bodies).size).toBe(6);
    expect(messages.slice(1).every(({ subjectTemplate }) => subjectTemplate === null)).toBe(true);
    for (const body of bodies) expect(templateProblems(body)).toEqual([]);
    const text = renderMessage(order({ step: messages[3]!, thread })).text;
    expect(text).toMatch(/^(Hi|Hello) Ann,/);
    expect(text).toContain('Bob');
  });

  it.each([...MESSAGE_LANGUAGES])(
    'are built in in the language of the campaign: %s',
    (language) => {
      const asked = sequenceOf({ ...plain, steps: [step()], maxFollowups: 6, language });
      const bodies = asked.slice(1).map(({ bodyTemplate }) => bodyTemplate);
      for (const [n, body] of bodies.entries()) {
        expect(templateProblems(body)).toEqual([]);
        expect(guessLanguage(body)).toBe(language);
        // Never one twice in a row, and the same as in English for all but its words.
        expect(body).not.toBe(bodies[n - 1]);
        for (let leadId = 0; leadId < 20; leadId += 1) {
          const seed = { campaignId: 1, leadId, position: n + 1 };
          const { text, isEmpty } = renderMessage(order({ step: asked[n + 1]!, seed, thread }));
          expect(isEmpty).toBe(false);
          expect(text).toMatch(/^[^{}|]+,? ?[^{}|]*\n\n[^{}|]+\n\n[^{}|]+\nBob\n\n-- \n/);
          const nobody = { firstName: '', lastName: '', email: 'info@acme.example' };
          const unnamed = renderMessage(
            order({ step: asked[n + 1]!, seed, thread, recipient: nobody }),
          );
          expect(unnamed.text).toMatch(/^\p{L}[\p{L} ]*[,:]\n\n/u);
        }
      }
      expect(bodies[4]).toBe(bodies[0]);
    },
  );

  it('are built in in the language of the first message where none is set', () => {
    const bodyTemplate = 'Guten Tag,\n\nich habe eine Frage: Ist das ein Thema für Sie?';
    const steps = [step({ bodyTemplate })];
    expect(sequenceOf({ ...plain, steps, maxFollowups: 1 })[1]!.bodyTemplate).toContain('Grüße');
    const french = sequenceOf({ ...plain, steps, maxFollowups: 1, language: 'fr-CA' });
    expect(french[1]!.bodyTemplate).toContain('Bonjour');
    const other = sequenceOf({ ...plain, steps, maxFollowups: 1, language: 'ja' });
    expect(other[1]!.bodyTemplate).toContain('Best regards');
  });

  it('are no more than the campaign allows', () => {
    const steps = [step(), step({ position: 1 }), step({ position: 2 })];
    expect(sequenceOf({ ...plain, steps, maxFollowups: 1 })).toHaveLength(2);
    expect(sequenceOf({ ...plain, steps, maxFollowups: 0 })).toHaveLength(1);
  });
});

describe('variants', () => {
  const variants = [{ subjectTemplate: 'B', bodyTemplate: 'body b' }, { bodyTemplate: 'body c' }];

  it('have their own texts, and the subject of the step where they have none', () => {
    const render = (variant: number) => {
      const { subject, text } = renderMessage(order({ step: step({ variants }), variant }));
      return [subject, text.split('\n')[0]];
    };
    expect([0, 1, 2].map(render)).toEqual([
      ['Hello Ann', 'Hi Ann,'],
      ['B', 'body b'],
      ['Hello Ann', 'body c'],
    ]);
  });

  it('are evenly spread, and the same for a lead each time', () => {
    const seen = [0, 0, 0];
    for (let leadId = 1; leadId <= 3_000; leadId += 1) {
      const seed = { campaignId: 5, leadId, position: 0 };
      const variant = chooseVariant(step({ variants }), seed);
      expect(chooseVariant(step({ variants }), seed)).toBe(variant);
      seen[variant]! += 1;
    }
    for (const number of seen) expect(Math.abs(number - 1_000)).toBeLessThan(120);
  });
});

describe('tracking', () => {
  const bodyTemplate =
    '<p>Hi, <a href="https://acme.example/?a=1&amp;b=2">see more</a> https://acme.example/x</p>';
  const links = {
    ...way,
    openUrl: 'https://outreach.example/t/open',
    clickUrl: (url: string) => `https://outreach.example/t/${encodeURIComponent(url)}`,
  };

  it('is off by default', () => {
    const { html } = renderMessage(order());
    expect(html).not.toContain('<img');
    expect(html).not.toContain('/t/');
  });

  it('leads web links over the maker, but never the way out; the text part stays', () => {
    const { html, text } = renderMessage(order({ links, step: step({ bodyTemplate }) }));
    expect(html).toContain('<img src="https://outreach.example/t/open" width="1" height="1"');
    expect(html).toContain(
      'href="https://outreach.example/t/https%3A%2F%2Facme.example%2F%3Fa%3D1%26b%3D2"',
    );
    expect(html).toContain('href="https://outreach.example/u/abc?x=1&amp;y=2"');
    expect(text).toContain('https://acme.example/?a=1&b=2');
    expect(text).not.toContain('/t/');
  });

  it.each([
    ['https://acme.example/?a=1', false],
    ['our site acme.com', false],
    ['www.<b>acme</b>.de/preise', false],
    ['büro.de', false],
    ['ann@acme.com', false],
    ['acme\u200B.com', false],
    ['see more', true],
    ['Node.js 2.0', true],
    ['<img src="https://acme.example/a.png">', true],
  ])('leaves a link alone that shows an address: %s', (shown, isTracked) => {
    const html = `<p><a class="x" href='https://acme.example/a'>${shown}</a></p>`;
    const message = renderMessage(order({ links, step: step({ bodyTemplate: html }) }));
    const tracking = 'href="https://outreach.example/t/https%3A%2F%2Facme.example%2Fa"';
    expect(message.html!.includes(tracking)).toBe(isTracked);
    expect(message.html).toContain(`>${shown}</a>`);
  });

  it('leaves the links that a text part shows alone', () => {
    expect(renderMessage(order({ links })).html).toContain(
      '<a href="https://acme.example/?a=1&amp;b=2">https://acme.example/?a=1&amp;b=2</a>',
    );
  });

  it('leaves a link as it is for which none can be made', () => {
    const clickUrl = () => {
      throw new Error('too long');
    };
    const given = { links: { ...way, clickUrl }, step: step({ bodyTemplate }) };
    expect(renderMessage(order(given)).html).toContain('href="https://acme.example/?a=1&amp;b=2"');
  });

  it('goes into the body of a whole document', () => {
    const bodyTemplate = '<html><body><p>Hi</p></body></html>';
    const { html } = renderMessage(order({ step: step({ bodyTemplate }), links }));
    expect(html).toMatch(/<img [^>]+>\s*<\/body><\/html>$/);
  });
});
