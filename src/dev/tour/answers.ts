/**
 * Steps: answers are understood, and recipients who have not answered get a follow-up in the thread.
 */
import type { CampaignLead } from '../../../clients/typescript/src/index.ts';
import { api } from './client.ts';
import { isAnswer, isFrom, messagesOf } from './campaign.ts';
import { check, until, type Tour, type TourStep } from './tour.ts';

/** The expected result for each kind of recipient. */
const ENDS: Record<string, (lead: CampaignLead) => boolean> = {
  reply: ({ status }) => status === 'replied',
  bounce: ({ status }) => status === 'bounced',
  unsubscribe: ({ status }) => status === 'unsubscribed',
  ooo: ({ holdReason }) => holdReason === 'auto_reply',
};

export const understandAnswers: TourStep = {
  title: 'Understand what comes back',
  async run(tour) {
    const { id } = tour.campaign!;
    const pace = { withinSeconds: 90, everySeconds: 1.5 };
    await until('An end for each', pace, async () => {
      const { items: leads } = await api(tour).campaignLeads.list({ id, limit: 100 });
      const open = Object.keys(ENDS).filter((kind) => {
        const lead = leads.find(({ personEmail }) => personEmail?.startsWith(`${kind}-`));
        return !lead || !ENDS[kind]!(lead);
      });
      tour.say(open.length === 0 ? 'All understood' : `Waiting for ${open.join(', ')}`);
      return open.length === 0 || undefined;
    });
    const unsubscribed = emailOf(tour, 'unsubscribe');
    const [checked] = await api(tour).suppressions.check({ body: { emails: [unsubscribed] } });
    check(checked?.isSuppressed, `${unsubscribed} to be suppressed`);
    return (
      'One answered, one bounced, one unsubscribed by one click (and is suppressed), one is away: ' +
      'each lead says so'
    );
  },
};

export const followUp: TourStep = {
  title: 'Follow up in the thread',
  async run(tour) {
    const { leads } = tour.campaign!;
    const silent = leads.filter(({ email }) => !(email.split('-')[0]! in ENDS));
    const pace = { withinSeconds: 150, everySeconds: 2 };
    const messages = await until('The follow-ups', pace, async () => {
      const seen = await messagesOf(tour);
      const followUps = seen.filter(isAnswer);
      const count = `${silent.length} follow-ups on their way, ${followUps.length} delivered`;
      tour.count(`A day of sending later: ${count}`);
      return followUps.length >= silent.length ? seen : undefined;
    });
    for (const { email } of silent) {
      const [first, second, ...more] = messages.filter(({ to }) => to === email);
      check(first && second && more.length === 0, `exactly one follow-up to ${email}`);
      const { headers, subject, from } = second;
      check(
        headers['in-reply-to'] === first.messageId,
        'a follow-up that answers the first message',
      );
      check(subject === `Re: ${first.subject}`, `"Re: ${first.subject}", it is "${subject}"`);
      const sender = tour.mailboxes!.find((mailbox) => isFrom(mailbox.email, first.from));
      check(sender && isFrom(sender.email, from), 'a follow-up from the same mailbox');
    }
    const others = messages
      .filter(isAnswer)
      .filter(({ to }) => !silent.some((one) => one.email === to));
    check(others.length === 0, 'nobody else to be written to again');
    return (
      `${silent.length} follow-ups from the same mailboxes in the same threads; ` +
      'who answered, bounced, unsubscribed or is away got none'
    );
  },
};

export const readAnswers: TourStep = {
  title: 'Read the answer in the inbox, and be told of it',
  async run(tour) {
    const { id } = tour.campaign!;
    const author = emailOf(tour, 'reply');
    const { inbox, webhooks, events: log } = api(tour);
    const { items } = await inbox.list({ direction: 'inbound', limit: 100 });
    const answer = items.find((item) => item.from.includes(author));
    check(answer, `the answer of ${author} in the inbox`);
    check(answer.kind === 'reply', `a reply, not ${answer.kind}`);
    check(answer.campaign_id === id, `the answer to be matched to campaign ${id}`);
    const { text } = await inbox.read({ id: answer.id });
    const expectedTypes = ['replied', 'bounced', 'unsubscribed', 'auto_replied'].map(
      (end) => `email.${end}`,
    );
    const pace = { withinSeconds: 40, everySeconds: 1.5 };
    const delivered = await until('The webhooks', pace, async () => {
      const asked = { id: tour.webhookId!, state: 'delivered', limit: 100 } as const;
      const { items: rows } = await webhooks.listDeliveries(asked);
      const types = new Set<string>(rows.map(({ eventType }) => eventType));
      return expectedTypes.every((type) => types.has(type)) ? rows : undefined;
    });
    const { items: events } = await log.list({ types: expectedTypes.join(',') });
    check(events.length >= expectedTypes.length, 'the same events to be listed for who asks');
    await webhooks.delete({ id: tour.webhookId! });
    return (
      `In the inbox: "${text.split('\n')[0]!.trim()}" from ${author}; ` +
      `${delivered.length} signed webhooks told of what happened`
    );
  },
};

const emailOf = (tour: Tour, kind: string): string =>
  tour.campaign!.leads.find(({ email }) => email.startsWith(`${kind}-`))!.email;
