/** Every operation of the API's specification: the built ones answer in its shape, the rest are named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSpecWorld, type SpecWorld } from './support/api/spec-world.ts';

const time = z.iso.datetime();
const record = z.object({ type: z.string(), name: z.string(), value: z.string() });
const domain = z.object({
  id: z.int(),
  domain: z.string(),
  provider: z.string(),
  isActive: z.boolean(),
  // Null while a purchase runs on; the specification shows it finished.
  purchasedAt: time.nullable(),
  expiresAt: time.nullable(),
});
const newCluster = z.object({
  id: z.int(),
  domain: z.string(),
  status: z.literal('provisioning'),
  ipAddress: z.null(),
  jobId: z.string(),
  createdAt: time,
});

const lead = z.object({
  id: z.int(),
  personFirstName: z.string(),
  personLastName: z.string(),
  personRole: z.string().nullable(),
  personEmail: z.string().nullable(),
  personPhone: z.string().nullable(),
  status: z.string(),
  createdAt: time,
});
// Null until the address was validated.
const listedLead = lead.extend({
  validationScore: z.number().nullable(),
  emailValid: z.boolean().nullable(),
  companyId: z.int().nullable(),
});

const discovery = z.object({
  id: z.int(),
  userId: z.string(),
  leadListId: z.int(),
  leadCount: z.int(),
  processedLeads: z.int(),
  foundLeads: z.int(),
  searchTerm: z.string(),
  adReachedCountries: z.array(z.string()),
  status: z.string(),
  createdAt: time,
});

const mapsRun = z.object({
  id: z.int(),
  leadListId: z.int().nullable(),
  provider: z.string(),
  status: z.string(),
  statusMessage: z.string(),
  searchStrings: z.array(z.string()),
  locationQuery: z.string(),
  countryCode: z.string(),
  language: z.string(),
  maxCrawledPlacesPerSearch: z.int(),
  scrapeContacts: z.boolean(),
  verifyEmails: z.boolean(),
  totalQueries: z.int(),
  processedQueries: z.int(),
  totalItems: z.int(),
  savedItems: z.int(),
  enrichedItems: z.int(),
  importedLeads: z.int(),
  createdAt: time,
  updatedAt: time,
});

const inboxMessage = z.object({
  id: z.int(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  snippet: z.string(),
  sent_at: time,
  is_read: z.boolean(),
  direction: z.string(),
  has_attachments: z.boolean(),
});

/** `data` of the success envelope. */
const data = (shape: z.ZodType) => z.object({ success: z.literal(true), data: shape });

/** `data` with a `message` beside it. */
const told = (shape: z.ZodType) =>
  z.object({ success: z.literal(true), data: shape, message: z.string() });

interface Built {
  status: number;
  body?: object;
  /** The whole body, with the fields that the specification shows. */
  shape: z.ZodType;
  /** Where it differs from the operation: ids in the path. */
  path?: (ids: SpecWorld['ids']) => string;
}

const toCome = 'to come' as const;

/** In the order of the specification's part "Endpoints". */
const operations: Record<string, Built | typeof toCome> = {
  'GET /health': { status: 200, shape: z.object({ success: z.literal(true) }) },
  'POST /api/keys': {
    status: 201,
    body: { name: 'another' },
    shape: data(
      z.object({
        id: z.string(),
        name: z.string(),
        key: z.string().regex(/^svc_[0-9a-f]{64}$/),
        createdAt: time,
      }),
    ),
  },
  'POST /api/keys/{id}/rotate': {
    status: 200,
    path: ({ key }) => `/api/keys/${key}/rotate`,
    shape: data(z.object({ id: z.string(), key: z.string().startsWith('svc_') })),
  },
  'POST /v1/leads/process': {
    status: 201,
    body: { searchTerm: 'running shoes' },
    shape: data(discovery.extend({ status: z.literal('processing') })).extend({
      message: z.string(),
    }),
  },
  'GET /v1/leads/process': {
    status: 200,
    shape: data(z.array(discovery.extend({ updatedAt: time })).min(1)),
  },
  'POST /v1/leads/process/{id}/pause': {
    status: 200,
    path: ({ discovery: id }) => `/v1/leads/process/${id}/pause`,
    shape: data(discovery),
  },
  'POST /v1/leads/process/{id}/resume': {
    status: 200,
    path: ({ discovery: id }) => `/v1/leads/process/${id}/resume`,
    shape: data(discovery),
  },
  'POST /v1/leads/process/{id}/cancel': {
    status: 200,
    path: ({ discovery: id }) => `/v1/leads/process/${id}/cancel`,
    shape: data(discovery),
  },
  'POST /v1/leads': {
    status: 201,
    body: {
      company_name: 'Initech',
      people: [{ firstName: 'Bill', lastName: 'Lumbergh', phone: '+1 555 010 0000' }],
    },
    shape: data(
      z.object({
        company_id: z.int(),
        company_name: z.literal('Initech'),
        lead_list_id: z.null(),
        leads: z.array(lead.extend({ socialProfileUrl: z.null(), leadSource: z.null() })).length(1),
      }),
    ),
  },
  'GET /v1/leads': { status: 200, shape: data(z.array(listedLead).min(1)) },
  'DELETE /v1/lead-lists/{id}': {
    status: 200,
    path: (ids) => `/v1/lead-lists/${ids.oldLeadList}`,
    shape: data(
      z.object({
        lead_list_id: z.int(),
        deleted_companies: z.literal(0),
        deleted_leads: z.literal(0),
        message: z.string(),
      }),
    ),
  },
  'GET /v1/lead-lists/{id}/companies': {
    status: 200,
    path: (ids) => `/v1/lead-lists/${ids.leadList}/companies`,
    shape: data(z.array(z.object({ id: z.int(), name: z.literal('Acme') })).length(1)),
  },
  'GET /v1/lead-lists/{id}/leads': {
    status: 200,
    path: (ids) => `/v1/lead-lists/${ids.leadList}/leads`,
    shape: data(z.array(listedLead).length(1)),
  },
  'POST /v1/campaigns': {
    status: 201,
    body: {
      name: 'Spring',
      subjectTemplate: 'Hello {{firstName}}',
      bodyTemplate: 'Hi {{firstName}} {{lastName}}, how is {{company}}?',
      timezone: 'America/New_York',
      activeDays: ['mon', 'tue'],
      startTime: '09:00',
      endTime: '17:00',
      assignedMailboxes: [],
      maxFollowups: 2,
      followupDelayDays: 3,
    },
    shape: data(
      z.object({
        id: z.int(),
        name: z.literal('Spring'),
        status: z.literal('draft'),
        createdAt: time,
      }),
    ),
  },
  'POST /v1/domains': { status: 201, body: { domain: 'third.com' }, shape: data(domain) },
  'GET /v1/domains/{id}/dns': {
    status: 200,
    path: (ids) => `/v1/domains/${ids.domain}/dns`,
    shape: z.object({ success: z.literal(true), records: z.array(record).min(1) }),
  },
  'POST /v1/domains/{id}/dns': {
    status: 201,
    path: (ids) => `/v1/domains/${ids.domain}/dns`,
    body: { type: 'MX', name: '@', value: 'mail.second.com', priority: 10 },
    shape: data(record.extend({ priority: z.int() })),
  },
  'POST /v1/clusters/create': {
    status: 201,
    body: { domain: 'fourth.com' },
    shape: data(newCluster),
  },
  'POST /v1/clusters/create-with-existing-domain': {
    status: 201,
    body: { domain: 'second.com' },
    shape: data(newCluster.omit({ ipAddress: true, jobId: true })),
  },
  'PATCH /clusters/{id}/rename': {
    status: 200,
    path: ({ cluster }) => `/clusters/${cluster}/rename`,
    body: { name: 'Berlin' },
    shape: data(z.object({ id: z.int(), name: z.literal('Berlin') })),
  },
  'POST /v1/mailboxes/cluster/{clusterId}': {
    status: 201,
    path: ({ cluster }) => `/v1/mailboxes/cluster/${cluster}`,
    body: { email: 'ada@first.com' },
    shape: data(
      z.object({
        id: z.int(),
        email: z.literal('ada@first.com'),
        clusterId: z.int(),
        isActive: z.boolean(),
        createdAt: time,
      }),
    ),
  },
  'POST /v1/maps-scraper/runs': {
    status: 201,
    body: { searchStringsArray: ['dentist', 'florist'], locationQuery: 'Berlin' },
    shape: told(mapsRun.extend({ status: z.literal('queued'), totalQueries: z.literal(2) })),
  },
  'GET /v1/maps-scraper/runs/{id}': {
    status: 200,
    path: ({ mapsRun: id }) => `/v1/maps-scraper/runs/${id}`,
    shape: told(
      mapsRun.extend({
        failedItems: z.int(),
        startedAt: time.nullable(),
        completedAt: time.nullable(),
      }),
    ),
  },
  'POST /v1/maps-scraper/runs/{id}/enrich': {
    status: 200,
    path: ({ mapsRun: id }) => `/v1/maps-scraper/runs/${id}/enrich`,
    body: { force: true },
    shape: told(
      z.object({
        id: z.int(),
        status: z.literal('enriching'),
        statusMessage: z.string(),
        enrichedItems: z.int(),
      }),
    ),
  },
  'POST /v1/maps-scraper/runs/{id}/import-to-lead-list': {
    status: 200,
    path: ({ mapsRun: id }) => `/v1/maps-scraper/runs/${id}/import-to-lead-list`,
    body: { requireEmail: false },
    shape: told(
      z.object({
        runId: z.int(),
        leadListId: z.int(),
        importedLeads: z.int(),
        importedCompanies: z.int(),
        foundLeads: z.int(),
        foundCompanies: z.int(),
        skippedItems: z.int(),
      }),
    ),
  },
  'GET /v1/inbox': {
    status: 200,
    shape: data(
      z.object({
        items: z.array(inboxMessage),
        pagination: z.object({
          page: z.int(),
          limit: z.int(),
          total: z.int(),
          totalPages: z.int(),
          hasNext: z.boolean(),
        }),
      }),
    ),
  },
  'POST /wallet/fund': {
    status: 201,
    body: { amountCents: 5_000 },
    shape: data(z.object({ checkoutUrl: z.url(), sessionId: z.string() })),
  },
  'POST /wallet/verify': {
    status: 200,
    body: { sessionId: 'cs_test_1' },
    shape: data(z.object({ status: z.string(), amountCents: z.int() })),
  },
};

const built = Object.entries(operations).filter(
  (entry): entry is [string, Built] => entry[1] !== toCome,
);
const missing = Object.entries(operations).filter(([, state]) => state === toCome);

let world: SpecWorld;

beforeAll(async () => {
  world = await createSpecWorld();
});
afterAll(() => world.close());

describe('the specification', () => {
  it.each(built)('has %s, which answers in its shape', async (operation, expected) => {
    const answer = await ask(operation, expected);
    expect(answer).toMatchObject({ status: expected.status });
    expect(expected.shape.safeParse(answer.body).error).toBeUndefined();
  });

  it.each(missing)('has %s, still to come', async (operation) => {
    expect(await mountedOperations()).not.toContain(operation);
  });

  it('has no built operation that the document does not know', async () => {
    expect([...(await mountedOperations())]).toEqual(
      expect.arrayContaining(built.map(([operation]) => operation)),
    );
  });
});

function ask(operation: string, expected: Built) {
  const { api, token, ids } = world;
  const [method = '', pattern = ''] = operation.split(' ');
  return api.call(method, expected.path?.(ids) ?? pattern, {
    token,
    ...(expected.body && { body: expected.body }),
  });
}

/** What the API's own document says. */
async function mountedOperations(): Promise<Set<string>> {
  const { body } = await world.api.call('GET', '/openapi.json');
  return new Set(
    Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
}
