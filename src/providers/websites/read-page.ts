/** From a URL to its page's findings: rules, redirects, file types, text, extraction. */
import { isKnownEncoding, MAX_PAGE_BYTES } from './decompress.ts';
import type { Answer, Headers } from './exchange.ts';
import type { PageFindings } from './extract/types.ts';
import { isTrouble, refused, unreachable, type Trouble } from './outcome.ts';
import type { Session } from './session.ts';
import { bareHost, forbiddenUrl, siteOf, webUrl } from './site-url.ts';

export interface Page {
  url: URL;
  findings: PageFindings;
}

export interface Reading {
  countryCode: string | null;
  /** Sites to which redirects may lead; undefined, for a home page, allows any permitted site. */
  sites: ReadonlySet<string> | undefined;
}

const MAX_HOPS = 5;
/** The pause at a site after each page, unless it asks for more. */
const PAUSE_MS = 250;

/** Reads one page, following its redirects. Throws only the reason of the visit's signal. */
export async function readPage(
  session: Session,
  start: URL,
  reading: Reading,
): Promise<Page | Trouble> {
  const seen = new Set<string>();
  let url = start;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    if (seen.has(url.href)) return unreachable(`${bareHost(url)} redirects in a circle.`);
    seen.add(url.href);
    const result = await step(session, url, reading);
    if (!(result instanceof URL)) return result;
    url = result;
  }
  return unreachable(`${bareHost(start)} redirects more than ${MAX_HOPS} times.`);
}

/** One request: the page, where it redirects, or what is wrong. */
async function step(session: Session, url: URL, reading: Reading): Promise<Page | URL | Trouble> {
  const forbidden = forbiddenUrl(url);
  if (forbidden) return forbidden;
  if (reading.sites && !reading.sites.has(siteOf(url))) {
    return refused(`${bareHost(url)} is another site.`);
  }
  const { shared } = session;
  const rules = await shared.robots.rulesFor(url, session);
  if (isTrouble(rules)) return rules;
  if (!rules.isAllowed(url))
    return refused(`The robots.txt of ${bareHost(url)} forbids the visit.`);
  const holding = shared.memory.hold();
  try {
    const answer = await session.get(url, {
      limitBytes: MAX_PAGE_BYTES,
      holding,
      wants: (status, headers) => isSuccess(status) && whyNoPage(url, headers) === undefined,
      pauseAfter: ({ status }) => (isRedirect(status) ? 0 : Math.max(PAUSE_MS, rules.delayMs)),
    });
    if (isTrouble(answer)) return answer;
    if (isRedirect(answer.status)) return targetOf(answer, url);
    if (!isSuccess(answer.status)) return statusTrouble(answer.status, url);
    return whyNoPage(url, answer.headers) ?? (await extracted(session, answer, url, reading));
  } finally {
    holding.release();
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;
const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

function targetOf({ headers: { location } }: Answer, url: URL): URL | Trouble {
  const target = typeof location === 'string' ? webUrl(location, url) : undefined;
  return target ?? refused(`${bareHost(url)} redirects to something that is no web address.`);
}

function statusTrouble(status: number, url: URL): Trouble {
  const trouble = unreachable(`${bareHost(url)} answers with status ${status}.`);
  return status === 404 || status === 410 ? { ...trouble, cause: 'no-such-page' } : trouble;
}

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/plain|(text|application)\/xml)$/;

function whyNoPage(url: URL, headers: Headers): Trouble | undefined {
  const type = String(headers['content-type'] ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase();
  if (type !== '' && !PAGE_TYPE.test(type)) {
    return refused(`What ${bareHost(url)} sends is not a page but ${type.slice(0, 60)}.`);
  }
  if (!isKnownEncoding(String(headers['content-encoding'] ?? ''))) {
    return refused(`${bareHost(url)} compresses in a way that we do not undo.`);
  }
  return undefined;
}

async function extracted(
  { shared }: Session,
  { body, headers }: Answer,
  url: URL,
  { countryCode }: Reading,
): Promise<Page | Trouble> {
  const parsed = await shared.parser.parse({
    body,
    encoding: String(headers['content-encoding'] ?? ''),
    contentType: String(headers['content-type'] ?? ''),
    url: url.href,
    countryCode,
  });
  if ('findings' in parsed) return { url, findings: parsed.findings };
  return refused(`What ${bareHost(url)} sends ${parsed.why}.`);
}
