/** A vendor that drops outgoing port 25, and a campaign that waits for it. */
import { eventually, newName, type Account } from '../e2e/account.ts';
import type { Mailbox } from './correspondence.ts';
import type { LabWorld } from './lab-world.ts';

const PORT_25 = 'OUTPUT -p tcp --dport 25 -j DROP';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Where the host looks whether the port is open: an exchanger of the world instead of a public one. */
const PROBE_HOSTS = 'PROBE_HOSTS=mx.exchangers.test';

/** As a vendor does it: silently. */
export async function dropPort25(lab: LabWorld, serverId: number): Promise<void> {
  const conf = '/etc/outreach-mail.conf';
  await lab.run(serverId, `grep -q PROBE_HOSTS ${conf} || echo ${PROBE_HOSTS} >>${conf}`);
  await lab.run(serverId, `iptables -I ${PORT_25}`);
  await probeNow(lab, serverId);
}

export async function openPort25(lab: LabWorld, serverId: number): Promise<void> {
  await lab.run(serverId, `iptables -D ${PORT_25}`);
  await probeNow(lab, serverId);
}

/** Makes the server due, and starts the Schedule as an operator does. */
async function probeNow(lab: LabWorld, serverId: number): Promise<void> {
  const { world } = lab;
  await lab.run(serverId, 'rm -f /var/lib/outreach-mail/outbound25');
  await world.db
    .updateTable('servers')
    .set({ port25_checked_at: null })
    .where('id', '=', serverId)
    .execute();
  await world.temporal.schedule.getHandle('check-mail-hosts').trigger();
}

/** A campaign to one lead, which may write at any time; answers its id and the subject of its message. */
export async function startCampaign(
  account: Account,
  mailbox: Mailbox,
  personEmail: string,
): Promise<{ id: number; subject: string }> {
  const subject = newName('campaign');
  const sender = { senderName: 'Ada', postalAddress: '1 Test Street, Springfield' };
  const { api } = account;
  await api.account.update({ body: sender });
  const list = await api.leadLists.create({ body: { name: subject } });
  const csv = `First name,Last name,Email\nSome,One,${personEmail}\n`;
  const job = await api.leadImports.create({ body: { csv, leadListId: list.id } });
  await eventually('the lead', async () => {
    const { status } = await api.leadImports.read({ id: job.id });
    return status === 'completed' || undefined;
  });
  const draft = {
    name: subject,
    subjectTemplate: subject,
    bodyTemplate: 'Hello {{firstName}}, this is message one.',
    timezone: 'UTC',
    activeDays: [...DAYS],
    startTime: '00:00',
    endTime: '23:59',
    assignedMailboxes: [String(mailbox.id)],
    leadListIds: [list.id],
  };
  const { id } = await api.campaigns.create({ body: draft });
  await api.campaigns.start({ id });
  return { id, subject };
}
