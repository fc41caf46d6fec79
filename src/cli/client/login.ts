/** `outreach login`, `logout` and `whoami`: which installation, by which key. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  createOutreach,
  isOutreachError,
  type ApiKey,
  type Outreach,
} from '../../../clients/typescript/src/index.ts';
import { notEmpty } from '../arguments.ts';
import { reading } from './files.ts';
import { CommandEnd, EXIT, printJson, type Io } from '../io.ts';
import { clientCommand, helpText } from './commands.ts';
import { baseUrlOf, withClient, type ClientOptions } from './connection.ts';
import { DEFAULT_PROFILE, readLogins, writeLogins, type Login } from './credentials.ts';
import { failureOf } from './failures.ts';
import { minute, show } from './output.ts';

interface LoginOptions {
  url?: string;
  apiKey?: string;
  profile: string;
  json?: boolean;
}

const withProfile = (command: Command): Command =>
  command
    .option('--profile <name>', 'one of several logins', notEmpty, DEFAULT_PROFILE)
    .option('--json', 'one JSON document on stdout, for programs');

export const loginCommand = (io: Io): Command =>
  withProfile(new Command('login'))
    .description('Logs in to the API of an installation: checks an API key and stores it.')
    .option('--url <url>', 'where the API is')
    .option('--api-key <file>', 'a file with the key; - is stdin (default: it is asked for)')
    .addHelpText(
      'after',
      helpText({
        more: `The key is never an argument, where others could read it: it is typed without being shown, piped in, or in a file.
It is stored in outreach/credentials.json of XDG_CONFIG_HOME or ~/.config, for you alone (mode 0600).
A command takes its login from --profile or --world; else from OUTREACH_URL and OUTREACH_API_KEY; else the
profile "${DEFAULT_PROFILE}"; else it takes the world that runs here.`,
        examples: [
          'login --url https://outreach.example.com',
          'login --url https://outreach.example.com --api-key key.txt --profile acme',
        ],
      }),
    )
    .action((options: LoginOptions) => login(io, options));

async function login(io: Io, options: LoginOptions): Promise<void> {
  const { profile } = options;
  const url = checkedUrl(options.url ?? (await asked(io, 'URL of the API: ', '--url')));
  const apiKey = checkedKey(await keyOf(io, options));
  const outreach = createOutreach({ baseUrl: url, apiKey, retries: 1 });
  const key = await outreach.apiKeys.readCurrent().catch((error: unknown) => {
    throw failureOf(error, { apiKey });
  });
  const file = await writeLogins(io, { ...(await readLogins(io)), [profile]: { url, apiKey } });
  if (options.json) return printJson(io, key);
  const mode = modeWords(key.mode);
  io.out(`Logged in to ${url} by the key "${key.name}"${mode}. Profile ${profile} in ${file}`);
  if (isReadable(url)) {
    io.err(`${url} is not encrypted: whoever is on the way reads the key. Use https.`);
  }
  if (io.environment['OUTREACH_URL'] || io.environment['OUTREACH_API_KEY']) {
    io.err('OUTREACH_URL and OUTREACH_API_KEY are set: they go before it.');
  }
}

/** Plain HTTP to another machine. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

async function asked(io: Io, question: string, option: string, isHidden = false): Promise<string> {
  if (!io.input?.isTerminal) {
    throw new CommandEnd(EXIT.usage, `Nobody can be asked here: give ${option}.`);
  }
  return (await io.input.ask(question, { isHidden })).trim();
}

async function keyOf(io: Io, { apiKey: file }: LoginOptions): Promise<string> {
  if (file?.startsWith('svc_')) {
    const message =
      'A key on the command line is seen by others. --api-key takes a file, - is stdin.';
    throw new CommandEnd(EXIT.usage, message);
  }
  if (file !== undefined && file !== '-') {
    return reading(file, readFile(file, 'utf8'));
  }
  if (file === undefined && io.input?.isTerminal) return asked(io, 'API key: ', '--api-key', true);
  if (!io.input) throw new CommandEnd(EXIT.usage, 'There is no key: give --api-key.');
  return io.input.readAll();
}

function checkedUrl(text: string): string {
  const url = baseUrlOf(text);
  if (url !== undefined) return url;
  throw new CommandEnd(EXIT.usage, 'The URL is one such as https://outreach.example.com');
}

function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{8,512}$/.test(key)) return key;
  throw new CommandEnd(EXIT.usage, 'That is no API key: it is one word, svc_...');
}

export const logoutCommand = (io: Io): Command =>
  withProfile(new Command('logout'))
    .description('Forgets a login. The key itself stays good.')
    .option('--all', 'forget all logins')
    .addHelpText('after', helpText({ examples: ['logout', 'logout --profile acme'] }))
    .action(async ({ profile, all, json }: { profile: string; all?: boolean; json?: boolean }) => {
      const logins: Record<string, Login> = { ...(await readLogins(io)) };
      const gone = all ? Object.keys(logins) : Object.keys(logins).filter((one) => one === profile);
      for (const one of gone) delete logins[one];
      if (gone.length > 0) await writeLogins(io, logins);
      if (json) return printJson(io, { removed: gone });
      io.out(gone.length === 0 ? 'You were not logged in.' : `Forgotten: ${gone.join(', ')}`);
    });

export const whoamiCommand = (io: Io): Command =>
  clientCommand('whoami', 'Shows who you are logged in as, and what the key may do.', {
    examples: ['whoami', 'whoami --json | jq .permissions'],
  }).action((options: ClientOptions) =>
    withClient(io, options, async ({ outreach, url }) => {
      const key = await currentKey(outreach);
      if (!key) {
        const account = await outreach.account.read();
        return show(io, options, account, [
          ['API', url],
          ['Account', account.email],
          ['Mode', account.mode],
          ['By', 'a token of the web application'],
        ]);
      }
      show(io, options, key, [
        ['API', url],
        ['Key', `${key.name} (${key.prefix}...${key.last4})`],
        ['Mode', key.mode],
        ['May', key.permissions.join(', ')],
        ['From', key.ipWhitelist.join(', ') || 'any address'],
        ['Expires', minute(key.expiresAt) ?? 'never'],
      ]);
    }),
  );

/** Live is what everybody expects. */
const modeWords = (mode: ApiKey['mode']): string => (mode === 'test' ? ' of test mode' : '');

/** Undefined for a JSON Web Token, which may be used in place of a key. */
async function currentKey(outreach: Outreach): Promise<ApiKey | undefined> {
  try {
    return await outreach.apiKeys.readCurrent();
  } catch (error) {
    if (isOutreachError(error, 'API_KEY_NOT_FOUND')) return undefined;
    throw error;
  }
}
