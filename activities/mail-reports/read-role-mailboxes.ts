/** Reads the role addresses of one cluster, and notes what cannot be read. */
import {
  updateRoleMailbox,
  type ReportedCluster,
} from '../../src/db/mail-reports/role-mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { ROLE_NAMES, type RoleName } from '../../src/domain/mail-reports/role-mailboxes.ts';
import { readRoleMailbox, type ReadContext } from './read-role-mailbox.ts';
import { roleMailboxOf } from './role-mailboxes.ts';

/** How many reports are new. A host that cannot be reached costs one time-out. Safe to repeat. */
export async function readRoleMailboxes(
  context: ReadContext,
  cluster: ReportedCluster,
): Promise<number> {
  let found = 0;
  for (const name of ROLE_NAMES) {
    const reports = await readAddress(context, cluster, name);
    if (reports === 'unreachable') break;
    found += reports;
  }
  return found;
}

async function readAddress(
  context: ReadContext,
  cluster: ReportedCluster,
  name: RoleName,
): Promise<number | 'unreachable'> {
  const { db, clock } = context;
  const key = { clusterId: cluster.clusterId, name };
  const row = await roleMailboxOf(context, key);
  try {
    const { reports } = await readRoleMailbox(context, cluster, row);
    await updateRoleMailbox(db, key, { read_at: clock.now(), failing_since: null });
    return reports;
  } catch (error) {
    notedFor(context, cluster)(error);
    const { kind, facts } = error as ProviderError;
    await updateRoleMailbox(db, key, {
      failing_since: row.failing_since ?? clock.now(),
      // The host does not have it: the next run puts it there again.
      ...(facts.providerCode === 'AUTHENTICATIONFAILED' && { installed_at: null }),
    });
    return kind === 'rejected' ? 0 : 'unreachable';
  }
}

/** What a host or vendor refuses is noted; anything else is thrown. */
export const notedFor =
  ({ logger }: Pick<ReadContext, 'logger'>, { clusterId, domainId }: ReportedCluster) =>
  (err: unknown): void => {
    if (!(err instanceof ProviderError)) throw err;
    logger.warn({ clusterId, domainId, err }, 'a role address could not be read');
  };
