/** One simulated Debian mail host: its listeners come and go as on a real machine. */
import type { Socket } from 'node:net';
import type { SandboxCore } from '../core.ts';
import type { HostContext } from './host-context.ts';
import { hostsDomainOf, recipientMailbox } from './host-context.ts';
import { imapServer } from './imap.ts';
import { openListener, tlsFront, type Listener } from './listener.ts';
import type { LoginRecords } from './logins.ts';
import { MACHINES, SSH_DELAY_MS, type Machine } from './machine.ts';
import { mailDate } from './mail-date.ts';
import type { MailQueue } from './mail-queue.ts';
import type { MailStore } from './mail-store.ts';
import { inboundServer, type InboundMessage } from './smtp-inbound.ts';
import { smtpError } from './smtp-session.ts';
import { policySite } from './policy-site.ts';
import { sshServer } from './ssh.ts';
import { submissionServer } from './submission.ts';

/** What hosts share with each other. */
export interface HostTools {
  core: SandboxCore;
  mail: MailStore;
  queue: MailQueue;
  logins: LoginRecords;
}

export interface Host {
  context: HostContext;
  /** Opens the listeners when the machine is up; ends early when it is powered off. */
  boot(): Promise<void>;
  switchOff(): Promise<void>;
}

const MAIL_PORTS = [25, 465, 587, 993];

/** The machine with this id must be in the records. */
export function createHost(tools: HostTools, id: string): Host {
  const { core } = tools;
  const listeners: (Listener & { openAt: number })[] = [];
  let off = false;
  let mailPorts: Promise<void> | undefined;
  let webPort: Promise<void> | undefined;
  const machine = (): Machine => core.store.get<Machine>(MACHINES, id)!;

  const listen = async (port: number, onSocket: (socket: Socket) => void): Promise<void> => {
    const listener = await openListener(onSocket);
    if (off) return listener.close();
    listeners.push({ ...listener, openAt: port });
    core.hosts.register(machine().ipv4, port, listener.port);
  };
  const openMailPorts = async (): Promise<void> => {
    const certificates = () => machine().certificates;
    await listen(25, inboundServer(core, inboundRules(context)));
    await listen(465, tlsFront(certificates, submissionServer(context)));
    if (machine().tokensOf) await listen(587, submissionServer(context, { startTls: true }));
    await listen(993, tlsFront(certificates, imapServer(context)));
  };
  const openWebPort = (): Promise<void> =>
    listen(
      443,
      tlsFront(() => machine().certificates, policySite(context)),
    );
  const context: HostContext = {
    ...tools,
    id,
    machine,
    update: (change) => core.store.put(MACHINES, id, { ...machine(), ...change }),
    openMailPorts: async () => {
      if (machine().isClosed !== true) await (mailPorts ??= openMailPorts());
    },
    closeMailPorts: async () => {
      await mailPorts;
      mailPorts = undefined;
      const closing = listeners.filter(({ openAt }) => MAIL_PORTS.includes(openAt));
      for (const one of closing) listeners.splice(listeners.indexOf(one), 1);
      for (const port of MAIL_PORTS) core.hosts.unregister(machine().ipv4, port);
      await Promise.all(closing.map((listener) => listener.close()));
    },
    openWebPort: () => (webPort ??= openWebPort()),
  };
  return {
    context,
    async boot() {
      const sshAtMs = machine().runningAtMs + SSH_DELAY_MS / core.options.pace;
      await core.wait(Math.max(0, sshAtMs - Date.now()) * core.options.pace);
      if (off || core.closing.aborted) return;
      await listen(22, sshServer(context));
      if (!off && machine().hostName !== null) await context.openMailPorts();
      if (!off && (machine().mtaSts ?? []).length > 0) await context.openWebPort();
    },
    async switchOff() {
      off = true;
      core.hosts.unregister(machine().ipv4);
      await Promise.all(listeners.splice(0).map((listener) => listener.close()));
    },
  };
}

/** Port 25 of a host: only its own mailboxes. */
function inboundRules(host: HostContext) {
  return {
    name: () => host.machine().hostName ?? 'localhost',
    async checkRecipient(_from: string, to: string): Promise<void> {
      if (!hostsDomainOf(host, to)) throw smtpError(554, `5.7.1 <${to}>: Relay access denied`);
      if (recipientMailbox(host, to) === undefined) {
        throw smtpError(550, `5.1.1 <${to}>: Recipient address rejected: User unknown`);
      }
    },
    async accept({ from, to, raw, helo }: InboundMessage): Promise<void> {
      for (const recipient of to) deliverHere(host, { from, to: recipient, raw, helo });
    },
  };
}

/** Puts a message into a mailbox of this host, with the headers of a local delivery on top. */
export function deliverHere(
  host: HostContext,
  { from, to, raw, helo }: { from: string; to: string; raw: Buffer; helo: string },
): void {
  const mailbox = recipientMailbox(host, to);
  if (mailbox === undefined) throw smtpError(550, `5.1.1 <${to}>: User unknown`);
  const headers = [
    `Return-Path: <${from}>`,
    `Delivered-To: ${mailbox.address}`,
    `Received: from ${helo}`,
    `\tby ${host.machine().hostName} (Dovecot) with LMTP`,
    `\tfor <${mailbox.address}>; ${mailDate(new Date())}`,
  ];
  host.mail.deliver(mailbox, Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n`), raw]));
}
