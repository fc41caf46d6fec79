/** The verbs of the mail host script, with the same results and exit codes as the real one. */
import { createPrivateKey } from 'node:crypto';
import type { HostContext } from './host-context.ts';
import { domainOf } from './host-context.ts';
import { hashPassword } from './passwords.ts';

export interface CommandResult {
  code: number;
  stdout?: string;
  stderr?: string;
}

/** What the client sends; read only by the verbs that take it. */
export interface CommandInput {
  /** Everything up to its end. */
  all(): Promise<string>;
  /** The first line, without its end; does not wait for more. */
  line(): Promise<string>;
}

type Verb = (
  host: HostContext,
  parameters: string[],
  input: CommandInput,
) => Promise<CommandResult> | CommandResult;

const DONE: CommandResult = { code: 0 };
/** `set-mailbox` for a domain that the host does not have. */
const NO_SUCH_DOMAIN = 3;
/** A certificate with this much life left is kept, as ACME clients do. */
const RENEW_BEFORE_MS = 30 * 86_400_000;

export const verbs = {
  install: checked([isHostName], async (host, [hostName = '']) => {
    host.update({ hostName: hostName.toLowerCase() });
    await host.openMailPorts();
    return DONE;
  }),

  certificate: checked([isHostName], async (host, [given = '']) => {
    const hostName = given.toLowerCase();
    const others = host.machine().certificates.filter((each) => each.hostName !== hostName);
    const present = host.machine().certificates.find((each) => each.hostName === hostName);
    if (present && Date.parse(present.expiresAt) - Date.now() > RENEW_BEFORE_MS) return DONE;
    const problem = challengeProblem(host, hostName);
    if (problem !== undefined) return failed(problem);
    const issued = await host.core.ca.issue([hostName]);
    const { privateKeyPem: key, certificatePem: certificate, expiresAt } = issued;
    host.update({ certificates: [...others, { hostName, key, certificate, expiresAt }] });
    return DONE;
  }),

  'add-domain': checked([isHostName, isSelector], async (host, [given, selector = ''], input) => {
    const domain = given!.toLowerCase();
    const dkimPrivateKey = await input.all();
    if (!isPrivateKey(dkimPrivateKey)) return failed('no DKIM key (PKCS#8 PEM) on stdin');
    const others = host.machine().domains.filter((each) => each.domain !== domain);
    host.update({ domains: [...others, { domain, selector, dkimPrivateKey }] });
    return DONE;
  }),

  'del-domain': checked([isHostName], (host, [given]) => {
    const domain = given!.toLowerCase();
    for (const mailbox of host.mail.list(host.id)) {
      if (domainOf(mailbox.address) === domain) host.mail.remove(mailbox);
    }
    host.update({ domains: host.machine().domains.filter((each) => each.domain !== domain) });
    return DONE;
  }),

  'set-mailbox': checked([isAddress], async (host, [given], input) => {
    const address = given!.toLowerCase();
    const password = await input.line();
    if (password === '') return failed('no password on stdin');
    const { domains } = host.machine();
    if (!domains.some((each) => each.domain === domainOf(address))) {
      return { code: NO_SUCH_DOMAIN, stderr: `no such domain: ${domainOf(address)}\n` };
    }
    const hash = await hashPassword(password);
    const mailbox = host.mail.find(host.id, address);
    if (mailbox === undefined) host.mail.create(host.id, address, hash);
    else host.mail.setPassword(mailbox, hash);
    return DONE;
  }),

  'del-mailbox': checked([isAddress], (host, [address]) => {
    const mailbox = host.mail.find(host.id, address!);
    if (mailbox !== undefined) host.mail.remove(mailbox);
    return DONE;
  }),

  status: checked([], (host) => {
    const { hostName, domains, certificates } = host.machine();
    const current = certificates.find((each) => each.hostName === hostName);
    const status = {
      hostName,
      domains: domains.map(({ domain, selector }) => ({ domain, selector })),
      mailboxes: host.mail.list(host.id).map((mailbox) => mailbox.address),
      certificate: current ? { hostName, expiresAt: current.expiresAt } : null,
      outbound25: 'open',
    };
    return { code: 0, stdout: `${JSON.stringify(status)}\n` };
  }),
} satisfies Record<string, Verb>;

const failed = (reason: string): CommandResult => ({ code: 1, stderr: `${reason}\n` });

/** Exit 2 unless there are exactly these parameters; mail verbs need no `install` first. */
function checked(shapes: ((text: string) => boolean)[], verb: Verb): Verb {
  return (host, parameters, input) => {
    const fits =
      parameters.length === shapes.length &&
      shapes.every((shape, index) => shape(parameters[index]!));
    return fits ? verb(host, parameters, input) : { code: 2, stderr: 'usage: wrong arguments\n' };
  };
}

/** As HTTP-01 fails when the name does not lead to this host. */
function challengeProblem(host: HostContext, hostName: string): string | undefined {
  const { exists, records } = host.core.zone.lookup(hostName, 'A');
  const addresses = records.filter((each) => each.type === 'A').map((each) => each.value);
  if (addresses.length === 0) {
    return `acme: error 400: dns: ${exists ? 'no valid A records found' : 'NXDOMAIN looking up A'} for ${hostName}`;
  }
  if (addresses.includes(host.machine().ipv4)) return undefined;
  return `acme: error 403: unauthorized: ${addresses[0]}: invalid response for ${hostName}`;
}

function isHostName(text: string): boolean {
  return /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/i.test(
    text,
  );
}

function isSelector(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text);
}

function isAddress(text: string): boolean {
  return /^[a-z0-9._+-]{1,64}@[^@]+$/i.test(text) && isHostName(domainOf(text));
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}
