/** Puts `postmaster@` and `abuse@` of a domain on its host. Choice 77. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../src/context.ts';
import {
  findClientMailbox,
  findOrInsertRoleMailbox,
  rolePasswordBinding,
  updateRoleMailbox,
  type RoleMailbox,
} from '../../src/db/mail-reports/role-mailboxes.ts';
import {
  ROLE_NAMES,
  roleAddress,
  type RoleName,
} from '../../src/domain/mail-reports/role-mailboxes.ts';
import type { ServerAccess } from '../../src/providers/mail-hosts/port.ts';

/** To be used under the lease of the domain, which mailboxes of clients at these addresses take as well. */
interface RoleHost {
  clusterId: number;
  domain: string;
  access: ServerAccess;
  /** Whether the domain was just added: what an earlier attempt has put on the host may have gone with it. */
  isNewOnHost?: boolean;
  /** Called right before the host is changed. */
  assertMine: () => Promise<void>;
}

/**
 * Safe to repeat: the row with the password comes before the host, which takes the password as often as it is
 * given. An address at which the client has a mailbox of their own is left to it.
 */
export async function installRoleMailboxes(
  { db, cipher, clock, mailHost }: Pick<Context, 'db' | 'cipher' | 'clock' | 'mailHost'>,
  { clusterId, domain, access, isNewOnHost = false, assertMine }: RoleHost,
): Promise<void> {
  for (const name of ROLE_NAMES) {
    const email = roleAddress(name, domain);
    if (await findClientMailbox(db, email)) continue;
    const key = { clusterId, name };
    const row = await roleMailboxOf({ db, cipher }, key);
    if (row.installed_at !== null && !isNewOnHost) continue;
    const password = cipher.open(row.password, rolePasswordBinding(key));
    await assertMine();
    await mailHost.setMailbox(access, { email, password });
    await updateRoleMailbox(db, key, { installed_at: clock.now() });
  }
}

/** The row of a role address, made with a password of its own where there is none. */
export function roleMailboxOf(
  { db, cipher }: Pick<Context, 'db' | 'cipher'>,
  key: { clusterId: number; name: RoleName },
): Promise<RoleMailbox> {
  const password = randomBytes(24).toString('base64url');
  return findOrInsertRoleMailbox(db, key, cipher.seal(password, rolePasswordBinding(key)));
}
