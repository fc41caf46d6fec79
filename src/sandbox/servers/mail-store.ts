/** Mailboxes of all simulated hosts, with folders, messages and UIDs, kept in the sandbox's records. */
import { randomInt } from 'node:crypto';
import type { Store } from '../store.ts';

export interface MailFolder {
  path: string;
  /** RFC 6154 attribute such as `\Sent`; null for INBOX and folders that users made. */
  specialUse: string | null;
  uidValidity: number;
  uidNext: number;
}

export interface Mailbox {
  hostId: string;
  address: string;
  passwordHash: string;
  folders: MailFolder[];
}

/** A message in a folder. `internalDate` as IMAP writes it; `rawId` names the text, stored once. */
export interface StoredMessage {
  folder: string;
  uid: number;
  flags: string[];
  internalDate: string;
  rawId: string;
}

/** A message with its text, one character per byte. */
export interface NewMessage {
  folder: string;
  uid: number;
  flags: string[];
  internalDate: string;
  raw: string;
}

/** Called for messages that come in by `deliver`. */
export type Watcher = (message: NewMessage, stored: StoredMessage) => void;

export interface MailStore {
  find(hostId: string, address: string): Mailbox | undefined;
  list(hostId: string): Mailbox[];
  /** Every mailbox of the world with this address (a host may be replaced by another). */
  findAnywhere(address: string): Mailbox | undefined;
  create(hostId: string, address: string, passwordHash: string): void;
  setPassword(mailbox: Mailbox, passwordHash: string): void;
  remove(mailbox: Mailbox): void;
  /** Puts a message into INBOX, or another folder, under the next UID, and calls the watchers. */
  deliver(mailbox: Mailbox, raw: Buffer, folder?: string): void;
  messages(mailbox: Mailbox): StoredMessage[];
  text(message: StoredMessage): string;
  saveFolders(mailbox: Mailbox, folders: MailFolder[]): void;
  addMessage(mailbox: Mailbox, message: NewMessage): StoredMessage;
  saveFlags(mailbox: Mailbox, message: StoredMessage): void;
  removeMessage(mailbox: Mailbox, message: StoredMessage): void;
  watch(mailbox: Mailbox, listener: Watcher): () => void;
}

const MAILBOXES = 'mailboxes';
const TEXTS = 'letter-texts';

const SPECIAL_FOLDERS: [path: string, specialUse: string][] = [
  ['Sent', String.raw`\Sent`],
  ['Drafts', String.raw`\Drafts`],
  ['Junk', String.raw`\Junk`],
  ['Trash', String.raw`\Trash`],
];

export function createMailStore(store: Store): MailStore {
  const watchers = new Map<string, Set<Watcher>>();
  const find = (hostId: string, address: string): Mailbox | undefined =>
    store.get<Mailbox>(MAILBOXES, keyOf({ hostId, address }));
  const save = (mailbox: Mailbox): void => store.put(MAILBOXES, keyOf(mailbox), mailbox);
  const messages = (mailbox: Mailbox): StoredMessage[] =>
    store.list<StoredMessage>(messagesOf(mailbox));
  const removeMessage = (mailbox: Mailbox, message: StoredMessage): void => {
    store.delete(messagesOf(mailbox), messageId(message));
    store.delete(TEXTS, message.rawId);
  };
  const addMessage = (mailbox: Mailbox, { raw, ...rest }: NewMessage): StoredMessage => {
    const rawId = String(store.nextId(TEXTS));
    const message = { ...rest, rawId };
    store.put(TEXTS, rawId, { raw });
    store.put(messagesOf(mailbox), messageId(message), message);
    return message;
  };
  return {
    find,
    messages,
    addMessage,
    removeMessage,
    list: (hostId) => store.list<Mailbox>(MAILBOXES).filter((m) => m.hostId === hostId),
    findAnywhere: (address) =>
      store.list<Mailbox>(MAILBOXES).findLast((m) => m.address === address.toLowerCase()),
    create: (hostId, address, passwordHash) =>
      save({ hostId, address: address.toLowerCase(), passwordHash, folders: newFolders() }),
    setPassword: (mailbox, passwordHash) => save({ ...current(mailbox), passwordHash }),
    remove(mailbox) {
      for (const message of messages(mailbox)) removeMessage(mailbox, message);
      store.delete(MAILBOXES, keyOf(mailbox));
    },
    deliver(mailbox, raw, path = 'INBOX') {
      const { folders } = current(mailbox);
      const folder = folders.find((each) => each.path === path)!;
      const message = {
        folder: path,
        uid: folder.uidNext,
        flags: [],
        internalDate: imapDate(new Date()),
        raw: raw.toString('latin1'),
      };
      const stored = addMessage(mailbox, message);
      const moved = folders.map((f) => (f === folder ? { ...f, uidNext: f.uidNext + 1 } : f));
      save({ ...current(mailbox), folders: moved });
      for (const listener of watchers.get(keyOf(mailbox)) ?? []) listener(message, stored);
    },
    text: (message) => store.get<{ raw: string }>(TEXTS, message.rawId)?.raw ?? '',
    saveFolders: (mailbox, folders) => save({ ...current(mailbox), folders }),
    saveFlags: (mailbox, message) => store.put(messagesOf(mailbox), messageId(message), message),
    watch(mailbox, listener) {
      const listeners = watchers.get(keyOf(mailbox)) ?? new Set();
      watchers.set(keyOf(mailbox), listeners.add(listener));
      return () => void listeners.delete(listener);
    },
  };

  function current(mailbox: Mailbox): Mailbox {
    return find(mailbox.hostId, mailbox.address) ?? mailbox;
  }
}

/** INBOX and the folders with a special use, each with a UIDVALIDITY of its own. */
function newFolders(): MailFolder[] {
  const fresh = { uidNext: 1 };
  const special = SPECIAL_FOLDERS.map(([path, specialUse]) => ({
    path,
    specialUse,
    uidValidity: randomUidValidity(),
    ...fresh,
  }));
  return [
    { path: 'INBOX', specialUse: null, uidValidity: randomUidValidity(), ...fresh },
    ...special,
  ];
}

/** RFC 3501, 2.3.1.1: 32 bits, not zero. Random, so that a client which ignores it fails visibly. */
export const randomUidValidity = (): number => randomInt(1, 2 ** 31);

/** `21-Nov-2026 16:36:00 +0000`, as APPEND and FETCH INTERNALDATE write it. */
function imapDate(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}-${month}-${year} ${time} +0000`;
}

const keyOf = ({ hostId, address }: { hostId: string; address: string }): string =>
  `${hostId}/${address.toLowerCase()}`;
const messagesOf = (mailbox: Mailbox): string => `letters:${keyOf(mailbox)}`;
const messageId = (message: { folder: string; uid: number }): string =>
  `${message.folder}:${message.uid}`;
