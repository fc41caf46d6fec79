/**
 * The listeners for links on clients' own domains: every name with its own certificate, and the authority's
 * challenges. They serve links and nothing else of the API. Choice 131; RFC 8555, section 8.3; RFC 6066, section 3.
 */
import { constants } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { SecureContext, TlsOptions, TLSSocket } from 'node:tls';
import { createHttpServer, createHttpsServer } from '../server.ts';
import { createNames, type LinkMode, type Served } from './served-names.ts';

const LINKS = /^\/([urt])\/([\w-]+)$/;
const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{16,})$/;

type Names = (name: string) => Promise<Served>;

/** Neither listens yet. */
export function createLinkServers(modes: readonly LinkMode[]): {
  http: Server;
  https: SecureServer;
} {
  const names = createNames(modes);
  const tls: TlsOptions = {
    // A session of TLS 1.2 that is resumed does not tell its name: none is.
    secureOptions: constants.SSL_OP_NO_TICKET,
    SNICallback: (name, done) => void certify(names, name.toLowerCase(), done),
  };
  const https = createHttpsServer(
    tls,
    answering((...call) => serveLink(names, ...call)),
  );
  const http = createHttpServer(
    answering(async (request, response) => {
      const [, token] = CHALLENGE.exec(pathOf(request)) ?? [];
      if (token === undefined) return moveToTls(names, request, response);
      const answer = await answerOf(modes, { name: hostOf(request), token });
      if (answer === undefined) absent(response);
      else plain(response, 200, answer);
    }),
  );
  return { http, https };
}

type Call = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What fails is the database: recipients and the authority come again. */
const answering = (serve: Call) => (request: IncomingMessage, response: ServerResponse) => {
  serve(request, response).catch(() => {
    if (response.headersSent) response.destroy();
    else plain(response, 503, 'Try again\n');
  });
};

async function certify(
  names: Names,
  name: string,
  done: (error: Error | null, context?: SecureContext) => void,
): Promise<void> {
  try {
    const { secure } = await names(name);
    if (secure) done(null, secure);
    else done(new Error('The name is not served here'));
  } catch (error) {
    done(error as Error);
  }
}

async function serveLink(
  names: Names,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { servername } = request.socket as TLSSocket & { servername?: string | false };
  const name = hostOf(request);
  // A connection for one name serves no other: its certificate is the proof.
  const isItsOwn = name !== '' && name === String(servername).toLowerCase();
  const [, kind, token = ''] = LINKS.exec(pathOf(request)) ?? [];
  const { mode } = isItsOwn && kind !== undefined ? await names(name) : NOBODYS;
  const own = mode?.ownToken(token, name);
  if (!mode || own === undefined) return absent(response);
  request.url = `/${kind}/${own}`;
  mode.app(request, response);
}

const NOBODYS = { mode: undefined };

async function answerOf(
  modes: readonly LinkMode[],
  asked: { name: string; token: string },
): Promise<string | undefined> {
  for (const mode of modes) {
    const answer = await mode.challengeAnswer(asked);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Only names of ours: the port must not redirect to anywhere that a request names. */
async function moveToTls(
  names: Names,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [name, path] = [hostOf(request), pathOf(request)];
  const isLink = request.method === 'GET' && LINKS.test(path);
  const { mode } = isLink ? await names(name) : NOBODYS;
  if (!mode) return absent(response);
  response.writeHead(308, { Location: `https://${name}${path}`, 'Content-Length': 0 }).end();
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0]!;

/** Without the port, lower case; empty without a Host header. */
const hostOf = ({ headers }: IncomingMessage): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

const absent = (response: ServerResponse) => plain(response, 404, 'Nothing is here\n');

function plain(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'X-Content-Type-Options': 'nosniff',
    })
    .end(text);
}
