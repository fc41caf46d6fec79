/**
 * Reads one role address of a domain. In a mailbox of ours reports are kept and mail for people moves to a
 * mailbox of the client's; only then is it removed. In a mailbox of the client's reports are read where they are.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import {
  findClientMailbox,
  findMailboxForPeople,
  rolePasswordBinding,
  updateRoleMailbox,
  type ReportedCluster,
  type RoleMailbox,
} from '../../src/db/mail-reports/role-mailboxes.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { isDataError } from '../../src/db/data-errors.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { ROLE_NAMES, roleAddress } from '../../src/domain/mail-reports/role-mailboxes.ts';
import type { FetchedMessage, ImapSession } from '../../src/providers/mail-transport/port.ts';
import { keepReports } from './keep-reports.ts';

export type ReadContext = Pick<
  Context,
  'db' | 'clock' | 'cipher' | 'config' | 'logger' | 'mailTransport' | 'mailReports'
>;

const INBOX = 'INBOX';
/** Above what the host accepts (`message_size_limit`): a message is moved whole or not at all. */
const MAX_MESSAGE_BYTES = 27 * 1_024 * 1_024;
/** A report of the largest size that is read, in base64. */
const MAX_REPORT_BYTES = 8 * 1_024 * 1_024;
const BATCH = 20;
/** Of one visit; the next one goes on. */
const MAX_VISIT_MS = 60_000;

interface Visit {
  context: ReadContext;
  cluster: ReportedCluster;
  row: RoleMailbox;
  endsAt: number;
}

/** What came of one address: reports that are new, and messages that went to people. */
export interface ReadResult {
  reports: number;
  moved: number;
}

/** Safe to repeat: a report is kept once, and a message that was moved is looked for before it is moved. */
export async function readRoleMailbox(
  context: ReadContext,
  cluster: ReportedCluster,
  row: RoleMailbox,
): Promise<ReadResult> {
  const visit: Visit = { context, cluster, row, endsAt: Date.now() + MAX_VISIT_MS };
  const { cipher, db } = context;
  const { host_name: host } = cluster.server;
  const email = roleAddress(row.name, cluster.domain);
  const client = await findClientMailbox(db, email);
  const isThere = client
    ? client.status === 'active' && client.password !== null
    : row.installed_at !== null;
  if (!isThere) return { reports: 0, moved: 0 };
  const password = client
    ? cipher.open(client.password!, passwordBinding(client.id))
    : cipher.open(
        row.password,
        rolePasswordBinding({ clusterId: cluster.clusterId, name: row.name }),
      );
  const login = { host, email, password };
  return client ? readTheirs(visit, login) : readOurs(visit, login);
}

type Login = Parameters<Context['mailTransport']['openImap']>[0];

async function readOurs(visit: Visit, login: Login): Promise<ReadResult> {
  const { context, endsAt } = visit;
  const result: ReadResult = { reports: 0, moved: 0 };
  const people = mailboxForPeople(visit);
  const done: number[] = [];
  const readAll = async (session: ImapSession) => {
    await session.open(INBOX);
    const range = { afterUid: 0, maxBytes: MAX_MESSAGE_BYTES, batch: BATCH };
    for await (const batch of session.fetchNew(INBOX, range)) {
      for (const message of batch) {
        await yieldToEvents();
        if (message.isTextless || !message.isWhole) continue;
        const kept = await keep(visit, message);
        if (kept !== undefined) result.reports += kept;
        else if (await people.take(message)) result.moved += 1;
        else continue;
        done.push(message.uid);
      }
      if (Date.now() > endsAt) return 'unfinished' as const;
    }
    await session.remove(INBOX, done);
    return 'finished' as const;
  };
  let state: Awaited<ReturnType<typeof readAll>>;
  try {
    state = await inSession(context, login, readAll);
  } finally {
    await people.close();
  }
  // While messages still come in over the first connection it takes no other command.
  if (state === 'unfinished') {
    await inSession(context, login, (session) => session.remove(INBOX, done));
  }
  return result;
}

/** The client sees what is in it, and alone removes it. */
async function readTheirs(visit: Visit, login: Login): Promise<ReadResult> {
  const { context, cluster, row, endsAt } = visit;
  const key = { clusterId: cluster.clusterId, name: row.name };
  // Ours is not there any more: theirs has its address and its messages.
  await updateRoleMailbox(context.db, key, { installed_at: null });
  let reports = 0;
  await inSession(context, login, async (session) => {
    const { uidValidity } = await session.open(INBOX);
    const afterUid = row.uid_validity === uidValidity ? row.last_uid : 0;
    const range = { afterUid, maxBytes: MAX_REPORT_BYTES, batch: BATCH };
    for await (const batch of session.fetchNew(INBOX, range)) {
      for (const message of batch) {
        await yieldToEvents();
        if (!message.isTextless && message.isWhole) reports += (await keep(visit, message)) ?? 0;
      }
      const change = { uid_validity: uidValidity, last_uid: batch.at(-1)!.uid };
      await updateRoleMailbox(context.db, key, change);
      if (Date.now() > endsAt) return;
    }
  });
  return { reports, moved: 0 };
}

/** How many reports of the message are new; undefined where it holds none, or none that can be kept. */
async function keep(
  { context, cluster }: Visit,
  message: FetchedMessage,
): Promise<number | undefined> {
  const { source, internalDate: receivedAt } = message;
  const { domainId } = cluster;
  try {
    const kept = await keepReports(context, cluster, { source, receivedAt });
    if (kept && kept.useless > 0) {
      context.logger.warn({ domainId, ...kept }, 'reports of another domain or day, or too many');
    }
    return kept?.kept;
  } catch (err) {
    // One message must not keep the others from being read.
    if (!isDataError(err)) throw err;
    context.logger.error({ domainId, err }, 'a report could not be stored');
    return undefined;
  }
}

/** Moves messages to a mailbox of the client's; what cannot be moved stays where it is. */
function mailboxForPeople({ context, cluster }: Visit) {
  let opened: Promise<ImapSession | undefined> | undefined;
  const open = async () => {
    const roles = ROLE_NAMES.map((name) => roleAddress(name, cluster.domain));
    const mailbox = await findMailboxForPeople(context.db, cluster, roles);
    if (!mailbox) return undefined;
    const password = context.cipher.open(mailbox.password!, passwordBinding(mailbox.id));
    const { host_name: host } = cluster.server;
    return context.mailTransport.openImap({ host, email: mailbox.email, password });
  };
  return {
    async take({ source }: FetchedMessage): Promise<boolean> {
      try {
        const session = await (opened ??= open());
        if (!session) return false;
        const [, value] = /^message-id:\s*(<[^<>\s]+>)/im.exec(headersOf(source)) ?? [];
        const known = value ? await session.search(INBOX, { name: 'Message-ID', value }) : [];
        if (known.length === 0) await session.append(INBOX, source, []);
        return true;
      } catch (err) {
        if (!(err instanceof ProviderError)) throw err;
        context.logger.warn({ domainId: cluster.domainId, err }, 'a message was not moved');
        return false;
      }
    },
    async close(): Promise<void> {
      const session = await opened?.catch(() => undefined);
      await session?.close();
    },
  };
}

const headersOf = (source: Buffer): string => {
  const end = source.indexOf('\r\n\r\n');
  return source.toString('latin1', 0, end < 0 ? source.length : end);
};

async function inSession<T>(
  { mailTransport }: ReadContext,
  login: Login,
  work: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const session = await mailTransport.openImap(login, { maxMessageBytes: MAX_MESSAGE_BYTES });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
