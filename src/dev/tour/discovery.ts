/** Step: leads from an ad library, with a pause and a resume in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBusinesses, wordOf } from './businesses.ts';
import { api } from './client.ts';
import { check, until, type Tour, type TourStep } from './tour.ts';

interface Process {
  id: number;
  leadListId: number;
  status: string;
  processedLeads: number;
  foundLeads: number;
  step: string | null;
  error: unknown;
}

interface Lead {
  id: number;
  personEmail: string | null;
  emailValid: boolean | null;
  provenance: { fields: Record<string, { source: string; url?: string }> };
}

/** Longer than a page of so small a search would take. */
const pauseMs = 1_500;

export const discoverLeads: TourStep = {
  title: 'Find leads in an ad library',
  async run(tour) {
    const word = wordOf(tour, 'ads');
    const businesses = await openBusinesses(tour, word);
    const body = { searchTerm: word, leadCount: 20, adReachedCountries: ['DE'] };
    const started = await api<Process>(tour, 'POST', '/v1/leads/process', { body });
    check(started.status === 'processing', `status processing, not ${started.status}`);
    const path = `/v1/leads/process/${started.id}`;
    const paused = await api<Process>(tour, 'POST', `${path}/pause`);
    check(paused.status === 'paused', `the process to be paused, not ${paused.status}`);
    const before = await leadsOf(tour, started.leadListId);
    await sleep(pauseMs);
    const after = await leadsOf(tour, started.leadListId);
    check(after.length === before.length, 'no lead to be found during the pause');
    await api(tour, 'POST', `${path}/resume`);
    const ended = await completed(tour, path);
    const leads = await leadsOf(tour, ended.leadListId);
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
    const lead = await api<Lead>(tour, 'GET', `/v1/leads/${first!.id}`);
    const where = lead.provenance.fields['personEmail'];
    const page = where?.url;
    check(page?.endsWith('/impressum'), 'the lead to tell the page it was found on');
    return (
      `Discovery paused, resumed and completed: ${leads.length} leads from ${businesses.length} ` +
      `advertisers, such as ${lead.personEmail} from ${page}`
    );
  },
};

const leadsOf = (tour: Tour, listId: number) =>
  api<Lead[]>(tour, 'GET', `/v1/lead-lists/${listId}/leads?limit=100`);

function completed(tour: Tour, path: string): Promise<Process> {
  return until('A completed discovery', { withinSeconds: 90, everySeconds: 1 }, async () => {
    const process = await api<Process>(tour, 'GET', path);
    const { status, step, processedLeads, foundLeads } = process;
    const progress = `${step ?? status}: ${foundLeads} found of ${processedLeads} looked at`;
    tour.say(progress);
    check(status !== 'failed', `the discovery to succeed: ${JSON.stringify(process.error)}`);
    return status === 'completed' ? process : undefined;
  });
}
