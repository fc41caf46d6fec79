/** Visits the websites of claimed places in parallel. */
import type { Context } from '../../src/context.ts';
import type { ClaimedItem, VisitResult } from '../../src/db/maps/maps-items.ts';
import type { MapsRun } from '../../src/db/maps/maps-runs.ts';
import type { PlaceContacts } from '../../src/domain/maps/maps.ts';
import { planVisits, type PlannedVisit } from '../../src/domain/discovery/site-visits.ts';
import type { SiteAnswer } from '../../src/providers/websites/port.ts';
import { visitWithin } from '../discovery/site-visits.ts';

/** Sites that are visited at the same time. */
const SITES_IN_FLIGHT = 100;

interface Visiting {
  items: readonly ClaimedItem[];
  run: MapsRun;
  signal: AbortSignal;
  keep: (result: VisitResult) => Promise<void>;
  isOver: () => boolean;
  /** Nothing is begun after `beginForMs`, and no visit lasts longer than `visitMs`. */
  bounds: { beginForMs: number; visitMs: number };
}

/** Visits sites in parallel, each in its own slot, so that a rate-limited site delays no other. */
export async function visitAll(
  context: Pick<Context, 'websites'>,
  visiting: Visiting,
): Promise<void> {
  const { items, run, signal, keep, isOver, bounds } = visiting;
  const until = Date.now() + bounds.beginForMs;
  const ofRun = run.search.countryCode.toUpperCase();
  const located = items.map((item) => ({ ...item, countryCode: item.countryCode ?? ofRun }));
  const queue = planVisits(located).values();
  const visit = async ({ question, items: runRequest }: PlannedVisit<ClaimedItem>) => {
    const limits = { signal, limitMs: bounds.visitMs };
    const answer = await visitWithin(context.websites, question, limits);
    for (const { id } of runRequest) await keep(resultOf(id, answer));
  };
  const lane = async () => {
    for (const visits of queue) {
      for (const one of visits) {
        if (isOver() || Date.now() > until) return;
        await visit(one);
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: SITES_IN_FLIGHT }, lane));
  const failed = lanes.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

function resultOf(id: number, { state, reason, contacts, pages }: SiteAnswer): VisitResult {
  if (state !== 'found') {
    const status = state === 'refused' ? 'skipped' : 'failed';
    return { id, status, reason: reason ?? 'The website could not be read', contacts: null };
  }
  const found: PlaceContacts = { ...contacts, pages, checks: {} };
  return { id, status: 'enriched', reason: null, contacts: found };
}
