/** `outreach mcp`: tools for language models, as a client of the API. */
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { GRANTS, type Grant } from '../mcp/tool.ts';
import { CommandEnd, EXIT, EXIT_CODES, WORLD_FILE, type Io } from './io.ts';

interface Options {
  url?: string;
  http?: number;
  host: string;
  allowedHost: string[];
  allow: Grant[];
  world: string;
}

const collect = (value: string, before: string[]): string[] => [...before, value];

export const mcpCommand = (io: Io): Command =>
  new Command('mcp')
    .description('Serves the Model Context Protocol: tools for language models.')
    .option('--url <url>', 'where the API is (default: OUTREACH_URL, else the running world)')
    .option('--http <port>', 'serve streamable HTTP instead of stdin and stdout', port)
    .option('--host <address>', 'with --http: the address to listen at', '127.0.0.1')
    .option('--allowed-host <name>', 'with --http: a name that it is reached by', collect, [])
    .addOption(
      new Option('--allow <scope>', 'offer tools that spend money or send mail; may be repeated')
        .argParser(grants)
        .default([] as Grant[], 'neither'),
    )
    .option('--world <file>', "a running world's file", WORLD_FILE)
    .addHelpText(
      'after',
      `
It calls the API and nothing else. By default its tools read, and write what nobody outside sees. Scopes:
  spend  buy domains, rent servers, search with data providers
  send   start campaigns and warm-up, reply, send test messages, post events to a URL
Every one of these tools says first what it costs or to whom it writes, and acts when it is called again with the
confirmation it gave.

On stdin and stdout the API key is OUTREACH_API_KEY. With --http each caller sends its own as bearer token; hosts
and origins other than this machine's are refused.
${EXIT_CODES}

Examples:
  $ OUTREACH_URL=https://outreach.example.com OUTREACH_API_KEY=svc_... outreach mcp
  $ outreach mcp --allow spend --allow send
  $ outreach mcp --http 3333 --allow send`,
    )
    .action((options: Options) => serve(io, options));

async function serve(io: Io, { http, host, allowedHost, allow, ...from }: Options): Promise<void> {
  const { baseUrl, apiKey } = connectionOf(io, from);
  // Loaded late: no other command needs it.
  const { Confirmations, serveHttp, serveStdio } = await import('../mcp/index.ts');
  const settings = {
    baseUrl,
    grants: new Set(allow),
    confirmations: new Confirmations(),
    log: io.err,
  };
  if (http === undefined) {
    if (apiKey === undefined) throw new CommandEnd(EXIT.failed, 'OUTREACH_API_KEY is not set.');
    return serveStdio(settings, apiKey);
  }
  const { url } = await serveHttp({ ...settings, port: http, host, allowedHosts: allowedHost });
  io.err(`Serving ${baseUrl} at ${url}`);
}

/** Of the environment, else of a running world. */
function connectionOf(
  { environment }: Io,
  { url, world }: Pick<Options, 'url' | 'world'>,
): { baseUrl: string; apiKey: string | undefined } {
  const baseUrl = url ?? environment['OUTREACH_URL'];
  const apiKey = environment['OUTREACH_API_KEY'];
  if (baseUrl !== undefined && baseUrl !== '') return { baseUrl, apiKey };
  try {
    const running = JSON.parse(readFileSync(world, 'utf8')) as { api: string; apiKey: string };
    return { baseUrl: running.api, apiKey: apiKey ?? running.apiKey };
  } catch {
    const message = `OUTREACH_URL is not set and ${world} cannot be read: set it, or give --url.`;
    throw new CommandEnd(EXIT.failed, message);
  }
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
