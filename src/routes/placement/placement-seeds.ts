/** The routes of seed mailboxes. Choice 123. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import {
  changeSeed,
  createSeed,
  getSeed,
  listUserSeeds,
  removeSeed,
} from '../../services/placement/placement-seeds.ts';
import {
  placementSeed,
  presentSeed,
  seedChange,
  seedChangeOf,
  seedOrder,
  seedOrderOf,
} from './seed-shapes.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'config'>;

export const placementSeedRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  change(context),
  remove(context),
];

const tag = 'Placement';

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/placement/seeds',
    operationId: 'placementSeeds.create',
    tag,
    summary: 'Adds a mailbox of yours in which placement tests look where their message landed.',
    description:
      'A mailbox that you have at a provider, read by IMAP with TLS at a public address. The first test logs in ' +
      '(`status`). The password is stored sealed and never shown again. An account has at most 30.',
    status: 201,
    errors: { 400: ['SEED_EXISTS', 'TOO_MANY_SEEDS'] },
    body: seedOrder,
    response: placementSeed,
    handler: async ({ user, body }) =>
      presentSeed(await createSeed(context, user.userId, seedOrderOf(body))),
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/placement/seeds',
    operationId: 'placementSeeds.list',
    tag,
    summary: 'Lists the seed mailboxes, oldest first.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(placementSeed),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserSeeds(context, user.userId, page);
      return paged(rows.map(presentSeed), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/placement/seeds/:id',
    operationId: 'placementSeeds.read',
    tag,
    summary: 'Reads a seed mailbox.',
    status: 200,
    errors: { 404: ['PLACEMENT_SEED_NOT_FOUND'] },
    params: idParams,
    response: placementSeed,
    handler: async ({ user, params }) =>
      presentSeed(await getSeed(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/placement/seeds/:id',
    operationId: 'placementSeeds.update',
    tag,
    summary: 'Changes how a seed mailbox is logged in to, or its provider; what is left out stays.',
    description:
      'Another host, port, TLS or `username` comes with the `password`: the stored one goes nowhere else.',
    status: 200,
    errors: { 404: ['PLACEMENT_SEED_NOT_FOUND'] },
    params: idParams,
    body: seedChange,
    response: placementSeed,
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      return presentSeed(await changeSeed(context, subject, seedChangeOf(body)));
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/placement/seeds/:id',
    operationId: 'placementSeeds.delete',
    tag,
    summary: 'Forgets a seed mailbox with its password; tests keep what they have found in it.',
    status: 200,
    errors: { 404: ['PLACEMENT_SEED_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) =>
      reply(await removeSeed(context, user.userId, params.id), { message: 'Seed deleted' }),
  });
