/** IMAP over TLS on 993, for as long as it is needed: imapflow behind the port. */
import type { Readable } from 'node:stream';
import type { ImapFlow, ListOptions, StatusObject } from 'imapflow';
import { ProviderError } from '../../domain/errors.ts';
import type { FolderRole } from '../../domain/inbox/inbox.ts';
import { PROVIDER, unavailable } from './failures.ts';
import { isOver } from './access-token.ts';
import { connectImap, whereOf, type ImapConnection } from './imap-client.ts';
import { newMessages } from './imap-fetch.ts';
import { watchFolder } from './imap-idle.ts';
import { flagBytes, MAX_LIST_BYTES, withinBytes } from './imap-limits.ts';
import type { ImapFolder, ImapSession, MailboxAccess, FolderState } from './port.ts';
import type { CallTools } from './tls-sessions.ts';

/**
 * The folder's role by RFC 6154 or, where the server does not tell, by the usual names, which imapflow
 * knows.
 */
const ROLES: Readonly<Record<string, FolderRole>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Junk': 'junk',
};

const LOGOUT_MS = 2_000;

export async function openImap(
  tools: CallTools,
  mailbox: MailboxAccess,
  { maxMessageBytes }: { maxMessageBytes?: number | undefined } = {},
): Promise<ImapSession> {
  const connection = await connectImap(tools, mailbox, { verifyOnly: false, maxMessageBytes });
  return sessionOf(connection, { where: whereOf(mailbox), timeoutMs: tools.timeoutMs });
}

function sessionOf(
  { client, token }: ImapConnection,
  { where, timeoutMs }: { where: string; timeoutMs: number },
): ImapSession {
  const watch = watchFolder(client, timeoutMs);
  const listWithState = stateLister(client);
  /** Selects the folder, unless it is selected already. */
  const select = async (path: string): Promise<void> => {
    if (client.mailbox && client.mailbox.path === path) return;
    await client.mailboxOpen(path);
  };
  const inFolder = <T>(path: string, work: () => Promise<T>): Promise<T> =>
    translated(where, async () => {
      await select(path);
      return work();
    });
  return {
    folders: () => translated(where, () => listFolders(client)),
    foldersWithState: () => translated(where, listWithState),
    isOpen: (path) => client.mailbox !== false && client.mailbox.path === path,
    open: (path) =>
      translated(where, () => {
        watch.reset();
        return openFolder(client, path);
      }),
    async *fetchNew(path, range) {
      await inFolder(path, async () => undefined);
      try {
        yield* newMessages(client, range);
      } catch (error) {
        throw asProviderError(where, error);
      }
    },
    fetchFlags: (path, since) => inFolder(path, () => flagsOf(client, since)),
    search: (path, { name, value }) =>
      inFolder(path, async () =>
        done(
          await withinBytes(client, MAX_LIST_BYTES, () =>
            client.search({ header: { [name]: value } }, { uid: true }),
          ),
        ),
      ),
    addFlags: (path, uids, flags) =>
      inFolder(path, async () => {
        if (uids.length > 0) done(await client.messageFlagsAdd(uids, flags, { uid: true }));
      }),
    removeFlags: (path, uids, flags) =>
      inFolder(path, async () => {
        if (uids.length > 0) done(await client.messageFlagsRemove(uids, flags, { uid: true }));
      }),
    move: (path, uids, to) =>
      inFolder(path, async () => {
        if (uids.length > 0) done(await client.messageMove(uids, to, { uid: true }));
      }),
    remove: (path, uids) =>
      inFolder(path, async () => {
        if (uids.length > 0) done(await client.messageDelete(uids, { uid: true }));
      }),
    append: (path, raw, flags) =>
      translated(where, async () => void done(await client.append(path, raw, flags))),
    download: (path, uid, part) => inFolder(path, () => download(client, uid, part)),
    idle: (limitMs, signal) => translated(where, () => watch.wait(limitMs, signal)),
    get tellsChanges() {
      return watch.tellsChanges();
    },
    endsAt: token?.usableUntil,
    isUsable: () => client.usable && !isOver(token),
    async close() {
      // Does not wait for a server that is still sending.
      const limit = setTimeout(() => client.close(), LOGOUT_MS);
      await client.logout().catch(() => client.close());
      clearTimeout(limit);
    },
  };
}

async function listFolders(client: ImapFlow, options?: ListOptions): Promise<ImapFolder[]> {
  const folders = await withinBytes(client, MAX_LIST_BYTES, () => client.list(options));
  return folders
    .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
    .map(({ path, specialUse, status }): ImapFolder => {
      const role = path.toUpperCase() === 'INBOX' ? 'inbox' : (ROLES[specialUse ?? ''] ?? 'other');
      const state = status && stateOf(status);
      return { path, role, ...(state && { state }) };
    });
}

const STATE = { messages: true, uidNext: true, uidValidity: true, highestModseq: true } as const;

/** Without the extension imapflow would ask for each folder by itself, and a mailbox may have hundreds. */
function stateLister(client: ImapFlow): () => Promise<ImapFolder[]> {
  let canTell = client.capabilities.has('LIST-STATUS');
  return async () => {
    if (!canTell) return listFolders(client);
    // The state of the selected folder may be that of its selection until the server has told what is new there.
    // RFC 9051, 6.3.11.
    if (client.mailbox) await client.noop();
    try {
      return await listFolders(client, { statusQuery: STATE });
    } catch (error) {
      if ((error as { responseStatus?: string }).responseStatus !== 'NO') throw error;
      // One folder that cannot be counted is no reason not to list the others.
      canTell = false;
      return listFolders(client);
    }
  };
}

/** Undefined where the answer is not whole. A folder that keeps no modseqs says 0: RFC 7162, 3.1.2.2. */
function stateOf({ messages, uidNext, uidValidity, highestModseq }: StatusObject) {
  if (messages === undefined || uidNext === undefined || uidValidity === undefined)
    return undefined;
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    exists: messages,
    highestModseq: highestModseq ? Number(highestModseq) : null,
  };
}

async function openFolder(client: ImapFlow, path: string): Promise<FolderState> {
  const opened = await client.mailboxOpen(path);
  const { uidValidity, uidNext, exists, highestModseq, noModseq } = opened;
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    exists,
    highestModseq: highestModseq === undefined || noModseq ? null : Number(highestModseq),
  };
}

/** IMAP sets no limit; people use a few. */
const MAX_FLAGS = 64;

async function flagsOf(client: ImapFlow, since: { modseq: number } | undefined) {
  const { mailbox } = client;
  if (!mailbox || mailbox.exists === 0) return [];
  return withinBytes(client, flagBytes(mailbox.exists), () => allFlags(client, since));
}

async function allFlags(client: ImapFlow, since: { modseq: number } | undefined) {
  const found: { uid: number; flags: string[] }[] = [];
  const options = { uid: true, ...(since && { changedSince: BigInt(since.modseq) }) };
  for await (const { uid, flags } of client.fetch('1:*', { uid: true, flags: true }, options)) {
    // Changes by other clients arrive in between, without a UID (RFC 9051, 7.5.2), and end up here as
    // well.
    if (uid !== undefined) found.push({ uid, flags: [...(flags ?? [])].slice(0, MAX_FLAGS) });
  }
  return found;
}

async function download(client: ImapFlow, uid: number, part: string): Promise<Readable> {
  const found = await client.download(String(uid), part, { uid: true });
  if (!('content' in found) || !found.content) throw refused('the message or part is not there');
  return found.content as Readable;
}

/** imapflow returns false for what the server refused. */
function done<T>(answer: T | false | undefined): T {
  if (answer === false || answer === undefined) throw refused('the server refuses the command');
  return answer;
}

const refused = (why: string) =>
  new ProviderError('rejected', `${PROVIDER}: ${why}`, { provider: PROVIDER, providerCode: 'NO' });

async function translated<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asProviderError(where, error);
  }
}

/** A tagged NO is an answer; anything else is a broken connection. */
function asProviderError(where: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { responseStatus } = error as { responseStatus?: string };
  if (responseStatus === 'NO') return refused(`${where} refuses the command`);
  return unavailable(where, error);
}
