/** robots.txt by RFC 9309: requested before anything else of an origin, and obeyed. */
import robotsParser from 'robots-parser';
import type { Answer, Asked } from './exchange.ts';
import { decompressPart, decompressWhole, isKnownEncoding } from './decompress.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { isTrouble, unreachable, type Trouble } from './outcome.ts';
import { bareHost, forbiddenUrl, webUrl } from './site-url.ts';

export interface RobotsRules {
  isAllowed(url: URL): boolean;
  /** The file's crawl delay, up to our bound; 0 when it has none. */
  delayMs: number;
  /** As written in the file, at most 5. */
  sitemaps: readonly string[];
}

/** The visit for which robots.txt is asked. */
export interface RobotsVisit {
  shared: { memory: Pick<MemoryBudget, 'hold'> };
  /** What it knows of robots.txt already, by origin. */
  robots: Map<string, Promise<RobotsRules | Trouble>>;
  get(url: URL, asked: Asked): Promise<Answer | Trouble>;
}

export interface RobotsCache {
  /** The rules for the origin of `url`, or why nothing of it may be visited. */
  rulesFor(url: URL, visit: RobotsVisit): Promise<RobotsRules | Trouble>;
}

/** The product token of our user agent, which groups in robots.txt name. */
export const PRODUCT_TOKEN = 'OutreachBot';

/** RFC 9309 2.5 asks for at least this much. */
const MAX_ROBOTS_BYTES = 500 * 1024;
/** RFC 9309 2.3.1.2. */
const MAX_HOPS = 5;
const MAX_DELAY_MS = 10_000;
const MAX_SITEMAPS = 5;

/** RFC 9309 2.4 allows a day; a change of the file should take effect sooner. */
const KEPT_MS = 60 * 60_000;
const MAX_KEPT = 500;
/** Larger files are requested again by the next visit. */
const MAX_KEPT_LENGTH = 8 * 1024;

const RULE = /^\s*(user-agent|allow|disallow|crawl-delay)\s*:/i;
/** No path of ours is longer, so a longer rule could never match. */
const MAX_RULE_LENGTH = 2_048;
/** Matching takes as long as rule times path: rules made to be slow are cut. */
const MAX_WILD_RULES = 500;
const MAX_WILD_LENGTH = 100;

const ALL_ALLOWED: RobotsRules = { isAllowed: () => true, delayMs: 0, sitemaps: [] };

export function createRobotsCache(): RobotsCache {
  const kept = new Map<string, { rules: RobotsRules; until: number }>();
  const keep = (origin: string, { text, rules }: RobotsFile): void => {
    if (text.length > MAX_KEPT_LENGTH) return;
    // The oldest one goes: maps keep the order of insertion.
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(origin, { rules, until: performance.now() + KEPT_MS });
  };
  const find = async (url: URL, visit: RobotsVisit): Promise<RobotsRules | Trouble> => {
    const known = kept.get(url.origin);
    if (known && known.until > performance.now()) return known.rules;
    const file = await askForRobots(url, visit);
    if (isTrouble(file)) return file;
    const { text, at } = file;
    const rules = parseRobots(url, text);
    keep(url.origin, { text, rules });
    // `example.com` redirects to `www.example.com`, which is where the page will be too.
    if (at.origin !== url.origin && at.pathname === '/robots.txt') {
      const its = { text, rules: parseRobots(at, text) };
      keep(at.origin, its);
      visit.robots.set(at.origin, Promise.resolve(its.rules));
    }
    return rules;
  };
  const underWay = new Map<string, Promise<RobotsRules | Trouble>>();
  /** One request per origin at a time: concurrent visits wait for its answer. */
  const findOnce = async (url: URL, visit: RobotsVisit): Promise<RobotsRules | Trouble> => {
    const { origin } = url;
    for (;;) {
      const others = underWay.get(origin);
      if (!others) break;
      // A request that its own visit aborted says nothing about the site: the next visit repeats it.
      const answer = await others.catch(() => undefined);
      if (answer) return answer;
    }
    const ours = find(url, visit);
    underWay.set(origin, ours);
    try {
      return await ours;
    } finally {
      underWay.delete(origin);
    }
  };
  return {
    rulesFor(url, visit) {
      const known = visit.robots.get(url.origin);
      const rules = known ?? findOnce(url, visit);
      if (!known) visit.robots.set(url.origin, rules);
      return rules;
    },
  };
}

interface RobotsFile {
  text: string;
  rules: RobotsRules;
}

/** Its types describe the function as a module. */
const parse = robotsParser as unknown as (url: string, text: string) => Robot;

interface Robot {
  isAllowed(url: string, userAgent: string): boolean | undefined;
  getCrawlDelay(userAgent: string): number | undefined;
}

/** Never throws, whatever `text` is. */
export function parseRobots(url: URL, text: string): RobotsRules {
  if (text === '') return ALL_ALLOWED;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const sitemaps = lines.flatMap((line) => /^\s*sitemap\s*:\s*(\S{1,2048})/i.exec(line)?.[1] ?? []);
  const parsed = parse(new URL('/robots.txt', url).href, bounded(lines).join('\n'));
  const delay = Number(parsed.getCrawlDelay(PRODUCT_TOKEN) ?? 0);
  return {
    isAllowed: (page) => parsed.isAllowed(page.href, PRODUCT_TOKEN) ?? true,
    delayMs: delay > 0 ? Math.min(delay * 1_000, MAX_DELAY_MS) : 0,
    sitemaps: sitemaps.slice(0, MAX_SITEMAPS),
  };
}

/** The lines that matter, cut to a length that is quick to match. */
function bounded(lines: readonly string[]): string[] {
  let wild = 0;
  return lines.flatMap((line) => {
    if (line.length > MAX_RULE_LENGTH || !RULE.test(line)) return [];
    if (!/:.*\*/.test(line) || /^\s*user-agent/i.test(line)) return [line];
    wild += 1;
    // A run of stars means the same as one.
    const rule = line.replace(/\*{2,}/g, '*');
    if (wild > MAX_WILD_RULES) return [];
    if (rule.length <= MAX_WILD_LENGTH) return [rule];
    // A rule that was cut matches more: it may forbid more, but must not allow more.
    return /^\s*allow/i.test(rule) ? [] : [rule.slice(0, MAX_WILD_LENGTH)];
  });
}

/** The file's text ('' when there is none) and its URL, or why the origin is left alone. */
async function askForRobots(
  url: URL,
  visit: RobotsVisit,
): Promise<{ text: string; at: URL } | Trouble> {
  let at = new URL('/robots.txt', url);
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const holding = visit.shared.memory.hold();
    try {
      const answer = await visit.get(at, {
        limitBytes: MAX_ROBOTS_BYTES,
        holding,
        wants: (status) => status >= 200 && status < 300,
        pauseAfter: () => 0,
      });
      if (isTrouble(answer)) return answer;
      const next = redirectTarget(answer, at);
      if (!next) {
        const text = await textOf(answer, url);
        return typeof text === 'string' ? { text, at } : text;
      }
      // Redirects to a place that we do not visit: the file counts as unavailable (RFC 9309 2.3.1.3).
      if (forbiddenUrl(next)) return { text: '', at: url };
      at = next;
    } finally {
      holding.release();
    }
  }
  return { text: '', at: url };
}

function redirectTarget({ status, headers }: Answer, at: URL): URL | undefined {
  const { location } = headers;
  const isRedirect = status >= 300 && status < 400 && typeof location === 'string';
  return isRedirect ? webUrl(location, at) : undefined;
}

/**
 * RFC 9309 2.3.1.3 and 2.3.1.4: a client error means no rules, a server error means stay away. A 429
 * means stay away as well: it does not tell whether there are rules. So does a file that breaks off before our own limit:
 * the rules that are missing may forbid what is to be read. The next visit may find it, so the site is not `refused`.
 */
async function textOf(
  { status, headers, body, isCut }: Answer,
  url: URL,
): Promise<string | Trouble> {
  if (status >= 500 || status === 429) {
    const what = `The robots.txt of ${bareHost(url)} cannot be had (status ${status})`;
    return unreachable(`${what}, which means: do not visit.`);
  }
  const encoding = String(headers['content-encoding'] ?? '');
  if (status >= 300 || !isKnownEncoding(encoding)) return '';
  if (isCut && body.length < MAX_ROBOTS_BYTES) {
    return unreachable(`The robots.txt of ${bareHost(url)} breaks off, which means: do not visit.`);
  }
  const plain =
    decompressWhole(body, encoding, MAX_ROBOTS_BYTES) ??
    (await decompressPart(body, encoding, MAX_ROBOTS_BYTES));
  return plain.toString('utf8');
}
