/** Step: an endpoint in the world that subscribes to events about messages. */
import { api, control } from './client.ts';
import { check, type TourStep } from './tour.ts';

const EVENTS = [
  'email.replied',
  'email.auto_replied',
  'email.bounced',
  'email.unsubscribed',
] as const;

export const createWebhook: TourStep = {
  title: 'Make a webhook',
  async run(tour) {
    const host = `hooks-${tour.domain.replace(/\.com$/, '')}.test`;
    await control(tour, 'PUT', `/sites/${host}`, { pages: { '/outreach': { body: 'thanks' } } });
    const url = `https://${host}/outreach`;
    const { webhooks } = api(tour);
    const made = await webhooks.create({ body: { url, events: [...EVENTS] } });
    check(made.secret.startsWith('whsec_'), 'a secret for its signatures');
    tour.webhookId = made.id;
    const tested = await webhooks.test({ id: made.id });
    check(tested.delivered, `the endpoint to take a test: ${tested.error}`);
    return `Webhook ${made.id} at ${url} took a signed test and waits for four types of events`;
  },
};
