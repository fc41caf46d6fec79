/** `outreach doctor`: asks every configured vendor what costs nothing, and says how to cure what is wrong. */
import { Command } from 'commander';
import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { createContext, type Context } from '../context.ts';
import { caaIssuer } from '../domain/domains/caa.ts';
import { linksAuthorityOf } from '../domain/domains/tracking-domains.ts';
import type { AccountQuestion } from '../domain/operations/account-questions.ts';
import { dnsQuestions } from '../providers/dns/questions.ts';
import { portQuestion } from '../providers/email-verifiers/smtp-port-check.ts';
import { linksQuestion } from '../providers/certificates/links-question.ts';
import { acmeQuestion, linksAuthorityQuestion } from '../providers/mail-hosts/acme-directory.ts';
import {
  diagnose,
  vendorQuestions,
  type Asked,
  type Diagnosis,
} from '../services/operations/doctor/questions.ts';
import { queueQuestions } from '../services/operations/doctor/queue-questions.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import { orderTrial } from './doctor-order.ts';
import {
  positive,
  productSettings,
  withConnectionOptions,
  type ConnectionOptions,
} from './operator-connections.ts';

interface Options extends ConnectionOptions {
  timeout: number;
  order?: boolean;
  yes?: boolean;
  domain?: string;
  vps?: string;
}

export const doctorCommand = (io: Io): Command =>
  withConnectionOptions(new Command('doctor'))
    .description('Asks every configured vendor, with its real credentials, what costs nothing.')
    .option('--timeout <seconds>', 'how long one question may take', positive, 20)
    .option('--order', 'also rents a server, makes a mail host of it, proves it and gives it back')
    .option('--yes', 'with --order: pay for it')
    .option('--domain <name>', 'with --order: a domain at one of the registrars, for the host name')
    .option('--vps <vendor>', 'with --order: who rents it (default: DEFAULT_VPS)')
    .addHelpText(
      'after',
      `
Reads the environment of API and workers, all of it; where DATABASE_URL is not set, that of a running world. Asks for credentials, permissions, credit, the catalogue,
webhook endpoints, vendors' queues at Temporal, name servers, port 25, the certificate authority and the host of links; docs/providers/README.md says what each
line means. A line that fails hides no other.

--order costs an hour of the configured server. It names the price and does nothing without --yes. It needs the
database: the server is written down before it is ordered, so that one that this command could not give back is
found and deleted by the comparison of vendor records, or by the next --order. Ctrl-C gives back, too.
${EXIT_CODES}

Examples:
  $ outreach doctor
  $ outreach doctor --order --domain example.com --yes
  $ outreach doctor --json | jq '.lines[] | select(.state == "failed")'`,
    )
    .action((options: Options) => examine(io, options));

async function examine(io: Io, options: Options): Promise<void> {
  const environment = productSettings(io, options);
  const config = readConfig(environment);
  const context = createContext(config, pino({ level: 'silent' }));
  try {
    const asked = [...vendorQuestions(context), queueQuestions(context), networkQuestions(context)];
    const found = await diagnose(asked, options.timeout * 1_000);
    if (options.order) found.push(...(await orderTrial(io, context, options)));
    const lines = found.map((line) => withoutSecrets(line, secretsOf(environment)));
    if (options.json) printJson(io, { lines });
    else print(io, lines);
    const failed = lines.filter(({ state }) => state === 'failed').length;
    if (failed > 0) throw new CommandEnd(EXIT.attention, `${failed} of ${lines.length} failed.`);
  } finally {
    await context.close();
  }
}

/** What is seen from here; mail hosts stand elsewhere and see their own. */
function networkQuestions(context: Context): Asked {
  const { config, dns, emailVerifiers } = context;
  const timeoutMs = config.PROVIDER_TIMEOUT_SECONDS * 1_000;
  return {
    vendor: 'network',
    questions: [
      ...dnsQuestions({ servers: config.DNS_SERVERS, timeoutMs }),
      portQuestion({
        resolver: dns,
        outboundProxy: config.OUTBOUND_PROXY,
        isNeeded: emailVerifiers['smtp_probe'] !== undefined,
      }),
      acmeQuestion({ url: config.ACME_DIRECTORY_URL, issuer: caaIssuer(config), timeoutMs }),
      ...linksQuestions(context, timeoutMs),
    ],
  };
}

/** Of links on clients' domains, where the installation serves them. Those of test mode are at the same ports. */
function linksQuestions(
  { config, dns, recipientLinks: links }: Context,
  timeoutMs: number,
): AccountQuestion[] {
  const { LINKS_HOST: host, OUTBOUND_PROXY: outboundProxy, OUTREACH_MODE: mode } = config;
  if (host === undefined || mode === 'test') return [];
  const url = linksAuthorityOf(config);
  return [
    linksQuestion({ host, links, resolver: dns, outboundProxy }),
    ...(url === config.ACME_DIRECTORY_URL ? [] : [linksAuthorityQuestion({ url, timeoutMs })]),
  ];
}

function print(io: Io, lines: readonly Diagnosis[]): void {
  printTable(
    io,
    ['VENDOR', 'QUESTION', 'STATE', 'FOUND'],
    lines.map(({ vendor, question, state, found }) => [
      vendor,
      question,
      state.replace('_', ' '),
      found,
    ]),
    'Nothing is configured.',
  );
  const cures = lines.filter(({ cure }) => cure !== undefined);
  if (cures.length === 0) return;
  io.out('');
  printTable(
    io,
    ['WHAT', 'CURE'],
    cures.map(({ vendor, question, cure }) => [`${vendor}: ${question}`, cure!]),
    '',
  );
}

/** Names of variables whose values may not be shown. */
const SECRET = /(TOKEN|KEYS?|SECRET|PASSWORD|_URL)$/;

/** Vendors' words may repeat what they were sent. */
function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(environment).flatMap(([name, value = '']) => {
    if (!SECRET.test(name)) return [];
    if (!name.endsWith('_URL')) return [value];
    // Of an address only what logs in with it.
    return [URL.parse(value)?.password ?? ''];
  });
  return values.filter((value) => value.length >= 6);
}

function withoutSecrets(line: Diagnosis, secrets: readonly string[]): Diagnosis {
  const clean = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  const cure = line.cure === undefined ? undefined : clean(line.cure);
  return { ...line, found: clean(line.found), cure };
}
