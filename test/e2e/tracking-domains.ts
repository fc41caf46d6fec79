/** Links in messages on a client's own name: record, certificate and a recipient who unsubscribes there. Choice 131. */
import { expect, test } from 'vitest';
import { eventually, fundedAccount, newDomain, newName, type Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** One domain and one server. */
const FUNDS_CENTS = 5_000;
const TIMEOUT_MS = 240_000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export function trackingDomainTests(world: () => SharedWorld): void {
  test(
    'links of a campaign are on the name of its owner, where a recipient unsubscribes',
    { timeout: TIMEOUT_MS },
    async () => {
      const account = await fundedAccount(world(), 'links', FUNDS_CENTS);
      const cluster = await account.order(newDomain('links'));
      await account.settled(cluster.id);
      const name = `go.${cluster.domain}`;
      const trackingDomainId = await addName(account, cluster.domain, name);
      const email = `unsubscribe-me@${newName('reader')}.test`;
      const campaignId = await startCampaign(account, { cluster, trackingDomainId, email });
      const { api } = account;
      await eventually(
        'the unsubscription',
        async () => {
          const { items } = await api.campaignLeads.list({ id: campaignId });
          return items[0]?.status === 'unsubscribed' ? true : undefined;
        },
        TIMEOUT_MS / 2,
      );
      expect(await unsubscribeUrl(world(), email)).toMatch(
        new RegExp(`^<https://${name}/u/[\\w-]+>`),
      );
    },
  );
}

/** Active, with its record set by the API. */
async function addName(account: Account, domain: string, name: string): Promise<number> {
  const { api } = account;
  const { id, record } = await api.trackingDomains.create({ body: { name } });
  const { items } = await api.domains.list({ status: 'active' });
  const own = items.find((one) => one.domain === domain)!;
  const wanted = { type: 'CNAME' as const, name: 'go', value: record.value };
  await api.dnsRecords.create({ id: own.id, body: wanted });
  await api.trackingDomains.check({ id });
  await eventually(
    'the certificate',
    async () => ((await api.trackingDomains.read({ id })).status === 'active' ? true : undefined),
    TIMEOUT_MS / 2,
  );
  return id;
}

async function startCampaign(
  { api }: Account,
  order: { cluster: { id: number; domain: string }; trackingDomainId: number; email: string },
): Promise<number> {
  const { cluster, trackingDomainId, email } = order;
  await api.account.update({
    body: { senderName: 'Lin', postalAddress: '1 Test Street, Springfield' },
  });
  const body = { email: `lin@${cluster.domain}` };
  const mailbox = await api.mailboxes.create({ clusterId: cluster.id, body });
  const people = [{ firstName: 'Rea', lastName: 'Der', email }];
  const { leads } = await api.leads.create({ body: { company_name: 'Readers', people } });
  const { id } = await api.campaigns.create({
    body: {
      name: 'Links',
      subjectTemplate: 'A word, {{firstName}}',
      bodyTemplate: 'Hello {{firstName}}, this is the first one.',
      trackingDomainId,
      timezone: 'UTC',
      activeDays: [...DAYS],
      startTime: '00:00',
      endTime: '23:59',
      assignedMailboxes: [String(mailbox.id)],
    },
  });
  await api.campaignLeads.add({ id, body: { leadIds: leads.map((lead) => lead.id) } });
  await api.campaigns.start({ id });
  return id;
}

interface Books {
  mail: { accepted: { to: string; headers: Record<string, string> }[] };
}

/** As the recipient's server got it. */
async function unsubscribeUrl(world: SharedWorld, email: string): Promise<string> {
  const { mail } = await world.control<Books>('GET', '/books');
  return mail.accepted.find(({ to }) => to === email)!.headers['list-unsubscribe']!;
}
