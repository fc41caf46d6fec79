/** Magic recipients by a test key: a campaign to one of each ends for each as docs/test-mode.md says. */
import { expect, it } from 'vitest';
import { newDomain, newName, type Account } from './account.ts';
import { testAccount, testModeOf, type TestModeWorld } from './test-mode-account.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Those of docs/test-mode.md, and what docs/world.md has besides: test/docs/magic-names.test.ts compares them. */
export const KINDS = [
  'reply',
  'ooo',
  'bounce',
  'soft-bounce',
  'complain',
  'unsubscribe',
  'greylist',
  'slow',
] as const;
const TIMEOUT_MS = 600_000;
/** Seconds of work, and a mailbox that waits between two messages. */
const WITHIN_MS = 300_000;

const codeOf = ({ code }: { code?: number }) => code;

type Books = Record<'accepted' | 'bounced', { to: string; code?: number }[]>;

/** The address of one of each kind, and one outside of `.test`. */
function peopleOf(word: string): Record<string, string> {
  const magic = KINDS.map((kind) => [kind, `${kind}-ada@${word}.test`]);
  return { ...Object.fromEntries(magic), outside: `ada@${word}.com` };
}

/** A campaign of one message to them; gives its id. */
async function startCampaign(account: Account, people: Record<string, string>): Promise<number> {
  const { api } = account;
  const sender = { senderName: 'Ada of Test', postalAddress: '1 Test Street, Springfield' };
  await api.account.update({ body: sender });
  const { id: clusterId, domain } = await account.order(newDomain('recipients'));
  const settled = await account.settled(clusterId);
  expect(settled.status).toBe('active');
  const mailbox = await api.mailboxes.create({ clusterId, body: { email: `ada@${domain}` } });
  const list = await api.leadLists.create({ body: { name: 'Magic recipients' } });
  const leads = Object.entries(people).map(([kind, email]) => ({
    firstName: 'Ada',
    lastName: kind,
    email,
  }));
  await api.leads.create({
    body: { company_name: 'Magic', people: leads, leadListId: list.id },
  });
  const draft = {
    name: 'Magic recipients',
    subjectTemplate: 'A question, {{firstName}}',
    bodyTemplate: 'Hello {{firstName}}, who looks after your tools?',
    timezone: new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York',
    activeDays: [...DAYS],
    startTime: '00:00',
    endTime: '23:59',
    assignedMailboxes: [String(mailbox.id)],
    leadListIds: [list.id],
  };
  const { id } = await api.campaigns.create({ body: draft });
  await api.campaigns.start({ id });
  return id;
}

/** What the API says of each: status and reason, by kind. */
async function endsOf({ api }: Account, id: number): Promise<Record<string, string>> {
  const { items } = await api.campaignLeads.list({ id, limit: 100 });
  return Object.fromEntries(
    items.map(({ personLastName, status, holdReason }) => [
      personLastName,
      holdReason === null ? status : `${status}: ${holdReason}`,
    ]),
  );
}

/** The kind of what came in from each, or about each. */
async function answersOf({ api }: Account, id: number): Promise<Record<string, string>> {
  const [{ items: leads }, { items: messages }] = await Promise.all([
    api.campaignLeads.list({ id, limit: 100 }),
    api.inbox.list({ direction: 'inbound', limit: 100 }),
  ]);
  const named = messages.flatMap(({ lead_id, kind }) => {
    const lead = leads.find(({ leadId }) => leadId === lead_id);
    return lead ? [[lead.personLastName, kind]] : [];
  });
  return Object.fromEntries(named) as Record<string, string>;
}

const ENDS = {
  reply: 'replied',
  ooo: 'completed',
  bounce: 'bounced',
  'soft-bounce': 'completed',
  complain: 'unsubscribed: complained',
  unsubscribe: 'unsubscribed',
  greylist: 'completed',
  slow: 'completed',
  // What is wrong with a domain says nothing against the person.
  outside: 'completed',
};

/** What came back, as the inbox names it. */
const ANSWERS = { reply: 'reply', ooo: 'auto_reply', bounce: 'bounce', outside: 'bounce' };

/** docs/world.md: what finders and verifiers say, and its score (choice 29). */
export const VERDICTS = [
  ['invalid-ada@client.test', 'invalid', 0],
  ['bounce-ada@client.test', 'invalid', 0],
  ['unknown-ada@client.test', 'unknown', 40],
  ['disposable-ada@client.test', 'risky', 10],
  ['ada@catchall-client.test', 'risky', 60],
  ['ada@client.test', 'valid', 95],
] as const;

export function testModeRecipientTests(shared: () => TestModeWorld): void {
  it('addresses are judged as their names say', { timeout: TIMEOUT_MS }, async () => {
    const { api } = await testAccount(shared(), 'verdicts');
    const judged = await Promise.all(
      VERDICTS.map(async ([email]) => {
        const { status, score } = await api.emailValidations.check({ body: { email } });
        return [email, status, score];
      }),
    );
    expect(judged).toEqual(VERDICTS);
    expect(shared().heard).toEqual([]);
  });

  it('each recipient reacts as its name says', { timeout: TIMEOUT_MS }, async ({ expect: own }) => {
    const account = await testAccount(shared(), 'recipients');
    const people = peopleOf(newName('magic'));
    const id = await startCampaign(account, people);
    // Beside others a poll needs to know whose it is.
    await own
      .poll(() => endsOf(account, id), { timeout: WITHIN_MS, interval: 1_000 })
      .toEqual(ENDS);

    await own
      .poll(() => answersOf(account, id), { timeout: WITHIN_MS, interval: 1_000 })
      .toMatchObject(ANSWERS);
    const books = async () => {
      const { mail } = await testModeOf(shared()).control<{ mail: Books }>('GET', '/books');
      const of = (list: Books['accepted'], kind: string) =>
        list.filter(({ to }) => to === people[kind]);
      return {
        accepted: Object.keys(people).filter((kind) => of(mail.accepted, kind).length === 1),
        codes: ['soft-bounce', 'bounce'].map((kind) => of(mail.bounced, kind).map(codeOf)),
      };
    };
    // Each once, and the soft bounce after it was put off twice.
    const accepted = ['reply', 'ooo', 'soft-bounce', 'complain', 'unsubscribe', 'greylist', 'slow'];
    await own
      .poll(books, { timeout: WITHIN_MS, interval: 1_000 })
      .toEqual({ accepted, codes: [[450, 450], [550]] });

    const emails = [people['reply']!, people['complain']!, people['unsubscribe']!];
    const checked = await account.api.suppressions.check({ body: { emails } });
    expect(checked.map(({ reason }) => reason)).toEqual([null, 'complaint', 'unsubscribe']);
    expect(shared().heard).toEqual([]);
  });
}
