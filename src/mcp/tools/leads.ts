/** People and companies that are stored: lists, search, and where something was found. */
import { z } from 'zod';
import type { Outreach } from '../../../clients/typescript/src/index.ts';
import { LEAD_STATUSES } from '../../domain/leads/leads.ts';
import { byNumber, listOf, pageOf, paging } from '../lists.ts';
import { ifPermitted } from '../permitted.ts';
import { READS, tool } from '../tool.ts';

const customFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  choices: z.array(z.string()).nullable(),
});

const listLeadLists = tool({
  name: 'list_lead_lists',
  title: 'List the lead lists and the custom fields',
  description:
    'Lists the groups of companies and leads, with how many are in each, and the custom fields: what the account knows of people beside what all know. Templates have these as {{custom.name}}.',
  annotations: READS,
  input: z.strictObject({ ...paging }),
  output: listOf(
    z.object({ id: z.int(), name: z.string(), companiesCount: z.int(), leadsCount: z.int() }),
  ).extend({
    customFields: z.array(customFieldSchema).nullable().describe('null: the key may not read them'),
  }),
  async run(input, { outreach }) {
    const customFields = await ifPermitted(outreach.customFields.list());
    const lists = await outreach.leadLists.list(byNumber(input));
    return { ...pageOf(lists, (list) => list), customFields };
  },
});

const filters = {
  search: z.string().optional().describe('A part of names, addresses or websites'),
  leadListId: z.int().optional(),
  ...paging,
};

const findCompanies = tool({
  name: 'find_companies',
  title: 'Find companies that are stored',
  description:
    'Searches the companies of the account. New ones are found by search_map and discover_leads.',
  annotations: READS,
  input: z.strictObject(filters),
  output: listOf(
    z.object({
      id: z.int(),
      name: z.string(),
      website: z.string().nullable(),
      phone: z.string().nullable(),
      city: z.string().nullable(),
      countryCode: z.string().nullable(),
      category: z.string().nullable(),
      leadsCount: z.int(),
    }),
  ),
  run: async (input, { outreach }) =>
    pageOf(await outreach.companies.list(input), (company) => company),
});

const customValue = z.union([z.string(), z.number(), z.boolean()]);

const leadSchema = z.object({
  id: z.int(),
  personFirstName: z.string(),
  personLastName: z.string(),
  personRole: z.string().nullable(),
  personEmail: z.string().nullable(),
  companyName: z.string().nullable(),
  status: z.string(),
  validationScore: z.number().nullable().describe('Of the address, 0 to 100; null: not checked'),
  custom: z.record(z.string(), customValue).describe('Custom fields of the account, by name'),
});

const findLeads = tool({
  name: 'find_leads',
  title: 'Find people who are stored',
  description: 'Searches the people of the account, or of one list.',
  annotations: READS,
  input: z.strictObject({
    ...filters,
    status: z.enum(LEAD_STATUSES).optional(),
    hasEmail: z.boolean().optional(),
    custom: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'By custom fields: {"industry": "Bakery", "employees.min": "10"}; list_lead_lists has them',
      ),
  }),
  output: listOf(leadSchema),
  async run({ hasEmail, ...input }, { outreach }) {
    const query = { ...input, ...(hasEmail !== undefined && { hasEmail: word(hasEmail) }) };
    return pageOf(await outreach.leads.list(query), (lead) => lead);
  },
});

const word = (flag: boolean): 'true' | 'false' => (flag ? 'true' : 'false');

const getLead = tool({
  name: 'get_lead',
  title: 'Read a person, and where it was found',
  description:
    'Reads a lead; `sources` says for each field where it came from, and on which page, `suppression` whether its address is on the suppression list.',
  annotations: READS,
  input: z.strictObject({ id: z.int() }),
  output: leadSchema.extend({
    personPhone: z.string().nullable(),
    socialProfileUrl: z.string().nullable(),
    companyId: z.int().nullable(),
    leadListId: z.int().nullable(),
    sources: z.array(
      z.object({ field: z.string(), source: z.string(), url: z.string().optional() }),
    ),
    suppression: z
      .object({ isSuppressed: z.boolean(), reason: z.string().nullable() })
      .nullable()
      .describe('null: there is no address, or the key may not ask'),
  }),
  async run({ id }, { outreach }) {
    const lead = await outreach.leads.read({ id });
    const sources = Object.entries(lead.provenance.fields);
    return {
      ...lead,
      sources: sources.map(([field, facts]) => ({ field, ...facts })),
      suppression: await suppressionOf(outreach, lead.personEmail),
    };
  },
});

async function suppressionOf(outreach: Outreach, email: string | null) {
  if (email === null) return null;
  const checked = await ifPermitted(outreach.suppressions.check({ body: { emails: [email] } }));
  return checked?.[0] ?? null;
}

export const leadTools = [listLeadLists, findCompanies, findLeads, getLead];
