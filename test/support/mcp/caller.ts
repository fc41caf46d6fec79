/** A caller of the tools, by the SDK's own client, over either transport. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { Confirmations, serveHttp, type HttpServing } from '../../../src/mcp/index.ts';
import type { Grant } from '../../../src/mcp/tool.ts';
import { compiledProgram } from '../../../src/dev/processes/compiled-sources.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
export type Shown = any;

export interface Caller {
  client: Client;
  /** How many tools were called. */
  calls: number;
  /** What a tool answers; an error of it throws. */
  call(name: string, args?: object, onProgress?: (progress: Progress) => void): Promise<Shown>;
  /** The error that a tool answers. */
  refusal(name: string, args?: object): Promise<Shown>;
  /** A tool of two steps, both: `result` of the second one. `onQuote` sees the first. */
  agree(name: string, args: object, onQuote?: (quote: Shown) => void): Promise<Shown>;
  close(): Promise<void>;
}

/** `outreach mcp` as a process of its own, which speaks over its stdin and stdout. */
export function stdioCaller(
  api: { url: string; token: string },
  ...options: string[]
): Promise<Caller> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...compiledProgram('src/cli/outreach.ts'), 'mcp', ...options],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', OUTREACH_URL: api.url, OUTREACH_API_KEY: api.token },
    stderr: 'pipe',
  });
  return callerOf(transport);
}

/** The tools of the API at `baseUrl` over streamable HTTP, at a free port of this machine. */
export const serveTools = (
  baseUrl: string,
  grants: readonly Grant[],
  log: (line: string) => void = () => undefined,
): Promise<HttpServing> =>
  serveHttp({
    baseUrl,
    grants: new Set(grants),
    confirmations: new Confirmations(),
    log,
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
  });

/** Over streamable HTTP, with the caller's own token. */
export const httpCaller = (url: string, token: string): Promise<Caller> =>
  callerOf(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }) as Transport,
  );

/** A call may wait for long work. */
const TIMEOUT_MS = 300_000;

async function callerOf(transport: Transport): Promise<Caller> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // So that the client holds answers against the schemas of the tools.
  await client.listTools();
  const ask = async (name: string, args: object, onprogress?: (progress: Progress) => void) => {
    caller.calls += 1;
    const options = { timeout: TIMEOUT_MS, ...(onprogress && { onprogress }) };
    return client.callTool({ name, arguments: { ...args } }, undefined, options);
  };
  const caller: Caller = {
    client,
    calls: 0,
    async call(name, args = {}, onProgress) {
      const { isError, content, structuredContent } = await ask(name, args, onProgress);
      if (isError) throw new Error(`${name}: ${textOf(content)}`);
      return structuredContent;
    },
    async refusal(name, args = {}) {
      const { isError, content } = await ask(name, args);
      if (!isError) throw new Error(`${name} does not refuse`);
      return parsed(textOf(content));
    },
    async agree(name, args, onQuote) {
      const { quote } = await caller.call(name, args);
      onQuote?.(quote);
      return (await caller.call(name, { ...args, confirm: quote.confirm })).result;
    },
    close: () => client.close(),
  };
  return caller;
}

const textOf = (content: unknown): string => (content as [{ text: string }])[0].text;

/** What the SDK itself refuses is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
