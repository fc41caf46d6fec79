/** Credentials of mailboxes, for authorised callers: one at a time, or as a file. Choices 27, 43. */
import type { Context } from '../../context.ts';
import { findClusterView } from '../../db/clusters/clusters.ts';
import {
  exportedMailboxes,
  findMailboxLogin,
  type MailboxLogin,
} from '../../db/mailboxes/mailbox-export.ts';
import { passwordBinding } from '../../db/mailboxes/mailboxes.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { getUserMailbox } from './mailboxes.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'config'>;

/** Settings for a mail program. IMAP is on 993, SMTP on 465, both with TLS. */
export interface MailboxCredentials {
  id: number;
  email: string;
  password: string;
  host: string;
  senderName: string;
  /** Cold messages a day. */
  dailyLimit: number;
  signature: string | null;
}

/** 404 MAILBOX_NOT_FOUND; 400 INVALID_STATE for one that has no login. */
export async function getCredentials(
  context: Needs,
  { userId, id }: { userId: string; id: number },
): Promise<MailboxCredentials> {
  const { status, cluster_id } = await getUserMailbox(context, userId, id);
  const login = await findMailboxLogin(context.db, userId, id);
  if (!login) {
    const which = cluster_id === null ? 'connected' : status;
    throw invalid('INVALID_STATE', `A mailbox that is ${which} has no credentials to show`);
  }
  return opened(context, login);
}

/** 404 for a cluster that the user does not have. */
export async function exportMailboxes(
  context: Needs,
  userId: string,
  clusterId?: number,
): Promise<AsyncGenerator<MailboxCredentials[]>> {
  if (clusterId !== undefined && !(await findClusterView(context.db, userId, clusterId))) {
    throw notFound('cluster', { field: 'clusterId', ids: [clusterId] });
  }
  return openedPages(context, exportedMailboxes(context.db, userId, clusterId));
}

async function* openedPages(
  context: Needs,
  pages: AsyncIterable<MailboxLogin[]>,
): AsyncGenerator<MailboxCredentials[]> {
  for await (const page of pages) yield page.map((login) => opened(context, login));
}

const opened = ({ cipher, config }: Needs, login: MailboxLogin): MailboxCredentials => ({
  id: login.id,
  email: login.email,
  password: cipher.open(login.password, passwordBinding(login.id)),
  host: login.host_name,
  senderName: login.sender_name ?? login.account_name ?? '',
  dailyLimit: login.daily_limit ?? config.SEND_MAILBOX_DAILY_LIMIT,
  signature: login.signature,
});
