/** One mailbox as an IMAP server object of its own, mirrored to the sandbox's records. */
import hoodiecrow from 'hoodiecrow-imap';
import fetchHandlers from 'hoodiecrow-imap/lib/commands/handlers/fetch.js';
import { randomUidValidity } from './mail-store.ts';
import type { Mailbox, MailFolder, MailStore, StoredMessage } from './mail-store.ts';

export const IMAP_PLUGINS = [
  'ID',
  'IDLE',
  'LITERALPLUS',
  'MOVE',
  'NAMESPACE',
  'SPECIAL-USE',
  'UIDPLUS',
  'UNSELECT',
];

/** Commands after which folders, flags or messages may differ from the records. */
const CHANGING =
  /^(APPEND|STORE|EXPUNGE|CLOSE|COPY|MOVE|FETCH|CREATE|DELETE|RENAME|UID (STORE|EXPUNGE|COPY|MOVE|FETCH))$/i;

/** Opens the mailbox for IMAP; `close` when the last connection has gone. */
export function openImapMailbox(mail: MailStore, mailbox: Mailbox) {
  const mirror = loadMirror(mail, mailbox);
  const { server } = mirror;
  // The tagged answer is sent only after the records include the command's effect.
  server.outputHandlers.unshift((_connection, response, description, parsed, _raw, extra) => {
    if (response.tag === '*' || !parsed || !CHANGING.test(parsed.command)) return;
    if (description === 'CREATE') (extra as hoodiecrow.Folder).uidvalidity = randomUidValidity();
    // A mailbox that was deleted meanwhile must not come back.
    if (mail.find(mailbox.hostId, mailbox.address) !== undefined) {
      saveChanges(mail, mailbox, mirror);
    }
  });
  const close = mail.watch(mailbox, (message, stored) => {
    const folder = server.getMailbox(message.folder)!;
    const { uid, flags, raw } = message;
    folder.messages.push({ uid, flags: [...flags], internaldate: message.internalDate, raw });
    folder.uidnext = uid + 1;
    mirror.known.set(keyOf(stored), stored);
    const exists = { type: 'ATOM', value: 'EXISTS' };
    server.notify({ tag: '*', attributes: [folder.messages.length, exists] }, folder);
  });
  return { server, close };
}

interface Mirror {
  server: hoodiecrow.Server;
  /** The state of the records, by `folder:uid`. */
  known: Map<string, StoredMessage>;
  folders: string;
}

function loadMirror(mail: MailStore, mailbox: Mailbox): Mirror {
  const server = hoodiecrow({ credentials: {}, plugins: IMAP_PLUGINS });
  const readBody = bodyReader();
  // hoodiecrow calls the item by its second name from the second message of a FETCH on.
  Object.assign(server.fetchHandlers, { 'BODY.PEEK': readBody, BODY: readBody });
  // Every open connection listens for notifications of its mailbox.
  server.setMaxListeners(0);
  for (const folder of mailbox.folders) {
    if (folder.path === 'INBOX') Object.assign(server.getMailbox('INBOX')!, asImapFolder(folder));
    else server.createMailbox(folder.path, asImapFolder(folder));
  }
  for (const message of mail.messages(mailbox)) {
    const { uid, flags, internalDate } = message;
    const item = { uid, flags: [...flags], internaldate: internalDate, raw: mail.text(message) };
    server.getMailbox(message.folder)?.messages.push(item);
  }
  for (const folder of Object.values(server.folderCache)) {
    folder.messages.sort((a, b) => a.uid - b.uid);
  }
  const known = new Map(mail.messages(mailbox).map((message) => [keyOf(message), message]));
  return { server, known, folders: JSON.stringify(asStoredFolders(server)) };
}

/**
 * Gives each message of a FETCH the range that was asked for. hoodiecrow shortens the range in the
 * query object, which all messages share: those after a shorter one came empty.
 */
function bodyReader(): hoodiecrow.FetchHandler {
  const asked = new WeakMap<hoodiecrow.FetchItem, number[]>();
  return (connection, message, item) => {
    if (!item.partial) return fetchHandlers.BODY(connection, message, item);
    const range = asked.get(item) ?? item.partial;
    asked.set(item, range);
    // The answer repeats the item, with only the start of the range: RFC 9051, 7.5.2.
    item.partial = range.slice(0, 1);
    return fetchHandlers.BODY(connection, message, { ...item, partial: [...range] });
  };
}

/** Writes what changed in the IMAP server's memory to the records. */
function saveChanges(mail: MailStore, mailbox: Mailbox, mirror: Mirror): void {
  const folders = asStoredFolders(mirror.server);
  const gone = new Map(mirror.known);
  for (const [path, folder] of Object.entries(mirror.server.folderCache)) {
    for (const { uid, flags, internaldate, raw } of folder.messages) {
      const key = keyOf({ folder: path, uid });
      const before = mirror.known.get(key);
      gone.delete(key);
      if (before === undefined) {
        const message = { folder: path, uid, flags, internalDate: internaldate, raw };
        mirror.known.set(key, mail.addMessage(mailbox, message));
      } else if (before.flags.join(' ') !== flags.join(' ')) {
        const after = { ...before, flags: [...flags] };
        mirror.known.set(key, after);
        mail.saveFlags(mailbox, after);
      }
    }
  }
  for (const [key, message] of gone) {
    mirror.known.delete(key);
    mail.removeMessage(mailbox, message);
  }
  const text = JSON.stringify(folders);
  if (text !== mirror.folders) mail.saveFolders(mailbox, folders);
  mirror.folders = text;
}

function asImapFolder(folder: MailFolder): Partial<hoodiecrow.Folder> {
  const { uidValidity: uidvalidity, uidNext: uidnext, specialUse } = folder;
  return { uidvalidity, uidnext, ...(specialUse === null ? {} : { 'special-use': specialUse }) };
}

const asStoredFolders = (server: hoodiecrow.Server): MailFolder[] =>
  Object.entries(server.folderCache).map(([path, folder]) => ({
    path,
    specialUse: folder['special-use'] ?? null,
    uidValidity: folder.uidvalidity,
    uidNext: folder.uidnext,
  }));

const keyOf = ({ folder, uid }: { folder: string; uid: number }): string => `${folder}:${uid}`;
