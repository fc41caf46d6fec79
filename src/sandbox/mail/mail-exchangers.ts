/** The mail exchangers of the world outside: `.test` and the websites' domains have mail there. */
import type { SandboxCore } from '../core.ts';
import { isLabDomain } from '../mx-lab/stand-in.ts';
import { openMailRecords, type MailRecords } from './mail-records.ts';
import { sendDmarcReports, type SentReport } from './mail-dmarc-reports.ts';
import { answerFromOutside, EXCHANGER_NAME } from './mail-replies.ts';
import type { SeedHost } from '../seed-host.ts';
import { openListener } from '../servers/listener.ts';
import type { MailQueue } from '../servers/mail-queue.ts';
import { inboundServer, type InboundMessage, type InboundRules } from '../servers/smtp-inbound.ts';
import { replyCode, smtpError } from '../servers/smtp-session.ts';
import type { ZoneRecord, ZoneSource } from '../zone.ts';

/** `slow-*`: time that each command takes. `greylist-*`: time until a sender is known. */
const SLOW_COMMAND_MS = 5_000;
const GREYLIST_MS = 2_000;
const SOFT_BOUNCES = 2;

/** Up to which message was reported. */
const REPORTED = 'dmarc-reported';

export interface MailExchangers {
  mailRecords: MailRecords;
  /** Reports on what came in since the last time, and answers where the reports go. */
  reportDmarc(): Promise<SentReport[]>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface OutsideDomains {
  receivesMail(domain: string): boolean;
}

/** `queue` carries the recipients' answers. */
export function createMailExchangers(
  core: SandboxCore,
  queue: MailQueue,
  outside: OutsideDomains & Pick<SeedHost, 'deliver'>,
): MailExchangers {
  const mailRecords = openMailRecords(core.store);
  const ipv4 = addressOf(core);
  const isOurs = (domain: string): boolean =>
    !isLabDomain(domain) && (domain.endsWith('.test') || outside.receivesMail(domain));
  core.zone.addSource(exchangerZone(ipv4, isOurs));
  let close = async (): Promise<void> => {};
  return {
    mailRecords,
    async reportDmarc() {
      const { after } = core.store.get<{ after: number }>(REPORTED, 'last') ?? { after: 0 };
      const messages = mailRecords.acceptedAfter(after);
      const last = Math.max(after, ...messages.map(({ id }) => id));
      core.store.put(REPORTED, 'last', { after: last });
      return sendDmarcReports({ core, queue, name: EXCHANGER_NAME }, messages);
    },
    async start() {
      const listener = await openListener(
        inboundServer(core, rules({ core, mailRecords, queue, isOurs, seeds: outside })),
      );
      core.hosts.register(ipv4, 25, listener.port);
      close = () => listener.close();
    },
    close: () => close(),
  };
}

interface Exchanger {
  core: SandboxCore;
  mailRecords: MailRecords;
  queue: MailQueue;
  isOurs: (domain: string) => boolean;
  seeds: Pick<SeedHost, 'deliver'>;
}

function rules({ core, mailRecords, queue, isOurs, seeds }: Exchanger): InboundRules {
  return {
    name: () => EXCHANGER_NAME,
    async checkRecipient(from, to) {
      if (isMagic('slow', to)) await core.wait(SLOW_COMMAND_MS);
      try {
        if (!isOurs(domainOf(to))) throw smtpError(554, `5.7.1 <${to}>: Relay access denied`);
        behaveAs(core, from, to);
      } catch (error) {
        mailRecords.refused({ from, to, code: replyCode(error), text: (error as Error).message });
        throw error;
      }
    },
    async accept(message: InboundMessage) {
      if (message.to.some((to) => isMagic('slow', to))) await core.wait(SLOW_COMMAND_MS);
      for (const to of message.to) {
        const accepted = await mailRecords.accept({ ...message, to });
        seeds.deliver(accepted);
        forget(core, message.from, to);
        await answerFromOutside({ core, queue, mailRecords }, accepted);
      }
    },
  };
}

/** Throws the SMTP error of the magic recipient at RCPT. */
function behaveAs(core: SandboxCore, from: string, to: string): void {
  if (isMagic('bounce', to)) throw smtpError(550, `5.1.1 <${to}>: no such user here`);
  if (isMagic('soft-bounce', to) && tries(core, from, to) <= SOFT_BOUNCES) {
    throw smtpError(450, `4.2.1 <${to}>: mailbox busy`);
  }
  if (isMagic('greylist', to) && sinceFirstTryMs(core, from, to) < GREYLIST_MS) {
    throw smtpError(451, `4.7.1 <${to}>: greylisted, try again later`);
  }
}

const domainOf = (address: string): string => (address.split('@').at(-1) ?? '').toLowerCase();

const isMagic = (prefix: string, address: string): boolean =>
  address.toLowerCase().startsWith(`${prefix}-`);

interface Memory {
  tries: number;
  firstAtMs: number;
}

const MEMORY = 'exchanger-memory';
const pair = (from: string, to: string): string => `${from}>${to}`.toLowerCase();

/**
 * How often this sender has tried this recipient since the last accepted message, this try included.
 */
function tries(core: SandboxCore, from: string, to: string): number {
  const before = core.store.get<Memory>(MEMORY, pair(from, to));
  const after = { firstAtMs: Date.now(), ...before, tries: (before?.tries ?? 0) + 1 };
  core.store.put(MEMORY, pair(from, to), after);
  return after.tries;
}

function sinceFirstTryMs(core: SandboxCore, from: string, to: string): number {
  const known = core.store.get<Memory>(MEMORY, pair(from, to));
  if (known !== undefined) return (Date.now() - known.firstAtMs) * core.options.pace;
  core.store.put(MEMORY, pair(from, to), { tries: 1, firstAtMs: Date.now() });
  return 0;
}

/** Each message meets the soft bounces again; a sender that passed the greylist stays known. */
function forget(core: SandboxCore, from: string, to: string): void {
  if (isMagic('soft-bounce', to)) core.store.delete(MEMORY, pair(from, to));
}

/** One address for all, the same after a restart. */
function addressOf(core: SandboxCore): string {
  const known = core.store.get<{ ipv4: string }>('exchangers', 'address')?.ipv4;
  if (known !== undefined) return known;
  const ipv4 = core.hosts.allocateAddress();
  core.store.put('exchangers', 'address', { ipv4 });
  return ipv4;
}

function exchangerZone(ipv4: string, isOurs: (domain: string) => boolean): ZoneSource {
  const records = (name: string): ZoneRecord[] => {
    if (name === EXCHANGER_NAME) return [{ name, type: 'A', value: ipv4, ttlSeconds: 300 }];
    if (!isOurs(name)) return [];
    return [{ name, type: 'MX', value: EXCHANGER_NAME, priority: 10, ttlSeconds: 300 }];
  };
  return { records, hasName: isOurs };
}
