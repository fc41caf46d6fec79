/**
 * Whether names below LINKS_HOST lead to the API's ports for links. The answer is had where an authority reads it
 * (RFC 8555, section 8.3): what stands in between may take that very path for itself. Choice 134.
 */
import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ProviderError } from '../../domain/errors.ts';
import {
  fine,
  wrong,
  type AccountAnswer,
  type AccountQuestion,
} from '../../domain/operations/account-questions.ts';
import type { RecipientLinks } from '../../domain/sending/recipient-links.ts';
import { dial, type AddressResolver } from '../network.ts';

const PROVIDER = 'links';

/** For a connection, and for an answer: less than `outreach doctor` waits, so that it says which port is closed. */
const LIMIT_MS = 5_000;

/** Of an answer; the right one has 31 characters. */
const MAX_CHARACTERS = 1_024;

/** What the API answers on that port to what it does not know: `src/http/links/links-server.ts`. */
const NOTHING = 'Nothing is here\n';

interface Tools {
  /** LINKS_HOST. */
  host: string;
  /** Tokens of the keys that the API has, too. */
  links: RecipientLinks;
  resolver: AddressResolver;
  outboundProxy: string | undefined;
}

/** Asks a new name each time, which only a wildcard record has, and which no resolver remembers. */
export const linksQuestion = (tools: Tools): AccountQuestion => ({
  name: 'links host',
  async ask() {
    const name = `${randomBytes(10).toString('hex')}.${tools.host}`;
    const [address] = await tools.resolver.resolveA(name);
    if (address === undefined) {
      const cure = `Set a wildcard record, *.${tools.host} A <address of the API's ports for links>.`;
      return wrong(`${name} has no address: links of clients' names lead nowhere`, cure);
    }
    const answer = await answerAt(tools, { name, address });
    // Whoever answers there has a certificate for no such name.
    if (answer.state !== 'failed') (await connect(tools, address, 443)).destroy();
    return answer;
  },
});

interface Place {
  name: string;
  address: string;
}

/** Of port 80. */
async function answerAt(tools: Tools, { name, address }: Place): Promise<AccountAnswer> {
  const { host, links } = tools;
  const token = new URL(links.at(`https://${name}`).openUrl(0)).pathname.slice('/t/'.length);
  const socket = await connect(tools, address, 80);
  const where = `port 80 of ${address}`;
  const failed = (error: unknown) => ({ status: 0, text: (error as Error).message });
  const { status, text } = await fetched(socket, { name, token }).catch(failed);
  // Only who has our keys could read the token, and make this one.
  if (status === 200 && links.read(text) !== undefined) {
    return fine(`*.${host} leads to ${address}, where the API answers`);
  }
  if (status === 404 && text === NOTHING) {
    const found = `${where} answers as an API does, but of other keys, or of an earlier version`;
    const cure = 'Give API and doctor the same ENCRYPTION_KEYS and LINKS_HOST, and one version.';
    return { state: 'warning', found, cure };
  }
  const said =
    status === 0 ? `does not answer (${text})` : `answers ${status}, which is not the API`;
  return wrong(`${where} ${said}: no certificate is got`, cureOf(80));
}

/** Throws with the cure. */
async function connect(
  { outboundProxy: proxy }: Tools,
  ipv4: string,
  port: number,
): Promise<Socket> {
  try {
    return await dial({ provider: PROVIDER, ipv4, port, proxy, timeoutMs: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const facts = { ...error.facts, operatorHint: cureOf(port) };
    throw new ProviderError(error.kind, error.message, facts);
  }
}

const cureOf = (port: number): string =>
  `Lead port ${port} to ${port === 80 ? 'LINKS_HTTP_PORT' : 'LINKS_TLS_PORT'} of the API as it is ` +
  '(docs/deployment.md#links-on-other-domains), and see that this machine may reach it.';

/** One request on the connection; it is over with the answer. */
function fetched(
  socket: Socket,
  { name, token }: { name: string; token: string },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        path: `/.well-known/acme-challenge/${token}`,
        headers: { host: name, connection: 'close' },
        createConnection: () => socket,
        signal: AbortSignal.timeout(LIMIT_MS),
      },
      (response) => {
        read(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, text }),
          (error: unknown) => reject(error as Error),
        );
      },
    );
    asked.once('error', reject);
    asked.once('close', () => socket.destroy());
    asked.end();
  });
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}
