/**
 * Import: the places of a run become leads of a list, batch by batch.
 * Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list.
 */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { keepChecks } from '../../src/db/maps/maps-checks.ts';
import {
  getMapsImport,
  importState,
  listImportedKeys,
  lockMapsImport,
  nextItemsToImport,
  recordImported,
  type ItemOutcome,
  type MapsImport,
} from '../../src/db/maps/maps-imports.ts';
import type { MapsItem } from '../../src/db/maps/maps-items.ts';
import { lockMapsRun } from '../../src/db/maps/maps-runs.ts';
import type { Database } from '../../src/db/tables.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import type { GroupOutcome, LeadGroup, NewPerson } from '../../src/domain/leads/leads.ts';
import type { ContactCheck, ImportOptions, SkipReason } from '../../src/domain/maps/maps.ts';
import {
  companyKeyOf,
  companyOf,
  contactsToImport,
  eligibleEmails,
  withinCap,
  type ImportablePlace,
} from '../../src/domain/maps/place-leads.ts';
import { assertAsked, isSettled, isUnanswered, keptCheck } from './verify.ts';

type Needs = Pick<Context, 'db' | 'emailChecker'>;

export interface MapsImportInput {
  operationId: number;
  importId: number;
}

const BATCH_ITEMS = 200;
/** One activity imports for this long; each one is a billed action. */
const IMPORT_FOR_MS = 2 * 60_000;

export const mapsImportActivities = (context: Needs) => ({
  /**
   * Imports batches in the order in which places were saved. Leads, counters, the result of each item
   * and the cursor are one transaction: a repeat continues after it. What follows a batch that was tried several times
   * is a page of its own, whose tries count anew.
   */
  async importPlaceBatches({ importId }: MapsImportInput): Promise<PageResult> {
    const { cancellationSignal: signal, info } = ActivityContext.current();
    const until = Date.now() + IMPORT_FOR_MS;
    const isRepeated = info.attempt > 1;
    for (;;) {
      const one = await getMapsImport(context.db, importId);
      const room = one.options.limit - one.processed_items;
      const items =
        importState(one) === 'active' && room > 0
          ? await nextItemsToImport(context.db, one, Math.min(room, BATCH_ITEMS))
          : [];
      const checked = await validated(context, one, { items, signal, again: isRepeated });
      const after = await context.db.transaction().execute((trx) => importBatch(trx, one, checked));
      const isOver = after.isDone || after.state === 'over';
      if (isOver || isRepeated || Date.now() > until) return after;
    }
  },
});

/**
 * Choice 60: addresses without a score are validated first, unless every score is good enough. A check
 * that gave no verdict before is repeated.
 */
async function validated(
  { db, emailChecker }: Needs,
  one: MapsImport,
  { items, ...asking }: { items: MapsItem[]; signal: AbortSignal; again: boolean },
): Promise<MapsItem[]> {
  const { id, run_id, options } = one;
  if (options.minValidationScore === 0) return items;
  const wanted = items.map((item) => {
    const eligible = eligibleEmails(item, options).map(({ email }) => email);
    const emails = eligible.filter((email) => isOpen(item.contacts?.checks[email], one));
    return { item, eligible, emails };
  });
  const emails = [...new Set(wanted.flatMap((one) => one.emails))];
  if (emails.length === 0) return items;
  const verdicts = await emailChecker.check(emails, asking);
  const found = wanted.map((one) => {
    const known = one.emails.flatMap((email) => {
      const check = verdicts.get(email);
      return check ? [[email, keptCheck(check)] as const] : [];
    });
    return { item: one.item, checks: Object.fromEntries(known) };
  });
  const fresh = found.filter(({ checks }) => Object.keys(checks).length > 0);
  const given = fresh.map(({ item, checks }) => ({ itemId: item.id, checks }));
  await db.transaction().execute(async (trx) => {
    // An erasure waits for this lock.
    await lockMapsRun(trx, run_id);
    await lockMapsImport(trx, id);
    await keepChecks(trx, given);
  });
  const after = found.map(({ item, checks }) => withChecks(item, checks));
  assertAsked(
    after.flatMap((item, at) =>
      wanted[at]!.eligible.flatMap((email) => item.contacts?.checks[email] ?? []),
    ),
    one.created_at,
  );
  return after;
}

/** What this import has asked about itself is asked again only where nobody was asked, or answered in time. */
function isOpen(check: ContactCheck | undefined, one: MapsImport): boolean {
  if (isSettled(check)) return false;
  const wasAsked = check && check.checkedAt >= one.created_at.toISOString();
  return !wasAsked || isUnanswered(check);
}

const withChecks = (item: MapsItem, checks: Record<string, ContactCheck>): MapsItem =>
  item.contacts
    ? { ...item, contacts: { ...item.contacts, checks: { ...item.contacts.checks, ...checks } } }
    : item;

async function importBatch(
  trx: Transaction<Database>,
  read: MapsImport,
  items: readonly MapsItem[],
): Promise<PageResult> {
  const run = await lockMapsRun(trx, read.run_id);
  const one = await lockMapsImport(trx, read.id);
  const progress = `${one.processed_items} places`;
  if (importState(one) === 'over' || run.deleted_at !== null) {
    // If it was completed before it is done; any other status means that it was cancelled.
    const isDone = one.status === 'completed';
    return { state: isDone ? 'active' : 'over', isDone, progress };
  }
  if (items.length === 0) return { state: 'active', isDone: true, progress };
  // Another attempt was faster: the stored cursor says where to continue.
  if (one.last_item_id !== read.last_item_id) return { state: 'active', isDone: false, progress };
  const origin = { runId: run.id, locationQuery: run.search.locationQuery };
  const plans = items.map((item) => planOf(item, one.options, origin));
  await applyCap(trx, one, plans);
  const groups = plans.filter(({ people }) => people.length > 0);
  const outcomes =
    groups.length === 0
      ? []
      : await importGroups(trx, {
          userId: one.user_id,
          leadListId: one.lead_list_id,
          source: 'maps',
          groups: groups.map(groupOf),
        });
  groups.forEach((plan, at) => (plan.outcome = outcomes[at]));
  const after = await recordImported(trx, one, plans.map(outcomeOf));
  return {
    state: 'active',
    isDone: false,
    progress: `${after.processed_items} places, ${after.imported_leads} leads`,
  };
}

/** What one item adds; `outcome` is set when it was stored. */
interface Plan {
  itemId: number;
  place: ImportablePlace;
  companyKey: string;
  people: NewPerson[];
  reason: SkipReason | null;
  outcome?: GroupOutcome | undefined;
}

function planOf(
  item: MapsItem,
  options: ImportOptions,
  origin: { runId: number; locationQuery: string },
): Plan {
  const place = placeOf(item);
  const found = contactsToImport(place, options, origin);
  return {
    itemId: item.id,
    place,
    companyKey: companyKeyOf(place),
    people: 'people' in found ? found.people : [],
    reason: 'people' in found ? null : found.reason,
  };
}

async function applyCap(
  trx: Transaction<Database>,
  one: MapsImport,
  plans: readonly Plan[],
): Promise<void> {
  const keys = [...new Set(plans.map(({ companyKey }) => companyKey))];
  const taken = await listImportedKeys(trx, one, keys);
  for (const plan of plans) {
    if (plan.reason !== null) continue;
    const company = { taken: taken.get(plan.companyKey)!, max: one.options.maxLeadsPerCompany };
    plan.people = withinCap(plan.people, plan.place.countryCode, company);
    if (plan.people.length === 0) plan.reason = 'company_full';
  }
}

const groupOf = ({ place, people }: Plan): LeadGroup => ({
  company: companyOf(place),
  people,
  provenance: {
    fields: {
      '*': { source: 'maps', url: place.mapsUrl ?? undefined, at: place.savedAt },
    },
  },
});

function outcomeOf({ itemId, companyKey, reason, outcome }: Plan): ItemOutcome {
  const people = (outcome?.people ?? []).filter(({ leadId }) => leadId !== null);
  const isEmpty = people.length === 0;
  return {
    itemId,
    companyKey,
    people,
    reason: reason ?? (isEmpty ? 'erased' : null),
    companyId: isEmpty ? null : (outcome?.companyId ?? null),
    companyCreated: outcome?.companyCreated ?? false,
  };
}

const placeOf = (item: MapsItem): ImportablePlace => ({
  placeId: item.place_id,
  title: item.title,
  category: item.category,
  address: item.address,
  city: item.city,
  state: item.state,
  countryCode: item.country_code,
  website: item.website,
  phone: item.phone,
  rating: item.rating,
  reviewsCount: item.reviews_count,
  mapsUrl: item.maps_url,
  searchString: item.search_string,
  contacts: item.contacts,
  savedAt: item.created_at.toISOString(),
  readAt: item.enriched_at?.toISOString() ?? null,
});
