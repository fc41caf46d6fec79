/** Step: leads from an ad library, with a pause and a resume in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  waitUntil,
  type Lead,
  type LeadProcessStatus,
} from '../../../clients/typescript/src/index.ts';
import { openBusinesses, wordOf } from './businesses.ts';
import { api } from './client.ts';
import { check, type Tour, type TourStep } from './tour.ts';

/** Longer than a page of so small a search would take. */
const pauseMs = 1_500;

export const discoverLeads: TourStep = {
  title: 'Find leads in an ad library',
  async run(tour) {
    const word = wordOf(tour, 'ads');
    const businesses = await openBusinesses(tour, word);
    const body = { searchTerm: word, leadCount: 20, adReachedCountries: ['DE'] };
    const { leadProcesses, leads: people } = api(tour);
    const started = await leadProcesses.create({ body });
    check(started.status === 'processing', `status processing, not ${started.status}`);
    const { id, leadListId } = started;
    check(leadListId !== null, 'the process to have a list');
    const paused = await leadProcesses.pause({ id });
    check(paused.status === 'paused', `the process to be paused, not ${paused.status}`);
    const before = await leadsOf(tour, leadListId);
    await sleep(pauseMs);
    const after = await leadsOf(tour, leadListId);
    check(after.length === before.length, 'no lead to be found during the pause');
    await leadProcesses.resume({ id });
    const ended = await completed(tour, id);
    const leads = await leadsOf(tour, leadListId);
    check(
      ended.foundLeads === leads.length,
      `${leads.length} in foundLeads, not ${ended.foundLeads}`,
    );
    for (const { host, contact } of businesses) {
      const email = contact?.email ?? `nora.lind@${host}`;
      check(
        leads.some((lead) => lead.personEmail === email),
        `${email} among the leads`,
      );
    }
    const [first] = leads.filter(
      ({ personEmail }) => personEmail === businesses[1]!.contact!.email,
    );
    const lead = await people.read({ id: first!.id });
    const where = lead.provenance.fields['personEmail'];
    const page = where?.url;
    check(page?.endsWith('/impressum'), 'the lead to tell the page it was found on');
    return (
      `Discovery paused, resumed and completed: ${leads.length} leads from ${businesses.length} ` +
      `advertisers, such as ${lead.personEmail} from ${page}`
    );
  },
};

async function leadsOf(tour: Tour, id: number): Promise<Lead[]> {
  const leads: Lead[] = [];
  for await (const lead of api(tour).leadLists.listLeads({ id })) leads.push(lead);
  return leads;
}

const PACE = { timeLimitSeconds: 90, pollSeconds: 1 };

const completed = (tour: Tour, id: number): Promise<LeadProcessStatus> =>
  waitUntil(
    () => api(tour).leadProcesses.read({ id }),
    ({ status, error }) => {
      check(status !== 'failed', `the discovery to succeed: ${JSON.stringify(error)}`);
      return status === 'completed';
    },
    {
      ...PACE,
      onProgress: ({ status, step, processedLeads, foundLeads }) =>
        tour.say(`${step ?? status}: ${foundLeads} found of ${processedLeads} looked at`),
    },
  );
