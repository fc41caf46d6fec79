/** Creates, changes and removes one mailbox on its cluster's host. */
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { withDomainLease, withMailboxLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import {
  endPasswordChange,
  getMailbox,
  passwordBinding,
  type Mailbox,
} from '../../src/db/mailboxes/mailboxes.ts';
import { markMailboxes } from '../../src/db/sending/sending-mailboxes.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import { isRoleAddress } from '../../src/domain/mail-reports/role-mailboxes.ts';
import { serverAccess } from '../engine/access.ts';
import { serverOf } from '../clusters/servers.ts';
import { onStandingServer } from '../clusters/teardown.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';

interface MailboxStep {
  operationId: number;
  mailboxId: number;
}

type MailboxesContext = Pick<Context, 'db' | 'cipher' | 'mailHost' | 'clock' | 'vps'>;

export const mailboxActivities = (context: MailboxesContext) => ({
  /** Safe to repeat: the host adds the mailbox or sets its password. */
  async createMailboxOnHost({ operationId, mailboxId }: MailboxStep): Promise<void> {
    await withMailboxLease(context.db, mailboxId, async (mailbox, assertMine) => {
      await assertNotCancelled(context, { operationId });
      assertAlive(mailbox);
      await setOnHost(context, { mailbox, sealed: mailbox.password!, assertMine });
    });
  },

  /** Undo of its creation, and its removal. Safe to repeat; deleting the server deletes it, too. */
  async removeMailboxFromHost({ mailboxId }: MailboxStep): Promise<void> {
    await withMailboxLease(context.db, mailboxId, async ({ email, cluster_id }, assertMine) => {
      // A connected mailbox stays where it is, with its messages.
      if (cluster_id === null) return;
      const { server_id } = await getCluster(context.db, cluster_id);
      await onStandingServer(context, server_id, async (server) => {
        await assertMine();
        await context.mailHost.removeMailbox(serverAccess(context, server), email);
      });
    });
  },

  /**
   * Changes the host first. Until our row has the new password it holds both, and a repeat makes them
   * equal. Logins that were refused in between work again. Safe to repeat.
   */
  async changeMailboxSecret({ mailboxId }: MailboxStep): Promise<void> {
    await withMailboxLease(context.db, mailboxId, async (mailbox, assertMine) => {
      const { next_password: sealed, failing_reason } = mailbox;
      if (sealed === null) return;
      assertAlive(mailbox);
      await setOnHost(context, { mailbox, sealed, assertMine });
      const isOurs = await context.db.transaction().execute(async (trx) => {
        const isEnded = await endPasswordChange(trx, mailbox, 'next');
        const isRefused = failing_reason === 'login_refused';
        if (isEnded && isRefused) await markMailboxes(trx, [mailboxId], null, context.clock.now());
        return isEnded;
      });
      // The change was given up meanwhile, or another password was requested: the host gets that one,
      // too.
      if (!isOurs && (await getMailbox(context.db, mailboxId)).next_password !== null) {
        throw new ProviderError('not_ready', 'Another password was asked for meanwhile', {
          provider: 'mail-host',
        });
      }
    });
  },

  /** Undo: the host gets the password that our row has. Safe to repeat. */
  async restoreMailboxSecret({ mailboxId }: MailboxStep): Promise<void> {
    await withMailboxLease(context.db, mailboxId, async (mailbox, assertMine) => {
      if (mailbox.next_password === null) return;
      if (mailbox.status === 'active') {
        await setOnHost(context, { mailbox, sealed: mailbox.password!, assertMine });
      }
      await endPasswordChange(context.db, mailbox, 'old');
    });
  },
});

async function setOnHost(
  context: MailboxesContext,
  change: { mailbox: Mailbox; sealed: Buffer; assertMine: () => Promise<void> },
): Promise<void> {
  const { mailbox, sealed } = change;
  const clusterId = clusterOf(mailbox);
  const server = await serverOf(context, clusterId);
  const password = context.cipher.open(sealed, passwordBinding(mailbox.id));
  const { email } = mailbox;
  const set = async () => {
    await change.assertMine();
    await context.mailHost.setMailbox(serverAccess(context, server), { email, password });
  };
  if (!isRoleAddress(email)) return set();
  // A mailbox of ours may be put there at this moment: under this lease it looks for the client's first.
  const { domain_id } = await getCluster(context.db, clusterId);
  await withDomainLease(context.db, domain_id, set);
}

function clusterOf({ cluster_id: clusterId, email }: Mailbox): number {
  if (clusterId !== null) return clusterId;
  throw invalid('INVALID_STATE', `${email} is on no host of ours`);
}

/** A mailbox that is being taken down must not come back to its host. */
function assertAlive({ status, email }: Mailbox): void {
  if (status === 'pending' || status === 'active') return;
  throw invalid('MAILBOX_NOT_FOUND', `${email} has been deleted meanwhile`);
}
