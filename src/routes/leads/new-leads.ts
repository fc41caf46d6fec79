/** POST /v1/leads: people under a company, or a single person. Spec: Leads; choices 47, 52, 59. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { PersonOutcome } from '../../domain/leads/leads.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, shortText, timestamp } from '../../http/schemas.ts';
import { givenCustom, presentCustom, shownCustom } from './custom-field-shapes.ts';
import {
  givenByName,
  givenFields,
  personOf,
  presentFields,
  shownFields,
} from './lead-field-shapes.ts';
import { anyText } from './lead-texts.ts';
import { createLeadAdder, type AddedLeads, type NewLeads } from '../../services/leads/leads.ts';

type Needs = Pick<Context, 'db'>;

const MAX_PEOPLE = 500;

const CONTACT_FIELDS = 'email, phone, social_profile_url';

/** By our names but for one, whose name is the spec's. */
const { socialProfileUrl, ...othersByName } = givenByName;

/** Spec: Leads, rule 1. */
const person = z
  .object({ ...othersByName, social_profile_url: socialProfileUrl, custom: givenCustom })
  .refine(
    (given) => given.email || given.phone || given.social_profile_url,
    `needs at least one of ${CONTACT_FIELDS}`,
  )
  .meta({ description: `Needs at least one of ${CONTACT_FIELDS}.` });

/** Spec: Leads, rule 5. The shape with a company, which goes into a list. */
const people = z.object({
  company_name: shortText,
  leadListId: bodyId.nullish(),
  source: anyText,
  people: z.array(person).min(1).max(MAX_PEOPLE),
});

/** Spec: Leads, rule 4; choice 52. */
const single = z
  .object({
    ...givenFields,
    custom: givenCustom,
    companyId: bodyId.nullish(),
    source: anyText,
    leadListId: z
      .unknown()
      .refine((id) => id === undefined, 'is not accepted with a single person, only with people')
      .optional()
      .meta({ description: 'Not accepted with this shape', not: {} }),
  })
  .refine(
    (given) => given.personEmail || given.personPhone || given.socialProfileUrl,
    'needs at least one of personEmail, personPhone, socialProfileUrl',
  );

/** Each shape is validated on its own, so that errors name only fields of the intended shape. */
const body = z
  .preprocess(
    withShape,
    z.discriminatedUnion('shape', [
      people.safeExtend({ shape: z.literal('people') }),
      single.safeExtend({ shape: z.literal('single') }),
    ]),
  )
  .meta({ oneOf: [people, single].map(jsonSchema) });

function withShape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isSingle =
    ('personFirstName' in value || 'personLastName' in value) &&
    !('company_name' in value || 'people' in value);
  return { ...value, shape: isSingle ? 'single' : 'people' };
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

const newLead = z
  .object({
    id: z.int(),
    ...shownFields,
    custom: shownCustom.optional(),
    status: z.string(),
    leadSource: z.string().nullable(),
    createdAt: timestamp,
    kept: z
      .array(z.string())
      .optional()
      .describe('Of a lead that was found: fields that differ from what was given, and stay.'),
  })
  .meta({ id: 'NewLead' });

/** Spec: POST /v1/leads. The request has `leadListId`, the answer `lead_list_id`. */
const addedLeads = z
  .object({
    company_id: z.int().nullable(),
    company_name: z.string().nullable(),
    lead_list_id: z.int().nullable(),
    leads: z.array(newLead),
    importedLeads: z.int().describe('Of `people`: new leads of the company.'),
    foundLeads: z.int().describe('Of `people`: were leads of the company before.'),
    importedCompanies: z.int(),
    foundCompanies: z.int(),
    skippedItems: z.int().describe('Of `people`: were erased, and are not stored again.'),
  })
  .meta({ id: 'AddedLeads' });

export function createLeads(context: Needs): Route {
  const addLeads = createLeadAdder(context);
  return route({
    method: 'post',
    path: '/v1/leads',
    operationId: 'leads.create',
    tag: 'Leads',
    summary: 'Adds people under a company, or a single person.',
    description:
      'Finds or creates the company by its name, in `leadListId`, else among companies without a ' +
      'list, which are then assigned to it; companies of other lists stay there. Within the company ' +
      'each person is found by e-mail, profile, phone with a name, or name, else created: a person ' +
      'may be a lead of several companies. What is missing of a found one is filled in, nothing is ' +
      'overwritten; `kept` names what differs. All or nothing. A single person ' +
      '(`personFirstName`, ...) may name an existing company by `companyId`.',
    status: 201,
    errors: { 400: ['PEOPLE_ERASED'], 404: ['LEAD_LIST_NOT_FOUND', 'COMPANY_NOT_FOUND'] },
    body,
    response: addedLeads,
    handler: async ({ user, body }) => {
      const added = await addLeads(user.userId, toNewLeads(body));
      return reply(present(added), { message: added.message });
    },
  });
}

function toNewLeads(given: z.output<typeof body>): NewLeads {
  const source = given.source ?? null;
  if (given.shape === 'people') {
    const { company_name: name, leadListId = null, people } = given;
    return {
      leadListId,
      source,
      group: {
        company: { name },
        people: people.map(
          ({ social_profile_url: socialProfileUrl, custom: _custom, ...known }) => ({
            ...known,
            socialProfileUrl,
          }),
        ),
      },
      custom: people.map(
        ({ custom: values }, at) => values && { at: `people[${at}].custom`, values },
      ),
    };
  }
  const companyId = given.companyId ?? undefined;
  return {
    leadListId: null,
    source,
    group: { company: null, companyId, people: [personOf(given)] },
    custom: [given.custom && { at: 'custom', values: given.custom }],
  };
}

const present = ({ group, leads }: AddedLeads): z.input<typeof addedLeads> => ({
  company_id: group.companyId,
  company_name: group.companyName,
  lead_list_id: group.leadListId,
  leads: leads.map((lead) => ({
    id: lead.id,
    ...presentFields((field) => lead[field]),
    status: lead.status,
    leadSource: lead.source,
    createdAt: lead.createdAt,
    ...(lead.custom.length > 0 && { custom: presentCustom(lead.custom) }),
    ...(lead.kept.length > 0 && { kept: lead.kept }),
  })),
  importedLeads: countOf(group, 'created'),
  foundLeads: countOf(group, 'found'),
  importedCompanies: group.companyCreated ? 1 : 0,
  foundCompanies: group.companyFound ? 1 : 0,
  skippedItems: countOf(group, 'erased'),
});

const countOf = ({ people }: AddedLeads['group'], wanted: PersonOutcome['outcome']): number =>
  people.filter(({ outcome }) => outcome === wanted).length;
