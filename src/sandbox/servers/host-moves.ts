/**
 * What the product's lines for moving a host do to a simulated one (src/providers/mail-hosts/host-backup.ts). Its
 * backup is a document of its own form: nobody but the host reads it.
 */
import type { HostContext } from './host-context.ts';
import type { CommandInput, CommandResult } from './host-verbs.ts';
import type { SavedHost } from './machine.ts';
import { publicKeyOf } from './verb-parameters.ts';

const DONE: CommandResult = { code: 0 };

/** `words` are the arguments of the move. */
type Move = (
  host: HostContext,
  input: CommandInput,
  words: string[],
) => Promise<CommandResult> | CommandResult;

const OTHER: CommandResult = {
  code: 1,
  stderr: 'outreach-mail: the host was given another backup\n',
};

const moves: Readonly<Record<string, Move>> = {
  'stop-mail': async (host) => {
    host.update({ isClosed: true });
    await host.closeMailPorts();
    return DONE;
  },
  'start-mail': async (host) => {
    host.update({ isClosed: false });
    if (host.machine().hostName !== null) await host.openMailPorts();
    return DONE;
  },
  'save-host': (host) => ({ code: 0, stdout: JSON.stringify(saved(host)) }),
  'close-mail': async (host, input) => {
    const key = publicKeyOf(await input.line());
    if (key === undefined) return { code: 1, stderr: 'outreach-mail: not a public key\n' };
    host.update({ authorizedKeys: [key] });
    if (host.machine().rebuild?.isOpened) return DONE;
    host.update({ isClosed: true });
    await host.closeMailPorts();
    return DONE;
  },
  'read-mark': (host) => ({ code: 0, stdout: host.machine().mark ?? '' }),
  'take-backup': async (host, input, words) => {
    const text = await input.all();
    const { rebuild, certificates } = host.machine();
    if (rebuild?.merged !== undefined) return rebuild.merged === words[3] ? DONE : OTHER;
    const backup = read(text);
    if (backup === undefined) return { code: 2, stderr: 'tar: Unexpected EOF in archive\n' };
    host.update({
      rebuild: { ...rebuild, backup },
      ...(certificates.length === 0 && { certificates: backup.certificates }),
    });
    return DONE;
  },
  'merge-backup': (host, _input, words) => {
    const { rebuild } = host.machine();
    if (rebuild?.merged !== undefined) return rebuild.merged === words[5] ? DONE : OTHER;
    for (const { address, folders, messages } of rebuild?.backup?.mailboxes ?? []) {
      const mailbox = host.mail.find(host.id, address);
      if (mailbox === undefined) continue;
      for (const one of host.mail.messages(mailbox)) host.mail.removeMessage(mailbox, one);
      host.mail.saveFolders(mailbox, folders);
      for (const one of messages) host.mail.addMessage(mailbox, one);
    }
    host.update({ rebuild: { ...rebuild, backup: undefined, merged: words[5]! } });
    return DONE;
  },
  'open-mail': async (host) => {
    host.update({ isClosed: false, rebuild: { ...host.machine().rebuild, isOpened: true } });
    if (host.machine().hostName !== null) await host.openMailPorts();
    return DONE;
  },
};

/** `words` follow the script: the name of the move, and paths. */
export async function moveHost(
  host: HostContext,
  words: string[],
  input: CommandInput,
): Promise<CommandResult> {
  const move = Object.hasOwn(moves, words[0] ?? '') ? moves[words[0]!] : undefined;
  return move === undefined ? { code: 127 } : move(host, input, words.slice(1));
}

function saved(host: HostContext): SavedHost {
  const mailboxes = host.mail.list(host.id).map((mailbox) => ({
    address: mailbox.address,
    folders: mailbox.folders,
    messages: host.mail.messages(mailbox).map(({ rawId, ...message }) => ({
      ...message,
      raw: host.mail.text({ rawId, ...message }),
    })),
  }));
  return { certificates: host.machine().certificates, mailboxes };
}

function read(text: string): SavedHost | undefined {
  try {
    return JSON.parse(text) as SavedHost;
  } catch {
    return undefined;
  }
}
