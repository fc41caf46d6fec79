/** The verbs of the mail host script, with the same results and exit codes as the real one. */
import { DAY_MS } from '../../domain/day.ts';
import { SANDBOX_ISSUER } from '../acme.ts';
import type { HostContext } from './host-context.ts';
import { domainOf, hostsDomainOf } from './host-context.ts';
import {
  isAddress,
  isMode,
  isName,
  isPort,
  isPrivateKey,
  isSelector,
  publicKeyOf,
} from './verb-parameters.ts';
import { statusOf } from './host-status.ts';
import { hashPassword } from './passwords.ts';

export interface CommandResult {
  code: number;
  stdout?: string;
  stderr?: string;
}

/** The client's input; read only by the verbs that take it. */
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
const NOT_INSTALLED: CommandResult = {
  code: 1,
  stderr: 'outreach-mail: the mail server is not installed\n',
};
const LAST_KEY: CommandResult = { code: 1, stderr: 'outreach-mail: no other key may log in\n' };
/** `set-mailbox` for a domain that the host does not have. */
const NO_SUCH_DOMAIN = 3;
/** `certificate` where the authority refuses. */
const CERTIFICATE_REFUSED = 4;
/** As the program keeps it: one less an hour than the authority takes. */
const MOST_FAILED_VALIDATIONS = 4;
const VALIDATION_WINDOW_MS = 3_600_000;
/** A certificate that is valid for longer than this is kept, as ACME clients do. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

export const verbs = {
  install: checked([isName], async (host, [hostName]) => {
    host.update({ hostName: hostName! });
    await host.openMailPorts();
    return DONE;
  }),

  certificate: checked([isName], (host, [hostName]) => obtainCertificate(host, hostName!)),

  'mta-sts': checked([isName, isMode], async (host, [domain, mode]) => {
    if (!host.machine().domains.some((each) => each.domain === domain)) {
      return { code: NO_SUCH_DOMAIN, stderr: 'outreach-mail: the domain is not on this host\n' };
    }
    const obtained = await obtainCertificate(host, `mta-sts.${domain}`);
    if (obtained.code !== 0) return obtained;
    const others = (host.machine().mtaSts ?? []).filter((each) => each.domain !== domain);
    host.update({ mtaSts: [...others, { domain: domain!, mode: mode! }] });
    await host.openWebPort();
    return DONE;
  }),

  'add-domain': checked([isName, isSelector], async (host, [domain, selector], input) => {
    const dkimPrivateKey = await input.all();
    if (!isPrivateKey(dkimPrivateKey)) return usage('stdin is not a private key');
    const others = host.machine().domains.filter((each) => each.domain !== domain);
    const added = { domain: domain!, selector: selector!, dkimPrivateKey };
    host.update({ domains: [...others, added] });
    return DONE;
  }),

  'del-domain': checked([isName], (host, [domain]) => {
    for (const mailbox of host.mail.list(host.id)) {
      if (domainOf(mailbox.address) === domain) host.mail.remove(mailbox);
    }
    const { domains, mtaSts = [] } = host.machine();
    host.update({
      domains: domains.filter((each) => each.domain !== domain),
      mtaSts: mtaSts.filter((each) => each.domain !== domain),
    });
    return DONE;
  }),

  'set-mailbox': checked([isAddress], async (host, [address], input) => {
    if (!hostsDomainOf(host, address!)) {
      const stderr = 'outreach-mail: the domain of this mailbox is not on this host\n';
      return { code: NO_SUCH_DOMAIN, stderr };
    }
    const password = await input.line();
    if (password === '') return usage('no password on stdin');
    const hash = await hashPassword(password);
    const mailbox = host.mail.find(host.id, address!);
    if (mailbox === undefined) host.mail.create(host.id, address!, hash);
    else host.mail.setPassword(mailbox, hash);
    return DONE;
  }),

  'del-mailbox': checked([isAddress], (host, [address]) => {
    const mailbox = host.mail.find(host.id, address!);
    if (mailbox !== undefined) host.mail.remove(mailbox);
    return DONE;
  }),

  'set-smarthost': checked([isName, isPort], async (host, [name, port], input) => {
    if (host.machine().hostName === null) return NOT_INSTALLED;
    const [user = '', password = ''] = (await input.all()).split('\n');
    if (user === '' || password === '') return usage('no user and password on stdin');
    host.update({ smarthost: { host: name!, port: Number(port) } });
    return DONE;
  }),

  'del-smarthost': checked([], (host) => {
    if (host.machine().hostName === null) return NOT_INSTALLED;
    host.update({ smarthost: undefined });
    return DONE;
  }),

  'allow-key': checked([], async (host, _none, input) => {
    const key = publicKeyOf(await input.line());
    if (key === undefined) return usage('stdin is not a public key');
    host.update({ authorizedKeys: [...withoutKey(host, key), key] });
    return DONE;
  }),

  'remove-key': checked([], async (host, _none, input) => {
    const key = publicKeyOf(await input.line());
    if (key === undefined) return usage('stdin is not a public key');
    const rest = withoutKey(host, key);
    if (rest.length === 0) return LAST_KEY;
    host.update({ authorizedKeys: rest });
    return DONE;
  }),

  status: checked([], (host) => ({ code: 0, stdout: `${JSON.stringify(statusOf(host))}\n` })),
} satisfies Record<string, Verb>;

const withoutKey = (host: HostContext, key: string): string[] =>
  host.machine().authorizedKeys.filter((line) => !line.includes(key));

/** Exit 2 with one line, as the script does for wrong arguments and wrong input. */
const usage = (reason: string): CommandResult => ({
  code: 2,
  stderr: `outreach-mail: ${reason}\n`,
});

/** Runs the verb when its parameters have these shapes. */
function checked(shapes: ((text: string) => boolean)[], verb: Verb): Verb {
  return (host, parameters, input) => {
    const fits =
      parameters.length === shapes.length &&
      shapes.every((shape, index) => shape(parameters[index]!));
    return fits ? verb(host, parameters, input) : usage('wrong arguments');
  };
}

/** As the program does it with certbot; the authority of the world signs. */
async function obtainCertificate(host: HostContext, hostName: string): Promise<CommandResult> {
  const present = host.machine().certificates.find((each) => each.hostName === hostName);
  if (present && Date.parse(present.expiresAt) - Date.now() > RENEW_BEFORE_MS) return DONE;
  const window = VALIDATION_WINDOW_MS / host.core.options.pace;
  const all = (host.machine().failedValidations ?? []).filter(({ at }) => at > Date.now() - window);
  const failed = all.filter(({ name }) => name === hostName);
  if (failed.length >= MOST_FAILED_VALIDATIONS) {
    const again = new Date(failed[0]!.at + window).toISOString().slice(0, 19).replace('T', ' ');
    const words = `four validations failed within an hour, retry after ${again} UTC`;
    return noCertificate(hostName, 'rateLimited', words);
  }
  const problem = challengeProblem(host, hostName);
  if (problem !== undefined) {
    host.update({ failedValidations: [...all, { name: hostName, at: Date.now() }] });
    return noCertificate(hostName, ...problem);
  }
  const issued = await host.core.ca.issue([hostName]);
  const { privateKeyPem: key, certificatePem: certificate, expiresAt } = issued;
  const others = host.machine().certificates.filter((each) => each.hostName !== hostName);
  const certificates = [...others, { hostName, key, certificate, expiresAt }];
  host.update({ certificates, failedValidations: all.filter(({ name }) => name !== hostName) });
  return DONE;
}

/** Type and detail of ACME's error when HTTP-01 does not reach this host by the name (RFC 8555, 6.7). */
function challengeProblem(host: HostContext, hostName: string): [string, string] | undefined {
  const { exists, records } = host.core.zone.lookup(hostName, 'A');
  const addresses = records.filter((each) => each.type === 'A').map((each) => each.value);
  if (addresses.includes(host.machine().ipv4)) return authorizationProblem(host, hostName);
  if (addresses.length > 0) {
    return ['unauthorized', `${addresses[0]}: Invalid response for ${hostName}`];
  }
  const problem = exists ? 'no valid A records found for' : 'NXDOMAIN looking up A for';
  return ['dns', `DNS problem: ${problem} ${hostName}`];
}

/** As authorities do it after the challenge: the closest CAA records of a name decide (RFC 8659, 3). */
function authorizationProblem(host: HostContext, hostName: string): [string, string] | undefined {
  for (let name = hostName; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const found = host.core.zone.lookup(name, 'CAA').records.filter(({ type }) => type === 'CAA');
    if (found.length === 0) continue;
    const issuers = found.filter(({ value }) => / issue /.test(value));
    const ours = new RegExp(` issue "?${SANDBOX_ISSUER}"?$`);
    if (issuers.length === 0 || issuers.some(({ value }) => ours.test(value))) return undefined;
    return ['caa', `CAA record for ${name} prevents issuance`];
  }
  return undefined;
}

const noCertificate = (hostName: string, type: string, detail: string): CommandResult => ({
  code: CERTIFICATE_REFUSED,
  stderr: `outreach-mail: no certificate for ${hostName} (${type}): ${detail}\n`,
});
