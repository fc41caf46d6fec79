/**
 * Whether a link or the picture of a message was fetched by a person or by a program: security
 * gateways follow every link before they deliver, and mail programs load pictures ahead. What is
 * known of them, by those who measure it:
 * - Apple Mail Privacy Protection loads all pictures, opened or not, as a bare `Mozilla/5.0`.
 * - Gmail loads them through GoogleImageProxy when a person opens the message, Yahoo through
 *   YahooMailProxy; ahead of that, with a session open, Gmail does so as `Edge/12.246 Mozilla/5.0`.
 * - Gateways follow all links within seconds of delivery, the large ones with the words of a browser.
 * docs/campaign-messages.md says what this cannot know.
 */

/** One request for a link of a message. */
export interface LinkFetch {
  /** Where the link leads; '' for the picture. */
  target: string;
  at: Date;
  /** By its user agent and headers: `isMachineRequest`. */
  isMachine: boolean;
}

/** No person opens a message, or follows its link, this soon after its host accepted it. */
export const TOO_SOON_SECONDS = 10;
/** No person follows two different links of a message within this time. */
export const BURST_SECONDS = 3;

/** By the request's user agent and headers. */
export function isMachineRequest(
  method: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  return method !== 'GET' || isMachine(headers);
}

/** By its headers alone, whatever it does. */
export function isMachine(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const isAhead = AHEAD_HEADERS.some((name) => /prefetch|preview/i.test(String(headers[name])));
  const userAgent = String(headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
  return isAhead || MACHINES.some((words) => words.test(userAgent.trim()));
}

/** Headers of browsers and mail programs that prefetch. */
const AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

const MAX_USER_AGENT = 1_000;

const MACHINES: readonly RegExp[] = [
  /^(?:Mozilla\/5\.0)?$/,
  /Edge\/12\.246 Mozilla\/5\.0$/,
  /barracuda|proofpoint|mimecast|cisco|ironport|forcepoint|fortinet|fortimail|sophos|symantec/i,
  /trend ?micro|\btmes\b|mcafee|kaspersky|safelinks|urldefense|cloudmark|hornetsecurity|\bvade\b|zscaler/i,
  /virustotal|urlscan|phish|\bscan(?:ner|ning)?\b|linkcheck/i,
  /bot\b(?<!\bcubot)|\bbots?[/;-]|crawl|spider|preview|externalhit|whatsapp|headless|phantomjs/i,
  /^(?:curl|wget|python|aiohttp|go-http|java|apache-http|jakarta|libwww|lwp|ruby|perl|php|guzzle)/i,
  /^(?:node|axios|undici|got |reactor|httpie|http_request|scrapy|ahc\/|lua-resty)/i,
];

/**
 * Which of the fetches of one message were a program's, in order. MUST include all fetches of `BURST_SECONDS`
 * before and after each. `handedAt`: when its host accepted it, or was given it, where nobody knows whether it did.
 */
export const judgeFetches = (handedAt: Date, fetches: readonly LinkFetch[]): boolean[] =>
  fetches.map((one) => {
    const seconds = (one.at.getTime() - handedAt.getTime()) / 1_000;
    return one.isMachine || seconds <= TOO_SOON_SECONDS || isOfBurst(one, fetches);
  });

/** Together with another link, or for the pixel: together with two links. */
function isOfBurst(one: LinkFetch, fetches: readonly LinkFetch[]): boolean {
  const near = fetches.filter(
    ({ at }) => Math.abs(at.getTime() - one.at.getTime()) <= BURST_SECONDS * 1_000,
  );
  const links = new Set([one.target, ...near.map(({ target }) => target)]);
  links.delete('');
  return links.size >= 2;
}
