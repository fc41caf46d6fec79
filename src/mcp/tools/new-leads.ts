/** Leads that come in: files and people that are given, searches of ad libraries and of the map. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LeadImport, Outreach } from '../../../clients/typescript/src/index.ts';
import {
  DISCOVERY_PURCHASES,
  goesOnInWords,
  mapPurchases,
} from '../../domain/discovery/purchases-in-words.ts';
import { ToolRefusal } from '../refusal.ts';
import { tool, WRITES, type ToolCall } from '../tool.ts';
import { twoStep } from '../two-step.ts';

/** Where leads go. */
const target = {
  leadListId: z.int().optional().describe('An existing list'),
  newListName: z.string().min(1).max(200).optional().describe('Or the name of a new one'),
};

interface Target {
  leadListId?: number | undefined;
  newListName?: string | undefined;
}

/** Makes the list where it is new; its key keeps a repeat from making a second one. */
async function listIdOf(
  outreach: Outreach,
  { leadListId, newListName: name }: Target,
  idempotencyKey?: string,
): Promise<number | undefined> {
  if (leadListId !== undefined || name === undefined) return leadListId;
  return (await outreach.leadLists.create({ body: { name } }, { idempotencyKey })).id;
}

const personSchema = z.strictObject({
  personFirstName: z.string().optional(),
  personLastName: z.string().optional(),
  personEmail: z.string().optional(),
  personRole: z.string().optional(),
  personTimezone: z.string().optional().describe('IANA name'),
  personPhone: z.string().optional(),
  socialProfileUrl: z.string().optional(),
  companyName: z.string().optional(),
  companyWebsite: z.string().optional(),
  custom: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Custom fields of the account, by name: list_lead_lists has them'),
});

type Person = z.output<typeof personSchema>;

const { custom: _custom, ...columns } = personSchema.shape;
const PERSON_FIELDS = Object.keys(columns) as (keyof typeof columns)[];

const importLeads = tool({
  name: 'import_leads',
  title: 'Import people',
  description:
    'Puts people, or a CSV file, into a list; people who are in it already are found, not doubled. A large file goes on after the answer: wait_for the `lead_import`.',
  annotations: WRITES,
  input: z.strictObject({
    ...target,
    people: z.array(personSchema).max(500).optional().describe('Each with an address at best'),
    csv: z.string().max(1_000_000).optional().describe('Instead of people: a file with a header'),
  }),
  output: z.object({
    importId: z.int(),
    leadListId: z.int().nullable(),
    status: z.string(),
    importedLeads: z.int(),
    foundLeads: z.int(),
    failedRows: z.int(),
    message: z.string(),
  }),
  async run({ people = [], csv, ...into }, call) {
    const file = csv ?? fileOf(people);
    if (csv === undefined && people.length === 0) {
      const next = 'Give people or csv.';
      throw new ToolRefusal('Nobody is given', { code: 'VALIDATION_ERROR', next });
    }
    const leadListId = await listIdOf(call.outreach, into);
    const delimiter = csv === undefined ? ('comma' as const) : undefined;
    const started = await call.outreach.leadImports.create({
      body: { csv: file, leadListId, delimiter },
    });
    const ended = await whileItIsSoon(started, call);
    return { ...ended, importId: ended.id };
  },
});

function fileOf(people: readonly Person[]): string {
  const names = [...new Set(people.flatMap(({ custom = {} }) => Object.keys(custom)))];
  const header = [...PERSON_FIELDS, ...names.map((name) => `custom.${name}`)];
  const rows = people.map(({ custom = {}, ...person }) => [
    ...PERSON_FIELDS.map((field) => person[field] ?? ''),
    ...names.map((name) => String(custom[name] ?? '')),
  ]);
  return [header, ...rows]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
}

/** Small imports take a second or two: the caller is spared a second call. */
async function whileItIsSoon(started: LeadImport, call: ToolCall): Promise<LeadImport> {
  let state = started;
  for (const seconds of [0.3, 0.7, 1, 2, 3, 5, 8]) {
    if (state.status !== 'processing') break;
    await sleep(seconds * 1_000, undefined, { signal: call.signal });
    state = await call.outreach.leadImports.read({ id: started.id });
  }
  return state;
}

const startedSchema = z.object({
  id: z.int().describe('For wait_for'),
  leadListId: z.int().nullable(),
  status: z.string(),
});

const discoverLeads = twoStep({
  name: 'discover_leads',
  title: 'Find advertisers and people there, or go on with it',
  description:
    'Searches ad libraries for companies that advertise for a term, reads their websites and buys contacts; wait_for the `discovery`. With `resumeId` one that control_job has paused goes on.',
  needs: 'spend',
  input: z.strictObject({
    searchTerm: z.string().min(1).optional(),
    leadCount: z.int().min(1).max(1_000).default(50).describe('At most so many people'),
    countries: z.array(z.string().length(2)).optional().describe('Where the ads are shown: DE, FR'),
    leadListId: target.leadListId.describe('Without it a list named like the term is made'),
    resumeId: z.int().optional().describe('Instead of all others: the id of a paused discovery'),
  }),
  result: startedSchema,
  async quote({ resumeId, searchTerm, leadCount, countries }, { outreach }) {
    if (resumeId !== undefined) {
      if (searchTerm !== undefined) throw oneOf('Both searchTerm and resumeId are given');
      return { summary: await whatGoesOn(outreach, resumeId), amountCents: 0, recipients: 0 };
    }
    if (searchTerm === undefined) throw oneOf('Neither searchTerm nor resumeId is given');
    const where = countries === undefined ? '' : ` in ${countries.join(', ')}`;
    const summary = `Searches ad libraries${where} for "${searchTerm}" and looks up contacts until ${leadCount} people are found. ${DISCOVERY_PURCHASES}`;
    return { summary, amountCents: 0, recipients: 0 };
  },
  act(input, { outreach }, { idempotencyKey }) {
    const { resumeId, searchTerm = '', leadCount, countries, leadListId } = input;
    if (resumeId !== undefined) {
      return outreach.leadProcesses.resume({ id: resumeId }, { idempotencyKey });
    }
    const body = { searchTerm, leadCount, adReachedCountries: countries, leadListId };
    return outreach.leadProcesses.create({ body }, { idempotencyKey });
  },
});

const oneOf = (message: string): ToolRefusal =>
  new ToolRefusal(message, { code: 'VALIDATION_ERROR', next: 'Give one of them.' });

/** What a paused discovery would do; throws where it is not paused. */
async function whatGoesOn(outreach: Outreach, id: number): Promise<string> {
  const process = await outreach.leadProcesses.read({ id });
  const { status } = process;
  if (status !== 'paused') {
    throw new ToolRefusal(`The discovery is ${status}`, {
      code: 'INVALID_STATE',
      next: 'Only one that is paused goes on; wait_for tells how far it is.',
    });
  }
  return goesOnInWords(process);
}

const searchMap = twoStep({
  name: 'search_map',
  title: 'Find businesses on the map',
  description:
    'Searches a map for businesses and reads their websites for contacts; wait_for the `map_run`, then import_places.',
  needs: 'spend',
  input: z.strictObject({
    searches: z.array(z.string().min(1)).min(1).max(10).describe('Such as "dentist"'),
    location: z.string().optional().describe('Such as "Berlin"'),
    countryCode: z.string().length(2).toLowerCase().optional(),
    maxPlacesPerSearch: z.int().min(1).max(500).default(100),
    verifyEmails: z.boolean().default(true).describe('Whether found addresses are verified'),
    ...target,
  }),
  result: startedSchema,
  async quote({ searches, location = 'the whole map', maxPlacesPerSearch, verifyEmails }) {
    const most = searches.length * maxPlacesPerSearch;
    const summary = `Searches ${location} for ${searches.join(', ')}: at most ${most} places, whose websites are read. ${mapPurchases({ verifyEmails })}`;
    return { summary, amountCents: 0, recipients: 0 };
  },
  async act(input, { outreach }, { idempotencyKey }) {
    const { searches, location, countryCode, maxPlacesPerSearch, verifyEmails } = input;
    const leadListId = await listIdOf(outreach, input, `${idempotencyKey}-list`);
    const body = {
      searchStringsArray: searches,
      locationQuery: location,
      countryCode,
      maxCrawledPlacesPerSearch: maxPlacesPerSearch,
      scrapeContacts: true,
      verifyEmails,
      leadListId,
    };
    return outreach.mapsRuns.create({ body }, { idempotencyKey });
  },
});

const importPlaces = tool({
  name: 'import_places',
  title: 'Make leads of the places of a map run',
  description:
    'Puts the best contacts of each place into a list. Repeated, it finds what is there.',
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({
    mapRunId: z.int(),
    leadListId: z.int().optional().describe('Default: the list of the run'),
    maxLeadsPerCompany: z.int().min(1).max(10).optional(),
  }),
  output: z.object({
    leadListId: z.int(),
    status: z.string().describe('running: it goes on; call again to see how far it is'),
    importedLeads: z.int(),
    foundLeads: z.int(),
    skippedItems: z.int(),
    skippedReasons: z.array(z.object({ reason: z.string(), message: z.string(), items: z.int() })),
  }),
  run: ({ mapRunId, ...body }, { outreach }) =>
    outreach.mapsRuns.importToLeadList({ id: mapRunId, body }),
});

export const newLeadTools = [importLeads, discoverLeads, searchMap, importPlaces];
