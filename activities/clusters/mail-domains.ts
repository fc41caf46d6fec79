/** A domain on a mail host, as our rows have it. */
import type { Context } from '../../src/context.ts';
import { findNamesakeOnServer } from '../../src/db/clusters/clusters.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { withDomainLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { listLeavingAddresses } from '../../src/db/mailboxes/mailboxes.ts';
import type { ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import { dkimBinding } from '../engine/access.ts';
import { installRoleMailboxes } from '../mail-reports/role-mailboxes.ts';

type HostContext = Pick<Context, 'db' | 'clock' | 'cipher' | 'mailHost'>;

interface MailDomainOrder {
  clusterId: number;
  domain: Domain;
  access: ServerAccess;
  assertMine: () => Promise<void>;
}

/** With its DKIM key and the addresses that it has to take mail for (RFC 5321, 4.5.1). Under the domain's lease. */
export async function putMailDomain(context: HostContext, order: MailDomainOrder): Promise<void> {
  const { domain, access, ...role } = order;
  await context.mailHost.addDomain(access, {
    domain: domain.name,
    dkimSelector: domain.dkim_selector!,
    dkimPrivateKey: context.cipher.open(domain.dkim_private_key!, dkimBinding(domain.id)),
  });
  await installRoleMailboxes(context, { ...role, domain: domain.name, access, isNewOnHost: true });
}

/**
 * Takes the domain of a cluster off its host, with its key, its mailboxes and their messages. A host knows domains by
 * name: where another cluster there has the same name, its mail stays, only the leaving one's own mailboxes go, and it
 * signs with its own key from then on. Safe to repeat.
 */
export async function takeMailDomain(
  context: HostContext,
  { clusterId, domain, access }: Omit<MailDomainOrder, 'assertMine'>,
): Promise<void> {
  const { db, mailHost } = context;
  await withDomainLease(db, domain.id, async (assertMine) => {
    if (await findNamesakeOnServer(db, clusterId)) {
      return takeMailboxes(context, { clusterId, domain, access, assertMine });
    }
    await assertMine();
    await mailHost.removeDomain(access, domain.name);
  });
  const kept = await findNamesakeOnServer(db, clusterId);
  // One that is being put up puts its own there.
  if (kept === undefined || kept.status === 'provisioning') return;
  const theirs = await getDomain(db, kept.domain_id);
  await withDomainLease(db, theirs.id, async (assertMine) => {
    // Deleted meanwhile: nothing may come back.
    if ((await findNamesakeOnServer(db, clusterId))?.id !== kept.id) return;
    await assertMine();
    await putMailDomain(context, { clusterId: kept.id, domain: theirs, access, assertMine });
  });
}

/**
 * Each takes the host a second: an attempt goes on where the one before was broken off. The last one that is gone is
 * removed once more, because its messages go after its login.
 */
async function takeMailboxes(
  { db, mailHost }: HostContext,
  { clusterId, access, assertMine }: MailDomainOrder,
): Promise<void> {
  const leaving = await listLeavingAddresses(db, clusterId);
  if (leaving.length === 0) return;
  const onHost = new Set((await mailHost.status(access)).mailboxes);
  const found = leaving.findIndex((email) => onHost.has(email));
  const next = found === -1 ? leaving.length : found;
  const left = leaving.filter((email, index) => index === next - 1 || onHost.has(email));
  for (const email of left) {
    await assertMine();
    await mailHost.removeMailbox(access, email);
  }
}
