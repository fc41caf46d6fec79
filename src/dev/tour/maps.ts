/** Step: businesses from a map search, their websites read, and the best contacts imported. */
import { openBusinesses, wordOf } from './businesses.ts';
import { api } from './client.ts';
import { check, until, type Tour, type TourStep } from './tour.ts';

interface Run {
  id: number;
  status: string;
  statusMessage: string;
  savedItems: number;
  enrichedItems: number;
  failedItems: number;
}

interface Imported {
  importedLeads: number;
  foundLeads: number;
  importedCompanies: number;
  skippedItems: number;
}

export const scrapeMaps: TourStep = {
  title: 'Search a map, read the websites, import the contacts',
  async run(tour) {
    const word = wordOf(tour, 'map');
    const businesses = await openBusinesses(tour, word);
    const list = await api<{ id: number }>(tour, 'POST', '/v1/lead-lists', {
      body: { name: `Map of ${word}` },
    });
    const body = {
      searchStringsArray: [word],
      locationQuery: 'Berlin',
      countryCode: 'de',
      scrapeContacts: true,
      verifyEmails: true,
      leadListId: list.id,
    };
    const created = await api<Run>(tour, 'POST', '/v1/maps-scraper/runs', { body });
    check(created.status === 'queued', `status queued, not ${created.status}`);
    const run = await completed(tour, created.id);
    check(
      run.savedItems === businesses.length,
      `${businesses.length} places, not ${run.savedItems}`,
    );
    const items = await api<object[]>(
      tour,
      'GET',
      `/v1/maps-scraper/runs/${run.id}/items?limit=100`,
    );
    const shown = JSON.stringify(items);
    for (const { contact } of businesses) {
      if (contact === null) continue;
      check(shown.includes(contact.email), `${contact.email} on an item`);
      check(shown.includes(contact.path), `the page ${contact.path} on which it stands`);
    }
    check(!shown.includes('your@email.com'), "a template's placeholder to be left out");
    const path = `/v1/maps-scraper/runs/${run.id}/import-to-lead-list`;
    const imported = await api<Imported>(tour, 'POST', path, { body: {} });
    const found = businesses.filter(({ contact }) => contact !== null).length;
    check(imported.importedLeads === found, `${found} leads, not ${imported.importedLeads}`);
    const again = await api<Imported>(tour, 'POST', path, { body: {} });
    const leads = await api<object[]>(tour, 'GET', `/v1/lead-lists/${list.id}/leads?limit=100`);
    check(
      again.importedLeads === 0 && again.foundLeads === found,
      `${found} leads found again, not ${again.foundLeads}, and ${again.importedLeads} new ones`,
    );
    check(leads.length === found, `${found} leads in the list after that, not ${leads.length}`);
    return (
      `Map run ${run.id}: ${run.savedItems} places, ${run.enrichedItems} websites read, ` +
      `${imported.importedLeads} contacts imported, ${imported.skippedItems} skipped with a reason`
    );
  },
};

function completed(tour: Tour, id: number): Promise<Run> {
  return until('A completed map run', { withinSeconds: 90, everySeconds: 1 }, async () => {
    const run = await api<Run>(tour, 'GET', `/v1/maps-scraper/runs/${id}`);
    const progress = `${run.status}: ${run.savedItems} places, ${run.enrichedItems} websites read`;
    tour.say(progress);
    const isOver = ['failed', 'cancelled'].includes(run.status);
    check(!isOver, `the run to complete: ${run.statusMessage}`);
    return run.status === 'completed' ? run : undefined;
  });
}
