/** The routes that erase a person. GDPR, article 17. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { emailKey, phoneKey, profileKey } from '../../domain/leads/lead-keys.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import { eraseByKey, eraseLead, type Erased } from '../../services/suppressions/erasures.ts';
import { email, phone, webAddress } from '../leads/lead-texts.ts';

type Needs = Pick<Context, 'db'>;

export const erasureRoutes = (context: Needs): Route[] => [
  eraseOne(context),
  eraseByContact(context),
];

const tag = 'Suppressions';

const description =
  'Deletes the lead and everything else that speaks of the person: failed rows of imports, found ' +
  'and bought contacts, validations, suppressions. What stays are hashes of the address, the ' +
  'number and the profile, by which every later import leaves the person out.';

/** How many rows of each kind were about the person. */
const erased = z
  .object({
    leads: z.int(),
    companies: z.int(),
    suppressions: z.int(),
    importErrors: z.int(),
    importRows: z.int(),
    discoveryContacts: z.int(),
    discoveryCompanies: z.int(),
    boughtContacts: z.int(),
    mapsItems: z.int(),
    emailValidations: z.int(),
    letters: z.int(),
    sends: z.int(),
    events: z.int(),
    warmupLetters: z.int(),
  })
  .meta({ id: 'Erasure' });

const eraseOne = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/:id/erase',
    operationId: 'leads.erase',
    tag,
    summary: 'Erases the person of a lead, for good.',
    description,
    status: 200,
    errors: { 404: ['LEAD_NOT_FOUND'] },
    params: idParams,
    response: erased,
    handler: async ({ user, params }) => replyOf(await eraseLead(context, user.userId, params.id)),
  });

const eraseByContact = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/erasures',
    operationId: 'erasures.create',
    tag,
    summary: 'Erases the person with an e-mail address, telephone number or profile, for good.',
    description:
      `${description} Exactly one of the three. Also for somebody who is in no list yet. A number ` +
      'that people of several names have is refused: `AMBIGUOUS_PERSON`.',
    status: 201,
    errors: { 400: ['AMBIGUOUS_PERSON'] },
    body: z.object({ email, phone, socialProfileUrl: webAddress }),
    response: erased,
    handler: async ({ user, body }) => {
      const key = {
        emailKey: emailKey(body.email),
        phoneKey: phoneKey(body.phone),
        profileKey: profileKey(body.socialProfileUrl),
      };
      if (Object.values(key).filter((each) => each !== null).length !== 1) {
        const message = 'body must have exactly one of email, phone, socialProfileUrl';
        throw validationError([{ field: '', message }]);
      }
      return replyOf(await eraseByKey(context, user.userId, key));
    },
  });

const replyOf = (counts: Erased) => {
  const places = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const message =
    places > 0
      ? 'The person was erased and is not stored again'
      : 'Nobody was found; whoever comes with this is not stored';
  return reply(counts, { message });
};
