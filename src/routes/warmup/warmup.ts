/** The routes of warm-up. Spec: Warm-up; choice 28. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { WARMUP_ACTIONS, WARMUP_STATUSES, type WarmupAction } from '../../domain/warmup/warmup.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import { getWarmupStats } from '../../services/warmup/warmup-stats.ts';
import {
  actOnWarmup,
  actOnWarmups,
  changeWarmupSettings,
  getUserWarmup,
  listUserWarmups,
} from '../../services/warmup/warmup.ts';
import { presentWarmup, settings, stats, warmup } from './warmup-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation' | 'clock'>;

export const warmupRoutes = (context: Needs): Route[] => [
  list(context),
  bulk(context),
  read(context),
  change(context),
  readStats(context),
  ...WARMUP_ACTIONS.map((action) => act(context, action)),
];

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/warmup',
    operationId: 'warmup.list',
    tag: 'Warm-up',
    summary: 'Lists all mailboxes with their warm-up.',
    description: 'A mailbox that was never enrolled is `inactive` with the default settings.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(WARMUP_STATUSES).optional() }),
    response: z.array(warmup),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserWarmups(context, user.userId, page);
      return paged(
        rows.map((row) => presentWarmup(context, row)),
        query,
        total,
      );
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/warmup/mailboxes/:id',
    operationId: 'warmup.read',
    tag: 'Warm-up',
    summary: 'Reads the state of a mailbox’s warm-up.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: warmup,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, mailboxId: params.id };
      return presentWarmup(context, await getUserWarmup(context, subject));
    },
  });

const ACTS: Record<WarmupAction, { summary: string; message: string }> = {
  start: {
    summary: 'Enrols a mailbox in warm-up, from its first day.',
    message: 'Warm-up started',
  },
  pause: {
    summary: 'Pauses a warm-up; nothing is sent until it is resumed.',
    message: 'Warm-up is paused',
  },
  resume: {
    summary: 'Resumes a paused warm-up on the day where it stood.',
    message: 'Warm-up goes on',
  },
  stop: {
    summary: 'Takes a mailbox out of warm-up; cold mail is no longer held back.',
    message: 'Warm-up stopped',
  },
};

const act = (context: Needs, action: WarmupAction) =>
  route({
    method: 'post',
    path: `/v1/warmup/mailboxes/:id/${action}`,
    operationId: `warmup.${action}`,
    tag: 'Warm-up',
    summary: ACTS[action].summary,
    description:
      'The same state again changes nothing; what is illegal in the present state is 400 ' +
      '`INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: warmup,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, mailboxId: params.id };
      const view = await actOnWarmup(context, subject, action);
      return reply(presentWarmup(context, view), { message: ACTS[action].message });
    },
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/warmup/mailboxes/:id',
    operationId: 'warmup.update',
    tag: 'Warm-up',
    summary: 'Changes the settings of a warm-up, from its next day on.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    body: settings.partial(),
    response: warmup,
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, mailboxId: params.id };
      return presentWarmup(context, await changeWarmupSettings(context, subject, body));
    },
  });

const readStats = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/warmup/mailboxes/:id/stats',
    operationId: 'warmup.readStats',
    tag: 'Warm-up',
    summary: 'Counts the messages of a warm-up, in total and by day.',
    description:
      'Days are UTC; without `from` and `to` the last 30 are shown, each in `days` and summed up ' +
      'beside them. `inbox` and `spam` tell where messages of this mailbox were found, the inbox in ' +
      'seed mailboxes alone; `savedFromSpam` which of them partners took out of spam, `received` ' +
      'counts messages of partners. `healthScore` looks at the last seven days, that of a day at the ' +
      'day; null: nothing is known.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    response: stats,
    handler: ({ user, params, query }) =>
      getWarmupStats(context, { userId: user.userId, mailboxId: params.id }, query),
  });

const bulk = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/warmup/bulk',
    operationId: 'warmup.actOnMany',
    tag: 'Warm-up',
    summary: 'Starts, pauses, resumes or stops the warm-up of many mailboxes.',
    description: 'Each mailbox on its own, with its own result.',
    status: 200,
    repeatable: true,
    body: z.object({
      mailboxIds: z
        .array(bodyId)
        .min(1)
        .max(100)
        .transform((ids) => [...new Set(ids)]),
      action: z.enum(WARMUP_ACTIONS),
    }),
    response: z.array(
      z.object({
        mailboxId: z.int(),
        ok: z.boolean(),
        status: z.enum(WARMUP_STATUSES).nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
    handler: ({ user, body }) => actOnWarmups(context, user.userId, body),
  });
