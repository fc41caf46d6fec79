/** A domain on a mail host, as our rows have it. */
import type { Context } from '../../src/context.ts';
import type { Domain } from '../../src/db/domains/domains.ts';
import type { ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import { dkimBinding } from '../engine/access.ts';
import { installRoleMailboxes } from '../mail-reports/role-mailboxes.ts';

/** With its DKIM key and the addresses that it has to take mail for (RFC 5321, 4.5.1). Under the domain's lease. */
export async function putMailDomain(
  context: Pick<Context, 'db' | 'clock' | 'cipher' | 'mailHost'>,
  order: {
    clusterId: number;
    domain: Domain;
    access: ServerAccess;
    assertMine: () => Promise<void>;
  },
): Promise<void> {
  const { domain, access, ...role } = order;
  await context.mailHost.addDomain(access, {
    domain: domain.name,
    dkimSelector: domain.dkim_selector!,
    dkimPrivateKey: context.cipher.open(domain.dkim_private_key!, dkimBinding(domain.id)),
  });
  await installRoleMailboxes(context, { ...role, domain: domain.name, access, isNewOnHost: true });
}
