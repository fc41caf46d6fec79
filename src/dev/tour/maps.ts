/** Step: businesses from a map search, their websites read, and the best contacts imported. */
import { waitUntil, type MapsRun } from '../../../clients/typescript/src/index.ts';
import { openBusinesses, wordOf } from './businesses.ts';
import { api } from './client.ts';
import { check, type Tour, type TourStep } from './tour.ts';

export const scrapeMaps: TourStep = {
  title: 'Search a map, read the websites, import the contacts',
  async run(tour) {
    const word = wordOf(tour, 'map');
    const businesses = await openBusinesses(tour, word);
    const { leadLists, mapsRuns } = api(tour);
    const list = await leadLists.create({ body: { name: `Map of ${word}` } });
    const body = {
      searchStringsArray: [word],
      locationQuery: 'Berlin',
      countryCode: 'de',
      scrapeContacts: true,
      verifyEmails: true,
      leadListId: list.id,
    };
    const created = await mapsRuns.create({ body });
    check(created.status === 'queued', `status queued, not ${created.status}`);
    const run = await completed(tour, created.id);
    check(
      run.savedItems === businesses.length,
      `${businesses.length} places, not ${run.savedItems}`,
    );
    const { items } = await mapsRuns.listItems({ id: run.id, limit: 100 });
    const shown = JSON.stringify(items);
    for (const { contact } of businesses) {
      if (contact === null) continue;
      check(shown.includes(contact.email), `${contact.email} on an item`);
      check(shown.includes(contact.path), `the page ${contact.path} on which it stands`);
    }
    check(!shown.includes('your@email.com'), "a template's placeholder to be left out");
    const imported = await mapsRuns.importToLeadList({ id: run.id, body: {} });
    const found = businesses.filter(({ contact }) => contact !== null).length;
    check(imported.importedLeads === found, `${found} leads, not ${imported.importedLeads}`);
    const again = await mapsRuns.importToLeadList({ id: run.id, body: {} });
    const { items: leads } = await leadLists.listLeads({ id: list.id, limit: 100 });
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

const PACE = { timeLimitSeconds: 90, pollSeconds: 1 };

const completed = (tour: Tour, id: number): Promise<MapsRun> =>
  waitUntil(
    () => api(tour).mapsRuns.read({ id }),
    ({ status, statusMessage }) => {
      const isOver = ['failed', 'cancelled'].includes(status);
      check(!isOver, `the run to complete: ${statusMessage}`);
      return status === 'completed';
    },
    {
      ...PACE,
      onProgress: ({ status, savedItems, enrichedItems }) =>
        tour.say(`${status}: ${savedItems} places, ${enrichedItems} websites read`),
    },
  );
