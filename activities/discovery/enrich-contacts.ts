/**
 * Step `enrich_contacts`: people of the companies, from their own sites first, then bought. Nothing
 * is bought beyond the leads that are missing; companies that are not needed stay as they are.
 */
import { countStock, listUnvisited } from '../../src/db/discovery/lead-process-companies.ts';
import { ensureFinders, WEBSITE } from '../../src/db/discovery/lead-process-finders.ts';
import { markLostIntents } from '../../src/db/discovery/contact-purchases.ts';
import { getLeadProcess, type LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import { planVisits } from '../../src/domain/discovery/site-visits.ts';
import { visitWithin } from './site-visits.ts';
import { buyContacts } from './buy-contacts.ts';
import {
  closePage,
  currentRun,
  enterStep,
  type ActivityRun,
  type DiscoveryContext,
  type DiscoveryInput,
  type DiscoveryPage,
  type Need,
} from './process.ts';
import { inParallel } from './in-parallel.ts';
import { createVisitLog } from './visit-log.ts';

/** Sites in flight; requests to one host are rate-limited separately. */
const SITES_AT_ONCE = 64;

const PAGE = 200;

export async function enrichContacts(
  context: DiscoveryContext,
  { processId }: DiscoveryInput,
): Promise<DiscoveryPage> {
  const run = currentRun(context);
  const process = await enterStep(context, processId, 'enrich_contacts');
  if (process) {
    await ensureFinders(context.db, processId, [WEBSITE, ...Object.keys(context.contactFinders)]);
    const lost = await markLostIntents(context.db, processId, run.attempt);
    if (lost > 0) context.logger.warn({ processId, lost }, 'answers of contact finders were lost');
    const need = await needOf(context, processId);
    await visitSites(context, process, { run, need });
    await buyContacts(context, process, { run, need });
  }
  return closePage(context, processId, 'enrich_contacts');
}

async function needOf(context: DiscoveryContext, processId: number): Promise<Need> {
  const { lead_count, found_leads } = await getLeadProcess(context.db, processId);
  const { unchecked, checked } = await countStock(context.db, processId, []);
  return { missing: lead_count - found_leads - unchecked - checked };
}

/** Visits unvisited sites; results are written as they come, so a repeat visits few of them twice. */
async function visitSites(
  context: DiscoveryContext,
  process: LeadProcess,
  { run, need }: { run: ActivityRun; need: Need },
): Promise<void> {
  const log = createVisitLog(context, process, need);
  const isDone = () => need.missing <= 0 || log.isStopped() || run.isOver();
  let after = 0;
  // Companies of one site are visited one after the other, those with the same URL in one visit.
  const sites = async function* () {
    for (;;) {
      const page = await listUnvisited(context.db, process.id, { after, limit: PAGE });
      const questions = page.map((company) => ({
        company,
        website: company.website ?? company.domain!,
        countryCode: company.country_code,
      }));
      for (const visits of planVisits(questions)) {
        if (isDone()) return;
        yield visits;
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!.id;
    }
  };
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  try {
    await inParallel(SITES_AT_ONCE, sites(), async (visits) => {
      for (const { question, items } of visits) {
        if (isDone()) return;
        const answer = await visitWithin(context.websites, question, { signal });
        for (const { company } of items) {
          if (!(await log.add(company, answer))) stop.abort();
        }
      }
    });
    await log.flush();
  } catch (error) {
    // The process was paused or cancelled: visits in flight are abandoned.
    if (!stop.signal.aborted || run.signal.aborted) throw error;
  }
}
