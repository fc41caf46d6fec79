/** The routes of schedules: searches that are repeated on days of the client's choice. Choice 94. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ScheduleKind } from '../../domain/schedules/schedules.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import { requireScope, type Scope } from '../../http/scopes.ts';
import type { User } from '../../http/user.ts';
import {
  createSchedule,
  deleteSchedule,
  getScheduleView,
  getUserSchedule,
  listRunsOfSchedule,
  listUserSchedules,
  runScheduleNow,
  updateSchedule,
} from '../../services/schedules/schedules.ts';
import {
  jobOf,
  presentRun,
  presentSchedule,
  presentView,
  schedule,
  scheduleChange,
  scheduleOrder,
  scheduleRun,
  scheduleView,
} from './schedule-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'adLibraries' | 'maps' | 'startOperation' | 'keepSchedule' | 'nextRunsOf'
>;

export const scheduleRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  update(context),
  remove(context),
  runNow(context),
  runs(context),
];

const tag = 'Schedules';

/** What an order may name. */
const NAMED_NOT_FOUND = [
  'LEAD_LIST_NOT_FOUND',
  'CAMPAIGN_NOT_FOUND',
  'LEAD_NOT_FOUND',
  'MAILBOX_NOT_FOUND',
  'PLACEMENT_SEED_NOT_FOUND',
] as const;

/** By a schedule a key orders nothing that it may not order itself. */
const ORDER_SCOPES = {
  maps_run: 'maps:write',
  lead_process: 'discovery:write',
  placement_test: 'placement:write',
} as const satisfies Record<ScheduleKind, Scope>;
const ALSO_SCOPED =
  'A key needs the scope of what is ordered, too: `maps:write`, `discovery:write` or `placement:write`.';

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/schedules',
    operationId: 'schedules.create',
    tag,
    summary: 'Repeats a maps search, a discovery or a placement test on days of your choice.',
    description:
      'Each run orders what `POST /v1/maps-scraper/runs` (`mapsRun`), `POST /v1/leads/process` ' +
      '(`leadProcess`) or `POST /v1/placement/tests` (`placementTest`) would. It runs at `times.time` on days that are among `weekdays` and ' +
      '`daysOfMonth`; an empty list stands for every day. A time that a change of clocks leaves out ' +
      'is left out, one that it repeats may run twice. A run is skipped while the one before is still at work. An ' +
      `account has at most 100 schedules (400 \`TOO_MANY_SCHEDULES\`). ${ALSO_SCOPED}`,
    status: 201,
    repeatable: true,
    errors: {
      400: ['TOO_MANY_SCHEDULES'],
      404: NAMED_NOT_FOUND,
    },
    body: scheduleOrder,
    response: schedule,
    handler: async ({ user, body, requestKey }) => {
      const { name, onlyNewPlaces, times, paused } = body;
      const order = { name, onlyNewPlaces, times, paused, job: jobOf(body)! };
      requireScope(user, ORDER_SCOPES[order.job.kind]);
      const row = await createSchedule(context, user.userId, order, requestKey);
      return reply(presentSchedule(row), { message: 'The schedule is set' });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/schedules',
    operationId: 'schedules.list',
    tag,
    summary: 'Lists the schedules, newest first.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(schedule),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserSchedules(context, user.userId, page);
      return paged(rows.map(presentSchedule), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/schedules/:id',
    operationId: 'schedules.read',
    tag,
    summary: 'Reads a schedule with its next runs.',
    status: 200,
    errors: { 404: ['SCHEDULE_NOT_FOUND'] },
    params: idParams,
    response: scheduleView,
    handler: async ({ user, params }) =>
      presentView(await getScheduleView(context, user.userId, params.id)),
  });

const update = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/schedules/:id',
    operationId: 'schedules.update',
    tag,
    summary: 'Changes, pauses or resumes a schedule.',
    description:
      'What is given replaces what was there, an order as a whole, `times` field by field; the kind stays. A run that is at ' +
      `work goes on as it was ordered. ${ALSO_SCOPED} To pause it, \`schedules:write\` is enough.`,
    status: 200,
    errors: { 404: ['SCHEDULE_NOT_FOUND', ...NAMED_NOT_FOUND] },
    params: idParams,
    body: scheduleChange,
    response: schedule,
    handler: async ({ user, params, body }) => {
      const { name, onlyNewPlaces, times, paused } = body;
      const change = { name, onlyNewPlaces, times, paused, job: jobOf(body) };
      const subject = { userId: user.userId, id: params.id };
      if (!isPauseAlone(body)) await requireOrderScope(context, user, params.id);
      return presentSchedule(await updateSchedule(context, subject, change));
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/schedules/:id',
    operationId: 'schedules.delete',
    tag,
    summary: 'Deletes a schedule; what its runs have found stays.',
    status: 200,
    errors: { 404: ['SCHEDULE_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) =>
      reply(await deleteSchedule(context, user.userId, params.id), {
        message: 'The schedule is deleted',
      }),
  });

const runNow = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/schedules/:id/run',
    operationId: 'schedules.run',
    tag,
    summary: 'Runs a schedule now, also while it is paused.',
    description: `While its last run is at work: 400 \`INVALID_STATE\`. ${ALSO_SCOPED}`,
    status: 201,
    repeatable: true,
    errors: {
      400: ['INVALID_STATE', 'NO_SEEDS', 'CAMPAIGN_NOT_READY'],
      404: ['SCHEDULE_NOT_FOUND', ...NAMED_NOT_FOUND],
    },
    params: idParams,
    response: scheduleRun,
    handler: async ({ user, params, requestKey }) => {
      await requireOrderScope(context, user, params.id);
      const run = await runScheduleNow(context, user.userId, params.id, requestKey);
      return reply(presentRun(run), { message: 'The run has begun' });
    },
  });

const runs = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/schedules/:id/runs',
    operationId: 'schedules.listRuns',
    tag,
    summary: 'Lists the runs of a schedule with what was new, newest first.',
    status: 200,
    paged: true,
    errors: { 404: ['SCHEDULE_NOT_FOUND'] },
    params: idParams,
    query: pageQuery,
    response: z.array(scheduleRun),
    handler: async ({ user, params, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listRunsOfSchedule(context, user.userId, params.id, page);
      return paged(rows.map(presentRun), query, total);
    },
  });

/** The kind of a schedule stays, so that it may be looked at before the change. */
async function requireOrderScope(context: Needs, user: User, id: number): Promise<void> {
  const { kind } = await getUserSchedule(context, user.userId, id);
  requireScope(user, ORDER_SCOPES[kind]);
}

/** Nothing is ordered by it. */
const isPauseAlone = ({ paused, ...rest }: z.output<typeof scheduleChange>): boolean =>
  paused === true && Object.values(rest).every((value) => value === undefined);
