/**
 * `outreach doctor --order`: rents a server, makes a mail host of it, proves that it is one, gives it back. Its row
 * comes before the order, and whatever was begun is given back in every ending.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../../../context.ts';
import { endTrial, insertTrial } from '../../../db/operations/doctor-trials.ts';
import { TRIAL_LABEL, TRIAL_PREFIX } from '../../../domain/operations/doctor-trials.ts';
import { ProviderError } from '../../../domain/errors.ts';
import type { ServerAccess } from '../../../providers/mail-hosts/port.ts';
import type { Registrar } from '../../../providers/registrars/port.ts';
import type { VpsProvider } from '../../../providers/vps/port.ts';
import type { AccountAnswer } from '../../../domain/operations/account-questions.ts';
import { giveBack, until, type Trial } from './give-back.ts';

const generateRsaPair = promisify(generateKeyPair);

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'dns' | 'mailHost' | 'mailTransport'>;

const MINUTE_MS = 60_000;
const SERVER_LIMIT_MS = 15 * MINUTE_MS;
const BOOT_LIMIT_MS = 30 * MINUTE_MS;
const DNS_LIMIT_MS = 30 * MINUTE_MS;

export interface TrialOrder {
  vps: VpsProvider;
  registrar: Registrar;
  /** In our account at the registrar; the host's name is made below it. */
  domain: string;
  /** Ends the trial early; what was begun is given back all the same. */
  signal: AbortSignal;
  /** Called as each step begins. */
  tell: (words: string) => void;
}

/** A step of the trial and how it ended, as a line of the table. */
export interface TrialLine extends AccountAnswer {
  question: string;
}

/** Never throws for what a vendor does: each step is a line, and giving back is the last one. */
export async function runTrial(context: Needs, order: TrialOrder): Promise<TrialLine[]> {
  const { vps, registrar, domain } = order;
  const name = `${TRIAL_PREFIX}${randomBytes(6).toString('hex')}`;
  const trial: Trial = { name, vps, registrar, domain };
  const startedAt = context.clock.now();
  await insertTrial(context.db, {
    name,
    provider: vps.name,
    registrar: registrar.name,
    domain,
    startedAt,
  });
  const lines: TrialLine[] = [];
  try {
    await rehearse(context, order, { trial, lines });
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  } finally {
    order.tell('give everything back');
    lines.push(await returned(context, trial));
  }
  return lines;
}

/** The step's line is written already; nothing comes after it. */
class StepFailed extends Error {}

async function rehearse(
  context: Needs,
  order: TrialOrder,
  { trial, lines }: { trial: Trial; lines: TrialLine[] },
): Promise<void> {
  const { mailHost } = context;
  const { vps, domain, signal } = order;
  const hostName = `${trial.name}.${domain}`;
  const keys = mailHost.makeKeys();
  const step = stepOf(order, lines);
  const rented = await step('order a server', () =>
    vps.create({
      name: trial.name,
      sshPublicKey: keys.client.publicKey,
      userData: mailHost.userData({ hostName, hostKey: keys.host }),
      labels: { 'managed-by': 'outreach', ...TRIAL_LABEL, domain },
    }),
  );
  const ipv4 = await step('the server runs', () => addressOf(context, order, rented.id));
  const access: ServerAccess = {
    ipv4,
    sshPrivateKey: keys.client.privateKey,
    hostPublicKey: keys.host.publicKey,
  };
  await step('name it in DNS', async () => {
    const record = { type: 'A', name: trial.name, value: ipv4, ttl: 300 } as const;
    await order.registrar.createRecord(domain, record);
    const isVisible = async () => (await context.dns.resolveA(hostName)).includes(ipv4);
    await until(context, isVisible, { limitMs: DNS_LIMIT_MS, signal, what: 'its record' });
  });
  await step('name it in reverse DNS', () => vps.setReverseDns(rented.id, ipv4, hostName));
  await step('first boot', () => {
    const isUp = () => mailHost.waitForFirstBoot(access, signal).then(() => true);
    return until(context, isUp, { limitMs: BOOT_LIMIT_MS, signal, what: 'its first boot' });
  });
  await step('install the mail host, with a certificate', () =>
    mailHost.install(access, hostName, signal),
  );
  await step('log in over SMTP and IMAP', () => prove(context, access, hostName));
  await step('port 25 from the server', async () => portLine(await mailHost.status(access)));
}

/** Runs a step and writes its line; a failure ends the trial. */
function stepOf({ tell, signal }: TrialOrder, lines: TrialLine[]) {
  return async <T>(question: string, work: () => Promise<T>): Promise<T> => {
    tell(question);
    try {
      signal.throwIfAborted();
      const done = await work();
      lines.push({ question, ...(isAnswer(done) ? done : { state: 'ok', found: 'done' }) });
      return done;
    } catch (error) {
      const cure = error instanceof ProviderError ? error.facts.operatorHint : undefined;
      const words = error instanceof Error ? error.message : String(error);
      const found = signal.aborted ? 'broken off' : words;
      lines.push({ question, state: 'failed', found, cure });
      throw new StepFailed(words);
    }
  };
}

const isAnswer = (value: unknown): value is AccountAnswer =>
  typeof value === 'object' && value !== null && 'state' in value && 'found' in value;

async function addressOf(context: Needs, order: TrialOrder, id: string): Promise<string> {
  let address: string | null = null;
  const isRunning = async () => {
    const server = await order.vps.get(id);
    if (server?.failure !== undefined) {
      throw new ProviderError('quota', `the order failed: ${server.failure}`, {
        provider: order.vps.name,
      });
    }
    address = server?.state === 'running' ? server.ipv4 : null;
    return address !== null;
  };
  const { signal } = order;
  await until(context, isRunning, { limitMs: SERVER_LIMIT_MS, signal, what: 'the server' });
  return address!;
}

/** As the step `verify` of a cluster: with a domain, its key and a mailbox of its own. */
async function prove(context: Needs, access: ServerAccess, hostName: string): Promise<void> {
  const { mailHost, mailTransport } = context;
  const { privateKey } = await generateRsaPair('rsa', { modulusLength: 2_048 });
  const dkimPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await mailHost.addDomain(access, { domain: hostName, dkimSelector: 's1', dkimPrivateKey });
  const email = `trial@${hostName}`;
  const password = randomBytes(18).toString('base64url');
  await mailHost.setMailbox(access, { email, password });
  await mailTransport.checkSubmission({ host: hostName, email, password });
  await mailTransport.checkImap({ host: hostName, email, password });
}

const portLine = ({ outbound25 }: { outbound25: string }): AccountAnswer =>
  outbound25 === 'blocked'
    ? {
        state: 'warning',
        found: 'closed: its messages would wait and go back',
        cure: 'Ask the vendor to open port 25, or set SMARTHOST_URL (docs/providers/README.md).',
      }
    : { state: 'ok', found: outbound25 };

async function returned(context: Needs, trial: Trial): Promise<TrialLine> {
  const question = 'give the server and its record back';
  try {
    await giveBack(context, trial);
    await endTrial(context.db, trial.name, context.clock.now());
    return { question, state: 'ok', found: `${trial.name} is gone` };
  } catch (error) {
    // The row stays open: the next doctor and the comparison of vendor records give it back.
    const words = error instanceof Error ? error.message : String(error);
    return {
      question,
      state: 'failed',
      found: `${trial.name} may still be there: ${words}`,
      cure: `Run \`outreach doctor --order\` again, or delete ${trial.name} in the console of the vendor.`,
    };
  }
}
