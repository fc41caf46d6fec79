/** `outreach mcp`: tools for language models, as a client of the API. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { GRANTS, type Grant } from '../mcp/tool.ts';
import { loginOf, withLogin, type ClientOptions } from './client/connection.ts';
import { CommandEnd, EXIT, EXIT_CODES, type Io } from './io.ts';

interface Options extends Pick<ClientOptions, 'profile' | 'world'> {
  url?: string;
  http?: number;
  host: string;
  allowedHost: string[];
  allow: Grant[];
}

const collect = (value: string, before: string[]): string[] => [...before, value];

export const mcpCommand = (io: Io): Command =>
  withLogin(new Command('mcp'))
    .description('Serves the Model Context Protocol: tools for language models.')
    .option('--url <url>', 'where the API is (default: that of the login)')
    .option('--http <port>', 'serve streamable HTTP instead of stdin and stdout', port)
    .option('--host <address>', 'with --http: the address to listen at', '127.0.0.1')
    .option('--allowed-host <name>', 'with --http: a name that it is reached by', collect, [])
    .addOption(
      new Option('--allow <scope>', 'offer tools that spend money or send mail; may be repeated')
        .argParser(grants)
        .default([] as Grant[], 'neither'),
    )
    .addHelpText(
      'after',
      `
It calls the API and nothing else. By default its tools read, and write what nobody outside sees. Scopes:
  spend  buy domains, rent servers, search with data providers
  send   start campaigns and warm-up, reply, send test messages, post events to a URL
Every one of these tools says first what it costs or to whom it writes, and acts when it is called again with the
confirmation it gave.

Address and key are those of --profile or --world; else OUTREACH_URL and OUTREACH_API_KEY; else of \`outreach login\`;
else of the world that runs in this folder. With --url the key is OUTREACH_API_KEY. With --http each caller sends its
own as bearer token; hosts and origins other than this machine's are refused.
${EXIT_CODES}

Examples:
  $ OUTREACH_URL=https://outreach.example.com OUTREACH_API_KEY=svc_... outreach mcp
  $ outreach mcp --profile acme --allow spend --allow send
  $ outreach mcp --http 3333 --allow send`,
    )
    .action((options: Options) => serve(io, options));

async function serve(io: Io, { http, host, allowedHost, allow, ...from }: Options): Promise<void> {
  const { baseUrl, apiKey } = await connectionOf(io, { ...from, isHttp: http !== undefined });
  // Loaded late: no other command needs it.
  const { Confirmations, serveHttp, serveStdio } = await import('../mcp/index.ts');
  const settings = {
    baseUrl,
    grants: new Set(allow),
    confirmations: new Confirmations(),
    log: io.err,
  };
  if (http === undefined) {
    if (!apiKey) throw new CommandEnd(EXIT.failed, 'OUTREACH_API_KEY is not set.');
    return serveStdio(settings, apiKey);
  }
  const { url } = await serveHttp({ ...settings, port: http, host, allowedHosts: allowedHost });
  io.err(`Serving ${baseUrl} at ${url}`);
}

/** As of every client's command; callers over HTTP bring keys of their own, so that an address is enough. */
async function connectionOf(
  io: Io,
  { url, isHttp, ...login }: Pick<Options, 'url' | 'profile' | 'world'> & { isHttp: boolean },
): Promise<{ baseUrl: string; apiKey: string | undefined }> {
  const { OUTREACH_URL, OUTREACH_API_KEY: apiKey } = io.environment;
  if (url !== undefined) return { baseUrl: url, apiKey };
  const isNamed = login.profile !== undefined || login.world !== undefined;
  if (isHttp && OUTREACH_URL && !isNamed) return { baseUrl: OUTREACH_URL, apiKey: undefined };
  const found = await loginOf(io, login);
  return { baseUrl: found.url, apiKey: found.apiKey };
}

function port(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('Not a port.');
}

function grants(value: string, before: Grant[]): Grant[] {
  const grant = GRANTS.find((one) => one === value);
  if (grant === undefined) throw new InvalidArgumentError(`One of ${GRANTS.join(', ')}.`);
  return [...before, grant];
}
