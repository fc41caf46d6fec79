/** A discovery on a database of a test's own, with hand-made ports that keep their own records. */
import { randomBytes } from 'node:crypto';
import { discoveryActivities } from '../../../activities/discovery/index.ts';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import { insertOperation } from '../../../src/db/operations/operations.ts';
import { getLeadProcess, insertLeadProcess } from '../../../src/db/discovery/lead-processes.ts';
import { discoverLeadsFlow } from '../../../src/domain/discovery/flows.ts';
import type { DiscoveryPage, DiscoveryStep } from '../../../src/domain/discovery/discovery.ts';
import type { EmailCheck } from '../../../src/domain/email-validation/email-check.ts';
import { ProviderError, type ProviderErrorKind } from '../../../src/domain/errors.ts';
import type { Ad, AdLibrary, AdPage, AdSearch } from '../../../src/providers/ad-libraries/port.ts';
import type {
  CompanyQuestion,
  ContactFinder,
  FinderAnswer,
  FinderPerson,
} from '../../../src/providers/contact-finders/port.ts';
import type { SiteAnswer } from '../../../src/providers/websites/port.ts';
import { paceOf } from '../../../src/services/operations/operations.ts';
import { activityEnvironment } from '../workflows/activity-environment.ts';
import { createTestDatabase } from '../database/database.ts';

export const ACTIVITY_OF: Record<DiscoveryStep, keyof ReturnType<typeof discoveryActivities>> = {
  search_ads: 'searchAds',
  extract_companies: 'extractCompanies',
  enrich_contacts: 'enrichContacts',
  validate_emails: 'validateEmails',
  attach_leads: 'attachLeads',
};

/** A library whose pages are lists; a cursor is the number of the next one. */
export function fakeLibrary(name: string, covered: readonly string[], pages: Ad[][]) {
  const library = {
    name,
    calls: [] as string[],
    searches: [] as AdSearch[],
    ended: [] as string[],
    endFailures: [] as Error[],
    /** What the last page says. */
    endedEarly: null as string | null,
    /** Thrown by the next calls, in order. */
    failures: [] as Error[],
    covers: (country: string) => covered.includes(country),
    async begin(search: AdSearch, token: string) {
      library.calls.push(`begin ${token}`);
      library.searches.push(search);
      throwNext(library.failures);
      return '0';
    },
    async find(token: string): Promise<string | null> {
      return library.calls.includes(`begin ${token}`) ? '0' : null;
    },
    async page(_search: AdSearch, cursor: string): Promise<AdPage> {
      library.calls.push(`page ${cursor}`);
      throwNext(library.failures);
      const at = Number(cursor);
      const isLast = at + 1 >= pages.length;
      const end = { cursor: null, isRunning: false, endedEarly: library.endedEarly };
      const ads = pages[at] ?? [];
      return isLast
        ? { ...end, ads }
        : { ads, cursor: `${at + 1}`, isRunning: false, endedEarly: null };
    },
    async end(cursor: string) {
      throwNext(library.endFailures);
      library.ended.push(cursor);
    },
  } satisfies AdLibrary & Record<string, unknown>;
  return library;
}

/** A finder that counts what it sells. */
export function fakeFinder(name: string, known: Record<string, FinderPerson[]>) {
  const finder = {
    name,
    asked: [] as string[],
    known,
    failures: [] as Error[],
    /** Called before the answer is sent; a test may hold it back for ever. */
    before: async (_question: CompanyQuestion): Promise<void> => undefined,
    async find(question: CompanyQuestion): Promise<FinderAnswer> {
      throwNext(finder.failures);
      finder.asked.push(question.domain);
      await finder.before(question);
      const people = (finder.known[question.domain] ?? []).slice(0, question.limit);
      return { people, credits: people.length > 0 ? 1 : 0 };
    },
  } satisfies ContactFinder & Record<string, unknown>;
  return finder;
}

function throwNext(failures: Error[]): void {
  const next = failures.shift();
  if (next) throw next;
}

export const trouble = (kind: ProviderErrorKind, provider = 'fake', retryAfterMs?: number) =>
  new ProviderError(kind, `${provider} says ${kind}`, {
    provider,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

export const ad = (n: number, change: Partial<Ad> = {}): Ad => ({
  adId: String(n),
  pageId: `p${n}`,
  pageName: `Company ${n}`,
  landing: `https://company-${n}.test/offer?utm_source=fb`,
  adUrl: `https://www.facebook.com/ads/library/?id=${n}`,
  ...change,
});

export const ads = (from: number, to: number): Ad[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ad(from + i));

export const person = (email: string, change: Partial<FinderPerson> = {}): FinderPerson => ({
  firstName: 'Ada',
  lastName: 'King',
  email,
  position: 'CEO',
  phone: null,
  profileUrl: null,
  confidence: 90,
  verification: 'valid',
  ...change,
});

export type DiscoveryWorld = Awaited<ReturnType<typeof openDiscoveryWorld>>;

export async function openDiscoveryWorld() {
  const database = await createTestDatabase();
  const { db } = database;
  const config = readConfig({
    OUTREACH_ENV: 'development',
    DATABASE_URL: database.url,
    JWT_SECRET: 'development-secret-of-the-tests-0123456789',
    ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    RETRY_PACE: '0.01',
    PROVIDER_LAG_SECONDS: '0.01',
    PROVIDER_TIMEOUT_SECONDS: '0.01',
  });
  const silent = { warn: () => undefined, error: () => undefined, info: () => undefined };
  const world = {
    db,
    config,
    clock: { now: () => new Date() },
    logger: silent as unknown as Context['logger'],
    adLibraries: {} as Record<string, AdLibrary>,
    contactFinders: {} as Record<string, ContactFinder>,
    /** By host; every other site is unreachable. */
    sites: {} as Record<string, string[]>,
    /** By host: the number on its pages. */
    phones: {} as Record<string, string>,
    visited: [] as string[],
    /** Addresses whose status is not valid. */
    verdicts: {} as Record<string, EmailCheck['status']>,
    checkedEmails: [] as string[],
    close: () => database.close(),
  };
  const context = Object.assign(world, {
    websites: {
      async visit({ website }: { website: string }) {
        const host = new URL(website).hostname;
        world.visited.push(host);
        return siteAnswer(world.sites[host], world.phones[host]);
      },
    },
    emailChecker: {
      async check(emails: readonly string[]) {
        world.checkedEmails.push(...emails);
        return new Map(emails.map((email) => [email, check(email, world.verdicts[email])]));
      },
    },
  });
  const activities = discoveryActivities(context as unknown as Context);
  /** Of each process. */
  const operations = new Map<number, number>();
  const run = (step: DiscoveryStep, processId: number): Promise<DiscoveryPage> =>
    activityEnvironment().run(activities[ACTIVITY_OF[step]] as never, {
      processId,
      operationId: operations.get(processId),
    });
  return Object.assign(context, {
    activities,
    run,
    /** Runs steps until none is left, like the workflow; answers their names. */
    async runAll(processId: number, limit = 60): Promise<DiscoveryStep[]> {
      const steps: DiscoveryStep[] = [];
      let step: DiscoveryStep | null = 'search_ads';
      while (step !== null) {
        if (steps.length >= limit) throw new Error(`it does not end: ${steps.join(' ')}`);
        steps.push(step);
        const page: DiscoveryPage = await run(step, processId);
        if (page.state !== 'active') break;
        step = page.next;
      }
      return steps;
    },
    /** Imports into a list of its own, unless one is named. */
    async process(
      change: {
        leadCount?: number;
        countries?: string[];
        userId?: string;
        leadListId?: number | null;
      } = {},
    ) {
      const { userId = 'user-1', leadCount = 100, countries = ['US'] } = change;
      await db
        .insertInto('users')
        .values({ user_id: userId, email: `${userId}@example.test` } as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const list = await db
        .insertInto('lead_lists')
        .values({ user_id: userId, name: 'List' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const leadListId = change.leadListId ?? list.id;
      return db.transaction().execute(async (trx) => {
        const order = { userId, leadListId, searchTerm: 'x', leadCount, countries };
        const process = await insertLeadProcess(trx, order);
        const input = { processId: process.id, pace: paceOf(context) };
        const requested = { actor: 'test', reason: 'test' };
        const work = { userId, summary: 'Discover', requested };
        operations.set(process.id, (await insertOperation(trx, discoverLeadsFlow, input, work)).id);
        return process;
      });
    },
    row: (id: number) => getLeadProcess(db, id),
    leads: () => db.selectFrom('leads').selectAll().orderBy('id').execute(),
    companies: (processId: number) =>
      db
        .selectFrom('lead_process_companies')
        .selectAll()
        .where('process_id', '=', processId)
        .orderBy('id')
        .execute(),
  });
}

function siteAnswer(emails: string[] | undefined, phone?: string): SiteAnswer {
  const page = 'https://site.test/';
  const phones = phone ? [{ phone, page, form: 'tel' as const, isFax: false }] : [];
  const contacts = { emails: [], phones, profiles: [], contactPages: [] };
  if (!emails) return { state: 'unreachable', reason: 'no answer', contacts, pages: [] };
  const found = emails.map((email) => ({
    email,
    kind: email.startsWith('info@') ? ('generic' as const) : ('personal' as const),
    page: `https://${email.split('@')[1]}/contact`,
    form: 'mailto' as const,
    ...(!email.startsWith('info@') && { name: 'Ada King' }),
  }));
  return { state: 'found', reason: null, contacts: { ...contacts, emails: found }, pages: [] };
}

function check(email: string, status: EmailCheck['status'] = 'valid'): EmailCheck {
  const score = { valid: 95, risky: 60, unknown: 40, invalid: 0, pending: 40 }[status];
  const checks = {} as EmailCheck['checks'];
  const checkedAt = new Date().toISOString();
  const isValid = status === 'valid';
  return { email, status, score, isValid, reason: status, checks, suggestion: null, checkedAt };
}
