/**
 * Step: a campaign to two dozen leads is sent from two mailboxes and arrives at the world's exchangers.
 */
import { api, control } from './client.ts';
import { check, until, type Tour, type TourCampaign, type TourStep } from './tour.ts';

/** A message that the exchangers accepted. */
export interface SeenMessage {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  headers: Record<string, string>;
}

const FIRST_NAMES = (
  'Alice Bruno Clara David Elif Farid Greta Hugo Ines Jonas ' +
  'Kira Luca Mina Noah Olga Paul Rosa Sami Tara Uwe'
).split(' ');

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** One each of the world's recipients that react by themselves. */
const REACTING = ['reply', 'bounce', 'unsubscribe', 'ooo'];

export const sendCampaign: TourStep = {
  title: 'Send a campaign to two dozen leads',
  async run(tour) {
    const senders = tour.mailboxes ?? [];
    check(senders.length === 2, 'two mailboxes from the step before');
    const campaign = await createCampaign(tour);
    tour.campaign = campaign;
    const { id, leads } = campaign;
    await api(tour).campaigns.start({ id });
    const expected = leads.filter(({ email }) => !email.startsWith('bounce-'));
    const pace = { withinSeconds: 90, everySeconds: 1 };
    const messages = await until('All messages', pace, async () => {
      const seen = (await messagesOf(tour)).filter((message) => !isAnswer(message));
      tour.count(`${expected.length} messages on their way, ${seen.length} delivered`);
      return seen.length >= expected.length ? seen : undefined;
    });
    check(messages.length === expected.length, `one message each, there are ${messages.length}`);
    for (const { email, firstName } of expected) {
      const [message, ...more] = messages.filter(({ to }) => to === email);
      check(message && more.length === 0, `exactly one message to ${email}`);
      check(message.subject.includes(firstName), `"${firstName}" in "${message.subject}"`);
      checkHeaders(message);
    }
    const bySender = senders.map(({ email }) => messages.filter(({ from }) => isFrom(email, from)));
    check(
      bySender.every((own) => own.length > 0),
      'messages from both mailboxes',
    );
    return (
      `Campaign ${id}: ${messages.length} messages, each once, from ${senders.length} mailboxes, ` +
      'signed by DKIM with a one-click unsubscribe'
    );
  },
};

/** RFC 8058: both fields are present, and signed. */
function checkHeaders({ headers, to }: SeenMessage): void {
  const signed = (headers['dkim-signature'] ?? '').toLowerCase();
  const offer = headers['list-unsubscribe'] ?? '';
  check(offer.includes('/u/'), `a List-Unsubscribe link in the message to ${to}`);
  check(headers['list-unsubscribe-post'] === 'List-Unsubscribe=One-Click', 'one click to do it');
  check(signed.includes('list-unsubscribe-post'), 'a DKIM signature that covers it');
}

async function createCampaign(tour: Tour): Promise<TourCampaign> {
  const word = tour.domain.replace(/\.com$/, '');
  const account = { senderName: 'Ada of Tour', postalAddress: '1 Example Street, 10115 Berlin' };
  const outreach = api(tour);
  await outreach.account.update({ body: account });
  const list = await outreach.leadLists.create({ body: { name: `Campaign of ${word}` } });
  const people = [
    ...FIRST_NAMES.map((firstName) => ({ firstName, name: firstName.toLowerCase() })),
    ...REACTING.map((kind) => ({ firstName: 'Robin', name: `${kind}-${word}` })),
  ].map(({ firstName, name }) => ({ firstName, lastName: 'Lee', email: `${name}@${word}.test` }));
  const company = { company_name: `Workshop ${word}`, people, leadListId: list.id };
  const added = await outreach.leads.create({ body: company });
  check(added.leads.length === people.length, `${people.length} leads, not ${added.leads.length}`);
  const body = {
    name: `Tour of ${word}`,
    subjectTemplate: 'A question, {{firstName|there}}',
    bodyTemplate: 'Hi {{firstName|there}},\n\n{may I ask|could I ask} who looks after your tools?',
    steps: [{ order: 1, delayDays: 1, bodyTemplate: 'Hi {{firstName}}, did my note reach you?' }],
    timezone: zoneInDaylight(new Date()),
    activeDays: [...DAYS],
    startTime: '00:00',
    endTime: '23:59',
    assignedMailboxes: tour.mailboxes!.map(({ id }) => String(id)),
    leadListIds: [list.id],
  };
  const made = await outreach.campaigns.create({ body });
  check(made.status === 'draft', `a draft, not ${made.status}`);
  return { id: made.id, domain: `${word}.test`, leads: people };
}

/** A time zone in which the window's one closed minute, before midnight, is far away. */
const zoneInDaylight = (now: Date): string =>
  now.getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York';

/** The messages that the exchangers accepted for the campaign's recipients. */
export async function messagesOf(tour: Tour): Promise<SeenMessage[]> {
  const records = await control<{ mail: { accepted: SeenMessage[] } }>(tour, 'GET', '/books');
  return records.mail.accepted.filter(({ to }) => to.endsWith(`@${tour.campaign!.domain}`));
}

export const isAnswer = ({ headers }: SeenMessage): boolean => headers['in-reply-to'] !== undefined;

/** Each message has a return path of its own, `ada+…@`. */
export const isFrom = (mailbox: string, from: string): boolean =>
  from.replace(/\+[^@]*(?=@)/, '') === mailbox;
