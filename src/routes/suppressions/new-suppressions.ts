/** Suppressing addresses and domains, one or many. Spec: Lead; choice 17. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import {
  suppressedDomain,
  suppressedEmail,
  type NewSuppression,
} from '../../domain/suppressions/suppressions.ts';
import { reply } from '../../http/envelope.ts';
import { route } from '../../http/route.ts';
import { addSuppressions } from '../../services/suppressions/suppressions.ts';
import { present, suppression } from './suppression-shapes.ts';

type Needs = Pick<Context, 'db'>;

const added = suppression.extend({ suppressedLeads: z.int() });

const addedMany = z.object({
  created: z.int(),
  existing: z.int(),
  erased: z.int().meta({ description: 'Addresses of erased people, which are not stored' }),
  suppressedLeads: z.int(),
  suppressions: z.array(suppression),
});

/** `erasure` is written only by erasures. */
const reason = z.enum(['unsubscribe', 'bounce', 'complaint', 'manual']).optional();

const value = (normal: (text: string) => string | undefined, problem: string) =>
  z
    .string()
    .max(320)
    .refine((text) => normal(text) !== undefined, problem)
    .transform((text) => normal(text)!)
    .optional();

const entry = z
  .object({
    email: value(suppressedEmail, 'must be an e-mail address').meta({ type: 'string' }),
    domain: value(suppressedDomain, 'must be a domain name').meta({ type: 'string' }),
    reason,
    note: z.string().trim().max(1_000).nullish(),
  })
  .meta({ id: 'NewSuppression' });

/** Per request. */
export const MAX_ENTRIES = 1_000;

const order = entry.extend({
  entries: z.array(entry).min(1).max(MAX_ENTRIES).optional(),
});

/** Each entry names either an address or a domain. */
function entryOf(given: z.output<typeof entry>, field: string): NewSuppression {
  const { email, domain, reason: why = 'manual', note = null } = given;
  if ((email === undefined) === (domain === undefined)) {
    const message = `${field === '' ? 'body' : field} must have either email or domain`;
    throw validationError([{ field, message }]);
  }
  return email === undefined
    ? { kind: 'domain', value: domain!, reason: why, note }
    : { kind: 'email', value: email, reason: why, note };
}

export const addRoute = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/suppressions',
    operationId: 'suppressions.create',
    tag: 'Suppressions',
    summary: 'Suppresses an address or a domain, or up to 1,000 of them.',
    description:
      'With `email` or `domain`, or many as `entries`. A domain counts for all domains below it. ' +
      'Leads that are concerned become `suppressed`, unless they have bounced or unsubscribed. ' +
      'What is suppressed already stays as it is and is answered. Where domains of a request have more than 1,000 ' +
      'leads together, these get their status in the background (`openLeads`); nobody of them is written to meanwhile.',
    status: 201,
    body: order,
    response: z.union([added, addedMany]),
    handler: async ({ user, body }) => {
      const { entries, ...single } = body;
      if (!entries) return addOne(context, user.userId, entryOf(single, ''));
      const wanted = entries.map((each, at) => entryOf(each, `entries[${at}]`));
      return addMany(context, user.userId, wanted);
    },
  });

async function addOne(context: Needs, userId: string, wanted: NewSuppression) {
  const { rows, created, suppressedLeads } = await addSuppressions(context, userId, [wanted]);
  const [row] = rows;
  if (!row) {
    // Not stored, since that would make the address known again; an erased address is never written to
    // anyway.
    const suppressions = { created: 0, existing: 0, erased: 1, suppressedLeads, suppressions: [] };
    return reply(suppressions, { message: 'This person was erased and is never written to' });
  }
  const message = created > 0 ? 'Suppressed' : 'Suppressed already';
  return reply({ ...present(row), suppressedLeads }, { message });
}

async function addMany(context: Needs, userId: string, wanted: NewSuppression[]) {
  const { rows, created, suppressedLeads } = await addSuppressions(context, userId, wanted);
  const stored = rows.filter((row) => row !== undefined);
  return {
    created,
    existing: stored.length - created,
    erased: rows.length - stored.length,
    suppressedLeads,
    suppressions: stored.map(present),
  };
}
