/** `outreach leads discover`, `pause`, `resume`, `search-map` and `import-places`: people who are not known yet. */
import { Command } from 'commander';
import type { LeadProcess, MapsRun } from '../../../clients/typescript/src/index.ts';
import {
  DISCOVERY_PURCHASES,
  goesOnInWords,
  mapPurchases,
} from '../../domain/discovery/purchases-in-words.ts';
import { collect, positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { clientCommand, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type Client, type ClientOptions } from './connection.ts';
import { madeListId } from './lead-views.ts';
import { show } from './output.ts';
import { follow, withWatch, wordsOf, type Progress } from './waiting.ts';

interface Search extends ClientOptions {
  list?: string;
  listId?: number;
  yes?: boolean;
  watch?: boolean;
  timeout: number;
}

const PAID =
  'The wallet is not charged; the accounts of the operator at the data providers are. It says which before it asks.';

const search = (name: string, description: string, examples: readonly string[]): Command =>
  withWatch(withYes(withIdempotencyKey(clientCommand(name, description, { more: PAID, examples }))))
    .option('--list <name>', 'the list they go into; it is made where there is none')
    .option('--list-id <id>', 'the same, by its number', positive);

export const discoverCommand = (io: Io): Command =>
  search('discover', 'Finds companies that advertise for a term, and people there, after a yes.', [
    "leads discover 'yoga mats' --count 50 --country DE --watch",
  ])
    .argument('<term>', 'what they advertise for')
    .option('--count <n>', 'at most so many people', positive, 50)
    .option('--country <code>', 'where the ads are shown; may be repeated', collect)
    .action((searchTerm: string, options: Search & { count: number; country?: string[] }) =>
      withClient(io, options, async (client) => {
        const { outreach, url, once } = client;
        const { count: leadCount, country } = options;
        const what = `Looks at ${url} for ${leadCount} people at advertisers of "${searchTerm}". ${DISCOVERY_PURCHASES}`;
        await confirm(io, what, options);
        const leadListId = await madeListId(client, options);
        const body = { searchTerm, leadCount, adReachedCountries: country, leadListId };
        const made = await once((key) => outreach.leadProcesses.create({ body }, key));
        showDiscovery(
          io,
          options,
          options.watch ? await ended(io, client, made.id, options) : made,
        );
      }),
    );

const discoveryCommand = (
  name: string,
  description: string,
  help: { more?: string; examples: readonly string[] },
) =>
  withIdempotencyKey(clientCommand(name, description, help)).argument(
    '<discovery>',
    'number of the discovery',
    positive,
  );

export const pauseCommand = (io: Io): Command =>
  discoveryCommand('pause', 'Pauses a discovery; what is found already stays.', {
    examples: ['leads pause 3'],
  }).action((id: number, options: ClientOptions) =>
    withClient(io, options, async ({ outreach, once }) =>
      showDiscovery(io, options, await once((key) => outreach.leadProcesses.pause({ id }, key))),
    ),
  );

export const resumeCommand = (io: Io): Command =>
  withWatch(
    withYes(
      discoveryCommand(
        'resume',
        'Goes on with a paused discovery, where it stopped, after a yes.',
        {
          more: `${PAID} One that is at work is only shown.`,
          examples: ['leads resume 3', 'leads resume 3 --watch --yes'],
        },
      ),
    ),
  ).action((id: number, options: Resume) =>
    withClient(io, options, async (client) => {
      const resumed = await goOn(io, client, id, options);
      showDiscovery(io, options, options.watch ? await ended(io, client, id, options) : resumed);
    }),
  );

type Resume = ClientOptions & { yes?: boolean; watch?: boolean; timeout: number };

/** Nobody is asked where nothing begins: of one that is at work, and of one that is over, which the API refuses. */
async function goOn(
  io: Io,
  { outreach, once, url }: Client,
  id: number,
  options: Resume,
): Promise<LeadProcess> {
  const found = await outreach.leadProcesses.read({ id });
  if (found.status === 'processing') return found;
  if (found.status === 'paused') await confirm(io, `At ${url}: ${goesOnInWords(found)}`, options);
  return once((key) => outreach.leadProcesses.resume({ id }, key));
}

const ended = (
  io: Io,
  { outreach }: Client,
  id: number,
  { timeout }: { timeout: number },
): Promise<LeadProcess> =>
  follow(io, () => outreach.leadProcesses.read({ id }), discoveryProgress, {
    timeout,
    again: `outreach leads resume ${id} --watch`,
  });

const discoveryProgress = ({ status, error, ...one }: LeadProcess): Progress => ({
  lines: [`${one.progressPercent} %: ${one.foundLeads} people found`],
  isDone: status === 'completed',
  failure: ['failed', 'cancelled', 'paused'].includes(status)
    ? `The discovery is ${status}. ${status === 'paused' ? `It goes on by: outreach leads resume ${one.id}` : wordsOf(error, '')}`
    : undefined,
});

const showDiscovery = (io: Io, options: ClientOptions, one: LeadProcess): void =>
  show(io, options, one, [
    ['Discovery', one.id],
    ['Status', one.status],
    ['List', one.leadListId],
    ['Found', one.foundLeads],
    ['Known', one.duplicateLeads || undefined],
    ['Error', one.error ? wordsOf(one.error, '') : undefined],
    ['Next', one.status === 'paused' ? `outreach leads resume ${one.id} --watch` : undefined],
  ]);

interface MapSearch extends Search {
  location?: string;
  country?: string;
  most: number;
}

/** What becomes of each place. */
const CONTACTS = { scrapeContacts: true, verifyEmails: true };

export const searchMapCommand = (io: Io): Command =>
  search('search-map', 'Finds businesses on the map and reads their websites, after a yes.', [
    "leads search-map dentist --location Berlin --country de --list 'Spring' --watch",
  ])
    .argument('<words...>', 'what is searched, such as dentist')
    .option('--location <place>', 'such as Berlin')
    .option('--country <code>', 'such as de')
    .option('--most <n>', 'at most so many places for each word', positive, 100)
    .action((searchStringsArray: string[], options: MapSearch) =>
      withClient(io, options, async (client) => {
        const { outreach, url, once } = client;
        const { location: locationQuery, country, most: maxCrawledPlacesPerSearch } = options;
        const what = `Looks at ${url} for ${searchStringsArray.join(', ')} in ${locationQuery ?? 'the whole map'}: at most ${searchStringsArray.length * maxCrawledPlacesPerSearch} places, whose websites are read. ${mapPurchases(CONTACTS)}`;
        await confirm(io, what, options);
        const leadListId = await madeListId(client, options);
        const contacts = { ...CONTACTS, leadListId };
        const where = { searchStringsArray, locationQuery, countryCode: country };
        const body = { ...where, maxCrawledPlacesPerSearch, ...contacts };
        const made = await once((key) => outreach.mapsRuns.create({ body }, key));
        const ended = !options.watch
          ? made
          : await follow(io, () => outreach.mapsRuns.read({ id: made.id }), mapProgress, {
              timeout: options.timeout,
              again: 'outreach operations list',
            });
        showMapRun(io, options, ended);
      }),
    );

const mapProgress = ({ status, statusMessage, ...one }: MapsRun): Progress => ({
  lines: [`${status}: ${one.savedItems} places, ${one.enrichedItems} websites read`],
  isDone: status === 'completed',
  failure: ['failed', 'cancelled'].includes(status)
    ? `The run is ${status}. ${statusMessage}`
    : undefined,
});

const showMapRun = (io: Io, options: ClientOptions, one: MapsRun): void =>
  show(io, options, one, [
    ['Run', one.id],
    ['Status', one.status],
    ['List', one.leadListId],
    ['Places', one.savedItems],
    ['Websites read', one.enrichedItems],
    ['Failed', one.failedItems || undefined],
    ['Now', one.statusMessage || undefined],
    ['Next', one.status === 'completed' ? `outreach leads import-places ${one.id}` : undefined],
  ]);

export const importPlacesCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('import-places', 'Makes leads of the places of a map run.', {
      more: 'Repeated it finds what is there.',
      examples: ["leads import-places 3 --list 'Spring'"],
    }),
  )
    .argument('<run>', 'number of the run', positive)
    .option(
      '--list <name>',
      'the list they go into, made where there is none (default: that of the run)',
    )
    .option('--list-id <id>', 'the same, by its number', positive)
    .action((id: number, options: ClientOptions & { list?: string; listId?: number }) =>
      withClient(io, options, async (client) => {
        const { outreach, once } = client;
        const leadListId = await madeListId(client, options);
        const made = await once((key) =>
          outreach.mapsRuns.importToLeadList({ id, body: { leadListId } }, key),
        );
        show(io, options, made, [
          ['List', made.leadListId],
          ['Status', made.status],
          ['New leads', made.importedLeads],
          ['Known', made.foundLeads],
          ['Left out', made.skippedItems],
          ...made.skippedReasons.map(({ message, items }) => ['', `${items}: ${message}`] as const),
        ]);
      }),
    );
