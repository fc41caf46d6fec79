/** A maps run on a database of a test's own, with hand-made ports that keep their own records. */
import { randomBytes } from 'node:crypto';
import { mapsActivities } from '../../../activities/maps/index.ts';
import { operationActivities } from '../../../activities/operations/operations.ts';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import { getMapsImport } from '../../../src/db/maps/maps-imports.ts';
import { getMapsRun, type MapsRun } from '../../../src/db/maps/maps-runs.ts';
import type { EmailCheck } from '../../../src/domain/email-validation/email-check.ts';
import type { FoundEmail } from '../../../src/domain/discovery/contacts.ts';
import type { ImportOptions, MapsSearchOrder } from '../../../src/domain/maps/maps.ts';
import type {
  MapsProvider,
  MapsSearch,
  Place,
  PlacePage,
} from '../../../src/providers/maps/port.ts';
import type { SiteAnswer } from '../../../src/providers/websites/port.ts';
import type { MapsRunOrder } from '../../../src/domain/maps/maps.ts';
import { createMapsRun } from '../../../src/services/maps/maps-runs.ts';
import { beginMapsImport } from '../../../src/services/maps/maps-imports.ts';
import { activityEnvironment } from '../workflows/activity-environment.ts';
import { createTestDatabase } from '../database/database.ts';
import { trouble } from './discovery-world.ts';

export { trouble };

/** A provider whose pages are lists; a cursor is the token and the number of the next page. */
export function fakeMaps(name: string, pages: Place[][]) {
  const maps = {
    name,
    pages,
    /** Tokens of searches that run at the vendor. */
    started: [] as string[],
    ended: [] as string[],
    read: [] as string[],
    /** Thrown by the next starts and pages, in order; undefined lets one pass. */
    failures: [] as (Error | undefined)[],
    /** Starts whose answer is lost: the search runs, but the caller gets no answer. */
    lostAnswers: 0,
    endedEarly: null as string | null,
    said: [] as string[],
    canSearch: (_search: MapsSearch): boolean => true,
    shortcomings: (): string[] => maps.said,
    async find(token: string): Promise<string | null> {
      return maps.started.includes(token) ? `${token}#0` : null;
    },
    begin: async (_search: MapsSearch, token: string): Promise<string> => {
      throwNext(maps.failures);
      if (maps.started.includes(token)) return `${token}#0`;
      maps.started.push(token);
      if (maps.lostAnswers > 0) {
        maps.lostAnswers -= 1;
        throw trouble('outcome_unknown', name);
      }
      return `${token}#0`;
    },
    page: async (_search: MapsSearch, cursor: string): Promise<PlacePage> => {
      throwNext(maps.failures);
      const [token = '', at = '0'] = cursor.split('#');
      maps.read.push(at);
      const n = Number(at);
      const isLast = n + 1 >= maps.pages.length;
      return {
        places: maps.pages[n] ?? [],
        cursor: isLast ? null : `${token}#${n + 1}`,
        isRunning: !isLast,
        processedQueries: isLast ? 1 : null,
        endedEarly: isLast ? maps.endedEarly : null,
      };
    },
    async end(cursor: string): Promise<void> {
      maps.ended.push(cursor);
    },
  } satisfies MapsProvider & Record<string, unknown>;
  return maps;
}

function throwNext(failures: (Error | undefined)[]): void {
  const next = failures.shift();
  if (next) throw next;
}

export const place = (n: number, change: Partial<Place> = {}): Place => ({
  placeId: `place-${n}`,
  title: `Bakery ${n}`,
  category: 'Bakery',
  address: `Street ${n}, Berlin`,
  city: 'Berlin',
  state: null,
  postalCode: '10115',
  countryCode: 'DE',
  website: `https://bakery-${n}.test/`,
  phone: `+4930${100_000 + n}`,
  rating: 4.5,
  reviewsCount: 10,
  isClosed: false,
  mapsUrl: `https://maps.google.com/?q=place_id:place-${n}`,
  searchString: 'bakery',
  latitude: 52.5,
  longitude: 13.4,
  ...change,
});

export const places = (from: number, to: number): Place[] =>
  Array.from({ length: to - from + 1 }, (_, i) => place(from + i));

export const searchOrder = (change: Partial<MapsSearchOrder> = {}): MapsSearchOrder => ({
  searchStrings: ['bakery'],
  startUrls: [],
  placeIds: [],
  locationQuery: 'Berlin',
  countryCode: 'de',
  language: 'en',
  maxPlacesPerSearch: 50,
  website: 'allPlaces',
  minimumStars: null,
  categoryFilterWords: [],
  skipClosedPlaces: false,
  ...change,
});

export const importOrder = (
  change: Partial<ImportOptions & { startOver: boolean }> = {},
): ImportOptions & { startOver?: boolean } => ({
  requireEmail: true,
  includePhoneOnly: false,
  includeGenericEmails: false,
  minValidationScore: 70,
  maxLeadsPerCompany: 3,
  limit: 500,
  ...change,
});

/** The contacts on a test's site; a string is an address, generic when it begins with `info@`. */
export type Site = (string | FoundEmail)[] | Partial<SiteAnswer> | 'hangs';

export type MapsWorld = Awaited<ReturnType<typeof openMapsWorld>>;

export async function openMapsWorld() {
  const database = await createTestDatabase();
  const { db } = database;
  const config = readConfig({
    OUTREACH_ENV: 'development',
    DATABASE_URL: database.url,
    JWT_SECRET: 'development-secret-of-the-tests-0123456789',
    ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    RETRY_PACE: '0.001',
    PROVIDER_LAG_SECONDS: '60',
    PROVIDER_TIMEOUT_SECONDS: '0.1',
  });
  const silent = { warn: () => undefined, error: () => undefined, info: () => undefined };
  await db
    .insertInto('users')
    .values({ user_id: 'user-1', email: 'user-1@example.test' } as never)
    .execute();
  const world = {
    database,
    db,
    config,
    /** Milliseconds by which the product's clock is ahead. */
    aheadMs: 0,
    clock: { now: (): Date => new Date(Date.now() + world.aheadMs) },
    logger: silent as unknown as Context['logger'],
    maps: {} as Record<string, MapsProvider>,
    /** By host; every other site is unreachable. */
    sites: {} as Record<string, Site>,
    visited: [] as string[],
    /** Called while a site is visited. */
    onVisit: async (_host: string): Promise<void> => undefined,
    /** Addresses whose status is not valid. */
    verdicts: {} as Record<string, EmailCheck['status']>,
    /** Addresses about which nobody could be asked, by the reason; of those that are not unknown, the reason. */
    unasked: {} as Record<string, string>,
    checkedEmails: [] as string[],
    /** Per check of addresses: whether kept answers that are unknown were asked about again. */
    askedAgain: [] as boolean[],
    /** Called before addresses are checked. */
    onCheck: async (): Promise<void> => undefined,
    close: () => database.close(),
  };
  const context = Object.assign(world, {
    startOperation: async () => true,
    websites: {
      async visit({ website }: { website: string }, signal?: AbortSignal) {
        const host = new URL(website).hostname;
        world.visited.push(host);
        await world.onVisit(host);
        return siteAnswer(world.sites[host], signal);
      },
    },
    emailChecker: {
      async check(emails: readonly string[], options?: { signal?: AbortSignal; again?: boolean }) {
        await world.onCheck();
        world.askedAgain.push(options?.again ?? false);
        world.checkedEmails.push(...emails);
        return new Map(
          emails.map((email) => {
            const reason = world.unasked[email];
            const found = check(email, world.verdicts[email] ?? (reason ? 'unknown' : 'valid'));
            return [email, reason ? { ...found, reason } : found];
          }),
        );
      },
    },
  });
  const activities = mapsActivities(context as unknown as Context);
  const operations = operationActivities(context as unknown as Context);
  const input = (run: MapsRun) => ({ operationId: run.operation_id!, runId: run.id });
  /** Runs one as a worker does; `environment` may be cancelled. */
  const inActivity = <Name extends keyof typeof activities>(
    name: Name,
    given: Parameters<(typeof activities)[Name]>[0],
    environment = activityEnvironment(),
  ): ReturnType<(typeof activities)[Name]> =>
    environment.run((one: never) => activities[name](one), given as never) as never;
  const finish = (operationId: number) =>
    operations.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
  const beginImport = async (
    run: MapsRun,
    leadListId: number,
    change: Partial<ImportOptions & { startOver: boolean }> = {},
  ) => {
    const order = { ...importOrder(change), leadListId };
    const product = context as unknown as Context;
    const { operation } = await beginMapsImport(product, 'user-1', run.id, order);
    return { operationId: operation.id, importId: operation.resource_id };
  };
  return Object.assign(context, {
    activities,
    inActivity,
    async order(change: Partial<MapsRunOrder> = {}, search: Partial<MapsSearchOrder> = {}) {
      return createMapsRun(context as unknown as Context, 'user-1', {
        search: searchOrder(search),
        scrapeContacts: false,
        verifyEmails: false,
        leadListId: undefined,
        ...change,
      });
    },
    row: (id: number) => getMapsRun(db, id),
    items: (id: number) =>
      db.selectFrom('maps_items').selectAll().where('run_id', '=', id).orderBy('id').execute(),
    leads: () => db.selectFrom('leads').selectAll().orderBy('id').execute(),
    start: (run: MapsRun) => inActivity('startMapsSearch', input(run)),
    scrape: (run: MapsRun) => inActivity('scrapePlaces', input(run)),
    end: (run: MapsRun) => inActivity('endMapsSearch', input(run)),
    enrich: (run: MapsRun) => inActivity('enrichPlaces', input(run)),
    /** Runs all steps until none is left, like the workflows. */
    async runAll(run: MapsRun): Promise<MapsRun> {
      let next = run.scraped_at === null ? 'start' : 'enrich';
      while (next === 'start' || next === 'scrape') {
        ({ next } = await inActivity(
          next === 'start' ? 'startMapsSearch' : 'scrapePlaces',
          input(run),
        ));
      }
      while (next === 'enrich') {
        const { isDone } = await inActivity('enrichPlaces', input(run));
        if (isDone) break;
      }
      await finish(run.operation_id!);
      return getMapsRun(db, run.id);
    },
    async list(name = 'List'): Promise<number> {
      const { id } = await db
        .insertInto('lead_lists')
        .values({ user_id: 'user-1', name })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    beginImport,
    importRow: (id: number) => getMapsImport(db, id),
    /** Imports to the end, as the workflow does. */
    async import(
      run: MapsRun,
      leadListId: number,
      change: Partial<ImportOptions & { startOver: boolean }> = {},
    ) {
      const given = await beginImport(run, leadListId, change);
      while (!(await inActivity('importPlaceBatches', given)).isDone);
      await finish(given.operationId);
      return getMapsImport(db, given.importId);
    },
  });
}

async function siteAnswer(site: Site | undefined, signal?: AbortSignal): Promise<SiteAnswer> {
  const contacts = { emails: [], phones: [], profiles: [], contactPages: [] };
  if (site === 'hangs') {
    await new Promise((_resolve, reject) => {
      const abort = () => reject(signal!.reason as Error);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort);
    });
  }
  if (!site) return { state: 'unreachable', reason: 'No answer', contacts, pages: [] };
  if (!Array.isArray(site)) {
    return { state: 'found', reason: null, contacts, pages: [], ...(site as Partial<SiteAnswer>) };
  }
  const emails = site.map((one) => (typeof one === 'string' ? found(one) : one));
  return { state: 'found', reason: null, contacts: { ...contacts, emails }, pages: ['/'] };
}

const found = (email: string): FoundEmail => ({
  email,
  kind: /^(info|office|sales)@/.test(email) ? 'generic' : 'personal',
  page: `https://${email.split('@')[1]}/contact`,
  form: 'mailto',
});

function check(email: string, status: EmailCheck['status'] = 'valid'): EmailCheck {
  const score = { valid: 95, risky: 60, unknown: 40, invalid: 0, pending: 40 }[status];
  const checks = {} as EmailCheck['checks'];
  const checkedAt = new Date().toISOString();
  const isValid = status === 'valid';
  return { email, status, score, isValid, reason: status, checks, suggestion: null, checkedAt };
}
