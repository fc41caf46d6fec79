/** A domain on a mail host, as our rows have it. */
import type { Context } from '../../src/context.ts';
import { hasNamesakeOnServer } from '../../src/db/clusters/clusters.ts';
import type { Domain } from '../../src/db/domains/domains.ts';
import { listLeavingAddresses } from '../../src/db/mailboxes/mailboxes.ts';
import type { ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import { dkimBinding } from '../engine/access.ts';
import { installRoleMailboxes } from '../mail-reports/role-mailboxes.ts';

interface MailDomainOrder {
  clusterId: number;
  domain: Domain;
  access: ServerAccess;
  assertMine: () => Promise<void>;
}

/** With its DKIM key and the addresses that it has to take mail for (RFC 5321, 4.5.1). Under the domain's lease. */
export async function putMailDomain(
  context: Pick<Context, 'db' | 'clock' | 'cipher' | 'mailHost'>,
  order: MailDomainOrder,
): Promise<void> {
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
 * name: where another cluster there has the same name, its mail stays, and only the leaving one's own mailboxes go.
 * Under the domain's lease. Safe to repeat.
 */
export async function takeMailDomain(
  { db, mailHost }: Pick<Context, 'db' | 'mailHost'>,
  { clusterId, domain, access, assertMine }: MailDomainOrder,
): Promise<void> {
  if (!(await hasNamesakeOnServer(db, clusterId))) {
    await assertMine();
    return mailHost.removeDomain(access, domain.name);
  }
  for (const email of await listLeavingAddresses(db, clusterId)) {
    await assertMine();
    await mailHost.removeMailbox(access, email);
  }
}
