/** Step: two people get mailboxes on the new cluster. */
import { randomBytes } from 'node:crypto';
import { api } from './client.ts';
import { check, until, type Tour, type TourMailbox, type TourStep } from './tour.ts';

export const createMailboxes: TourStep = {
  title: 'Make two mailboxes',
  async run(tour) {
    const { cluster } = tour;
    check(cluster, 'a cluster from the step before');
    const names = ['ada', 'grace'];
    tour.mailboxes = await Promise.all(names.map((name) => create(tour, cluster.id, name)));
    const addresses = tour.mailboxes.map((mailbox) => mailbox.email).join(' and ');
    return `Mailboxes ${addresses} made, both active`;
  },
};

async function create(tour: Tour, clusterId: number, name: string): Promise<TourMailbox> {
  const email = `${name}@${tour.domain}`;
  const password = randomBytes(12).toString('base64url');
  const body = { email, password };
  const made = await api(tour).mailboxes.create({ clusterId, body });
  const pace = { withinSeconds: 30, everySeconds: 1.2 };
  // The answer comes after 25 s at the latest, whether the mailbox is active or not.
  if (!made.isActive) await until(`${email} to be active`, pace, () => isActive(tour, made.id));
  return { id: made.id, email, password };
}

async function isActive(tour: Tour, id: number): Promise<true | undefined> {
  const { items } = await api(tour).mailboxes.list({ limit: 100 });
  return items.some((mailbox) => mailbox.id === id && mailbox.isActive) || undefined;
}
