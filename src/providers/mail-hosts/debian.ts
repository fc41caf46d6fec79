/**
 * Mail hosts on Debian 12: Postfix, Dovecot and OpenDKIM, driven by the program of `outreach-mail/` over SSH.
 * Secrets travel on standard input; the arguments, which a server's log may show, hold none.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { Smarthost } from '../../domain/clusters/smarthost.ts';
import type { ProviderTools } from '../vendor.ts';
import type { MailHost, MailHostStatus, ServerAccess } from './port.ts';
import { sshKeyPair } from './keys.ts';
import { runCommand, type Command, type CommandResult } from './ssh.ts';
import { certificateRefused } from './certificate-problems.ts';
import { hostMoves } from './host-moves.ts';
import { hostProgram, PROGRAM_PATH, shortDigest } from './host-program.ts';
import { uploads } from './program-upload.ts';
import { mailHostUserData } from './user-data.ts';

const PROVIDER = 'mail-host';

/** Installing may fetch packages and wait for the CA; the rest takes a second. */
const INSTALL_LIMIT_MS = 10 * 60_000;
const CERTIFICATE_LIMIT_MS = 3 * 60_000;
const SHORT_LIMIT_MS = 60_000;

/** Exit codes of the script. */
const DONE = 0;
const WRONG_USAGE = 2;
const UNKNOWN_DOMAIN = 3;
const NO_CERTIFICATE = 4;

const portState = z.enum(['open', 'blocked', 'unknown']);
const smarthostAnswer = z.object({
  host: z.string(),
  port: z.number(),
  state: portState.or(z.literal('refused')),
});

const signsAnswer = z.object({
  queued: z.number(),
  diskUsedPercent: z.number(),
  stoppedServices: z.array(z.string()),
  closedPorts: z.array(z.number()),
  needsReboot: z.boolean(),
});

const statusAnswer = z.object({
  hostName: z.string().nullable(),
  domains: z.array(z.object({ domain: z.string(), selector: z.string() })),
  mailboxes: z.array(z.string()),
  certificate: z.object({ hostName: z.string(), expiresAt: z.string() }).nullable(),
  outbound25: portState,
  // Hosts with an older script do not answer these.
  smarthost: smarthostAnswer.nullish(),
  program: z.string().nullish(),
  signs: signsAnswer.nullish(),
});

/** `acmeDirectoryUrl` is where the hosts get their certificates; without a smarthost they send directly. */
export function createMailHost(input: {
  acmeDirectoryUrl: string;
  smarthost?: Smarthost | undefined;
  tools: ProviderTools;
}): MailHost {
  const { tools } = input;
  const script = (server: ServerAccess, verb: string[], options: Partial<Command> = {}) => {
    const line = [PROGRAM_PATH, ...verb].map(quoted).join(' ');
    return runScript(server, { limitMs: SHORT_LIMIT_MS, ...options, line }, tools);
  };
  const upload = async (server: ServerAccess, step: 'put' | 'restore' | 'keep') => {
    await runScript(server, { limitMs: SHORT_LIMIT_MS, ...uploads()[step] }, tools);
  };
  const setWayOut = async (server: ServerAccess, signal?: AbortSignal) => {
    const { smarthost } = input;
    if (smarthost === undefined) return removed(script(server, ['del-smarthost'], { signal }));
    const { host, port, user, password } = smarthost;
    const stdin = `${user}\n${password}\n`;
    await script(server, ['set-smarthost', host, String(port)], { stdin, signal }).catch(olderHost);
  };
  return {
    name: 'debian',
    program: shortDigest(hostProgram()),
    makeKeys: () => ({ client: sshKeyPair('outreach'), host: sshKeyPair('mail-host') }),
    userData: (host) => mailHostUserData({ ...host, acmeDirectoryUrl: input.acmeDirectoryUrl }),
    allowKey: async (server, publicKey) => {
      await script(server, ['allow-key'], { stdin: `${publicKey}\n` }).catch(olderHost);
    },
    removeKey: async (server, publicKey) => {
      await script(server, ['remove-key'], { stdin: `${publicKey}\n` }).catch(olderHost);
    },
    putProgram: (server) => upload(server, 'put'),
    restoreProgram: (server) => upload(server, 'restore'),
    keepProgram: (server) => upload(server, 'keep'),
    waitForFirstBoot: (server, signal) => waitForFirstBoot(server, tools, signal),
    install: async (server, hostName, signal) => {
      await script(server, ['install', hostName], { limitMs: INSTALL_LIMIT_MS, signal });
      await setWayOut(server, signal);
      await script(server, ['certificate', hostName], { limitMs: CERTIFICATE_LIMIT_MS, signal });
    },
    setWayOut,
    addDomain: async (server, { domain, dkimSelector, dkimPrivateKey }) => {
      await script(server, ['add-domain', domain, dkimSelector], { stdin: dkimPrivateKey });
    },
    serveMtaSts: async (server, { domain, mode }) => {
      await script(server, ['mta-sts', domain, mode], { limitMs: CERTIFICATE_LIMIT_MS });
    },
    removeDomain: async (server, domain) => {
      await script(server, ['del-domain', domain]);
    },
    setMailbox: async (server, { email, password }) => {
      if (/[\r\n]/.test(password)) throw refused('a password cannot hold a line break');
      await script(server, ['set-mailbox', email], { stdin: `${password}\n` });
    },
    removeMailbox: async (server, email) => {
      await removed(script(server, ['del-mailbox', email]));
    },
    status: async (server) => readStatus((await script(server, ['status'])).stdout),
    ...hostMoves((server, command) => runScript(server, command, tools)),
  };
}

/**
 * What the host cannot have, or its script does not know, is not there: an undo must not fail because
 * of it.
 */
async function removed(removing: Promise<CommandResult>): Promise<void> {
  await removing.catch((error: unknown) => {
    if (!isRejected(error)) throw error;
  });
}

/** What is sent was checked before, so it is the verb that such a host does not know. */
function olderHost(error: unknown): never {
  if (!isRejected(error)) throw error;
  throw new ProviderError('auth', error.message, {
    ...error.facts,
    operatorHint:
      `The server's program is older than this version: copy the one of this version to ` +
      `${PROGRAM_PATH} there (where it is about SMARTHOST_URL, it may be unset instead).`,
  });
}

const isRejected = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'rejected';

/** A host that does not answer yet is a host that is still booting. */
async function waitForFirstBoot(server: ServerAccess, tools: ProviderTools, signal?: AbortSignal) {
  const command = { line: 'cloud-init status', limitMs: SHORT_LIMIT_MS, signal };
  const result = await runCommand(server, command, tools).catch((error: unknown) => {
    const isBooting = error instanceof ProviderError && error.kind === 'unavailable';
    throw isBooting ? notReady(error.message) : error;
  });
  const [, status = 'unknown'] = /^status: (.+)$/m.exec(result.stdout) ?? [];
  if (status === 'done') return;
  if (status !== 'error') throw notReady(`${PROVIDER}: first boot is at "${status}"`);
  throw new ProviderError('unavailable', `${PROVIDER}: first boot of ${server.ipv4} failed`, {
    provider: PROVIDER,
    providerCode: 'first_boot_failed',
    operatorHint: 'Read /var/log/cloud-init-output.log on the server; `compensate` gives it back.',
  });
}

async function runScript(server: ServerAccess, command: Command, tools: ProviderTools) {
  const result = await runCommand(server, command, tools);
  if (result.exitCode === DONE) return result;
  throw scriptFailed(server, command, result);
}

/** The script tells in one line what is wrong; only its own lines are repeated. */
function scriptFailed(
  server: ServerAccess,
  command: Command,
  result: CommandResult,
): ProviderError {
  const said = result.stderr.split('\n').find((line) => line.startsWith('outreach-mail:'));
  const [, verb = ''] = /(?:^(?:ba)?sh -c '[^']*'|^\S+) (\S+)/.exec(command.line) ?? [];
  const what = `${verb} on ${server.ipv4}: ${said ?? `exit code ${result.exitCode}`}`;
  if (result.exitCode === WRONG_USAGE || result.exitCode === UNKNOWN_DOMAIN) {
    return refused(what, String(result.exitCode));
  }
  if (result.exitCode === NO_CERTIFICATE) return certificateRefused(what);
  return new ProviderError('unavailable', `${PROVIDER}: ${what}`, {
    provider: PROVIDER,
    providerCode: String(result.exitCode),
    operatorHint: 'Read /var/log/outreach-mail.log on the server.',
  });
}

function readStatus(stdout: string): MailHostStatus {
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    answer = undefined;
  }
  const parsed = statusAnswer.safeParse(answer);
  if (parsed.success) {
    const { domains, smarthost = null, program = null, signs = null } = parsed.data;
    const names = domains.map((entry) => entry.domain);
    return { ...parsed.data, smarthost, program, signs, domains: names };
  }
  throw new ProviderError('unavailable', `${PROVIDER}: the host's status was not understood`, {
    provider: PROVIDER,
    providerCode: 'unexpected_answer',
  });
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const notReady = (message: string) =>
  new ProviderError('not_ready', message, { provider: PROVIDER, providerCode: 'first_boot' });

const refused = (what: string, providerCode = 'refused') =>
  new ProviderError('rejected', `${PROVIDER}: ${what}`, { provider: PROVIDER, providerCode });
