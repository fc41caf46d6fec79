/** What is due by a schedule: ordered once, with places that are new to it. Choice 94. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scheduleActivities } from '../../activities/schedules/schedules.ts';
import type { Context } from '../../src/context.ts';
import { listScheduleRuns } from '../../src/db/schedules/schedule-runs.ts';
import { endMapsRun, lockMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import { forgetPlaces } from '../../src/db/schedules/schedule-places.ts';
import { changeSchedule } from '../../src/db/schedules/schedules.ts';
import {
  createSchedule,
  deleteSchedule,
  runScheduleNow,
  updateSchedule,
} from '../../src/services/schedules/schedules.ts';
import {
  fakeMaps,
  openMapsWorld,
  places,
  searchOrder,
  trouble,
  type MapsWorld,
} from '../support/leads/maps-world.ts';
import { addSender, scheduleOrder } from '../support/leads/schedule-orders.ts';
import { createSignal } from '../support/tools/signal.ts';

let world: MapsWorld;
let context: Context;
let dropped: string[];
beforeEach(async () => {
  world = await openMapsWorld();
  dropped = [];
  context = {
    ...world,
    maps: { apify: fakeMaps('apify', []) },
    adLibraries: { meta: {} },
    keepSchedule: async () => 'kept',
    nextRunsOf: async () => [],
    dropSchedule: async ({ id, run_key }: { id: number; run_key: string }) =>
      void dropped.push(`${id} ${run_key}`),
  } as unknown as Context;
});
afterEach(() => world.close());

const maps = scheduleOrder;
const create = (order = maps()) => createSchedule(context, 'user-1', order);

/** As the Schedule in Temporal starts it; each run of it has an id of its own. */
async function due(schedule: { id: number; run_key: string }, workflowId = `due ${Math.random()}`) {
  const workflowExecution = { workflowId, runId: 'r' };
  const environment = new MockActivityEnvironment({ workflowExecution });
  const input = { scheduleId: schedule.id, runKey: schedule.run_key };
  const activities = scheduleActivities(context);
  let outcome: string | undefined;
  await environment.run(async () => {
    ({ outcome } = await activities.beginScheduledRun(input));
  });
  return outcome;
}

const runsOf = async (id: number) =>
  (await listScheduleRuns(world.db, id, { limit: 10, offset: 0 })).rows;

/** Lets the search that the schedule ordered last find these pages. */
async function search(id: number, ...pages: Parameters<typeof fakeMaps>[1]): Promise<MapsRun> {
  world.maps = { apify: fakeMaps('apify', pages) };
  const [last] = await runsOf(id);
  return world.runAll(await world.row(last!.maps_run_id!));
}

const sender = (given: { seeds?: string[] } = {}) => addSender(world, given);

describe('a schedule of maps runs', () => {
  it('saves only the places that no earlier run has seen, and tells both', async () => {
    const schedule = await create();
    expect(await due(schedule)).toBe('started');
    await search(schedule.id, places(1, 3), places(3, 4));
    expect(await due(schedule)).toBe('started');
    const second = await search(schedule.id, places(2, 4), places(4, 6), places(2, 2));
    const items = await world.items(second.id);
    expect(items.map(({ place_id }) => place_id)).toEqual(['place-5', 'place-6']);
    expect((await runsOf(schedule.id)).map((run) => [run.saved_items, run.known_items])).toEqual([
      [2, 3],
      [4, 0],
    ]);
    expect(second).toMatchObject({ status: 'completed', total_items: 7 });
  });

  it('saves all of them where it is so ordered, and still tells what was new', async () => {
    const schedule = await create(maps({ onlyNewPlaces: false }));
    await due(schedule);
    await search(schedule.id, places(1, 3));
    await due(schedule);
    const second = await search(schedule.id, places(2, 5));
    expect(await world.items(second.id)).toHaveLength(4);
    expect((await runsOf(schedule.id))[0]).toMatchObject({ saved_items: 4, known_items: 2 });
  });

  it('ends early, and not at another vendor, where the places so far were all known', async () => {
    const schedule = await create();
    await due(schedule);
    await search(schedule.id, places(1, 3));
    await due(schedule);
    const apify = fakeMaps('apify', [places(1, 3), places(4, 6)]);
    apify.failures = [undefined, undefined, trouble('quota', 'apify')];
    world.maps = { apify, places: fakeMaps('places', [places(1, 9)]) };
    const [last] = await runsOf(schedule.id);
    const run = await world.runAll(await world.row(last!.maps_run_id!));
    expect(run).toMatchObject({
      provider: 'apify',
      status: 'completed',
      saved_items: 0,
      known_items: 3,
    });
    expect(run.notes.join()).toBe('The search ended early: apify has no credits left');
  });

  it('deleted while its run is at work lets it tell known places from new ones, and forgets them then', async () => {
    const schedule = await create();
    await due(schedule);
    await search(schedule.id, places(1, 3));
    await due(schedule);
    const [last] = await runsOf(schedule.id);
    const remembered = () => world.db.selectFrom('schedule_places').select('place_id').execute();
    world.maps = { apify: fakeMaps('apify', [places(1, 3), places(2, 5)]) };
    const run = await world.row(last!.maps_run_id!);
    await world.start(run);
    await deleteSchedule(context, 'user-1', schedule.id);
    const after = await world.runAll(await world.row(run.id));
    expect(after).toMatchObject({ status: 'completed', saved_items: 2, known_items: 3 });
    expect(await remembered()).toEqual([]);
  });

  it('deleted at the moment at which its run ends forgets its places', async () => {
    const schedule = await create();
    await due(schedule);
    await search(schedule.id, places(1, 3));
    await due(schedule);
    const [last] = await runsOf(schedule.id);
    const runId = last!.maps_run_id!;
    const [deleted, ending] = [createSignal(), createSignal()];
    const deletion = world.db.transaction().execute(async (trx) => {
      await changeSchedule(trx, schedule.id, { deletedAt: new Date() });
      await forgetPlaces(trx, schedule.id);
      deleted.open();
      await Promise.race([ending.opened, sleep(500)]);
    });
    await deleted.opened;
    await world.db.transaction().execute(async (trx) => {
      await lockMapsRun(trx, runId);
      await endMapsRun(trx, runId, { status: 'completed', message: '' });
    });
    ending.open();
    await deletion;
    expect(await world.db.selectFrom('schedule_places').selectAll().execute()).toEqual([]);
  });

  it('deleted between its runs forgets its places at once', async () => {
    const schedule = await create();
    await due(schedule);
    await search(schedule.id, places(1, 3));
    await deleteSchedule(context, 'user-1', schedule.id);
    expect(await world.db.selectFrom('schedule_places').selectAll().execute()).toEqual([]);
  });

  it('remembers nothing for another schedule of the same search', async () => {
    const [one, other] = [await create(), await create()];
    await due(one);
    await search(one.id, places(1, 3));
    await due(other);
    await search(other.id, places(1, 3));
    expect((await runsOf(other.id))[0]).toMatchObject({ saved_items: 3, known_items: 0 });
  });
});

describe('a run that is due on a day that has had one', () => {
  const newYork = { timeZone: 'America/New_York', time: '01:30', weekdays: [], daysOfMonth: [] };
  /** As Temporal names the run of its Schedule. */
  const dueAt = (row: { id: number; run_key: string }, at: string) =>
    due(row, `schedule-run/${row.id}/${row.run_key}-${at}`);
  /** What the schedule ordered last is done: nothing is at work. */
  const finished = () =>
    world.db
      .updateTable('maps_runs')
      .set({ status: 'completed', completed_at: new Date() } as never)
      .execute();
  const ran = async (row: { id: number; run_key: string }, at: string) => {
    const outcome = await dueAt(row, at);
    await finished();
    return outcome;
  };

  it('is skipped where clocks go back, and the same one each time', async () => {
    const schedule = await create(maps({ times: newYork }));
    expect(await ran(schedule, '2027-11-06T05:30:00Z')).toBe('started');
    expect(await ran(schedule, '2027-11-07T05:30:00Z')).toBe('started');
    expect(await ran(schedule, '2027-11-07T06:30:00Z')).toBe('skipped');
    expect(await ran(schedule, '2027-11-07T06:30:00Z')).toBe('skipped');
    expect(await ran(schedule, '2027-11-07T05:30:00Z')).toBe('started');
    expect(await ran(schedule, '2027-11-08T06:30:00Z')).toBe('started');
    const reason = 'It has run on this day already';
    expect(await runsOf(schedule.id)).toMatchObject([
      { outcome: 'started' },
      { outcome: 'skipped', reason, maps_run_id: null },
      { outcome: 'started' },
      { outcome: 'started' },
    ]);
  });

  it('is judged by the days of its zone', async () => {
    const times = { ...newYork, timeZone: 'Asia/Tokyo', time: '23:30' };
    const schedule = await create(maps({ times }));
    expect(await ran(schedule, '2027-11-06T14:30:00Z')).toBe('started');
    await updateSchedule(
      context,
      { userId: 'user-1', id: schedule.id },
      { times: { time: '00:30' } },
    );
    expect(await ran(schedule, '2027-11-06T15:30:00Z')).toBe('started');
    await updateSchedule(
      context,
      { userId: 'user-1', id: schedule.id },
      { times: { time: '08:00' } },
    );
    expect(await ran(schedule, '2027-11-06T23:00:00Z')).toBe('skipped');
  });

  it('runs where that one was skipped or has failed, or was run by hand', async () => {
    const schedule = await create(maps({ times: newYork }));
    await runScheduleNow(context, 'user-1', schedule.id, undefined);
    const [today] = new Date().toISOString().split('.');
    expect(await dueAt(schedule, '2027-11-07T05:30:00Z')).toBe('skipped');
    await finished();
    expect(await ran(schedule, '2027-11-07T06:30:00Z')).toBe('started');
    expect(await ran(schedule, `${today}Z`)).toBe('started');
    const asked = await runScheduleNow(context, 'user-1', schedule.id, undefined);
    expect(asked).toMatchObject({ outcome: 'started' });
  });

  it('does not count the runs of another schedule', async () => {
    const [one, other] = [await create(), await create()];
    expect(await ran(one, '2027-11-07T05:30:00Z')).toBe('started');
    expect(await ran(other, '2027-11-07T05:30:00Z')).toBe('started');
  });
});

describe('what is due', () => {
  it('is ordered once, however often the activity runs', async () => {
    const schedule = await create();
    expect(await due(schedule, 'the same')).toBe('started');
    expect(await due(schedule, 'the same')).toBe('started');
    expect(await runsOf(schedule.id)).toHaveLength(1);
    expect(await world.db.selectFrom('maps_runs').selectAll().execute()).toMatchObject([
      { schedule_id: schedule.id, only_new_places: true },
    ]);
  });

  it('is skipped while the run before is at work', async () => {
    const schedule = await create();
    await due(schedule);
    expect(await due(schedule)).toBe('skipped');
    expect(await runsOf(schedule.id)).toMatchObject([
      { outcome: 'skipped', reason: 'The run before it is still at work', maps_run_id: null },
      { outcome: 'started' },
    ]);
    await expect(runScheduleNow(context, 'user-1', schedule.id, undefined)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
  });

  it('is nothing while it is paused, but a person may run it', async () => {
    const schedule = await create(maps({ paused: true }));
    expect(await due(schedule)).toBe('paused');
    expect(await runsOf(schedule.id)).toEqual([]);
    const asked = () => runScheduleNow(context, 'user-1', schedule.id, 'one request');
    const first = await asked();
    expect(first).toMatchObject({ outcome: 'started', maps_status: 'queued' });
    expect(await asked()).toMatchObject({ id: first.id });
    expect(await world.db.selectFrom('maps_runs').selectAll().execute()).toHaveLength(1);
  });

  it('has failed, and says why, where its list is gone', async () => {
    const leadListId = await world.list();
    const order = { search: searchOrder(), scrapeContacts: false, verifyEmails: false, leadListId };
    const schedule = await create(maps({ job: { kind: 'maps_run', order } }));
    await world.db.deleteFrom('lead_lists').where('id', '=', leadListId).execute();
    expect(await due(schedule)).toBe('failed');
    expect(await runsOf(schedule.id)).toMatchObject([
      { outcome: 'failed', reason: `Lead list not found: ${leadListId}`, maps_run_id: null },
    ]);
  });

  it('is a discovery where that was ordered', async () => {
    const order = { searchTerm: 'yoga mats', leadCount: 7, adReachedCountries: ['US'] };
    const schedule = await create(maps({ job: { kind: 'lead_process', order } }));
    expect(await due(schedule)).toBe('started');
    expect(await due(schedule)).toBe('skipped');
    const [, first] = await runsOf(schedule.id);
    expect(first).toMatchObject({
      process_status: 'processing',
      found_leads: 0,
      maps_status: null,
    });
  });

  it('has failed, and makes no list, where no ad library is configured any more', async () => {
    const order = { searchTerm: 'yoga mats', leadCount: 7, adReachedCountries: ['US'] };
    const schedule = await create(maps({ job: { kind: 'lead_process', order } }));
    const asked = (key: string) => runScheduleNow(context, 'user-1', schedule.id, key);
    const first = await asked('one request');
    await world.db.updateTable('lead_processes').set({ status: 'completed' }).execute();
    const lists = async () =>
      (await world.db.selectFrom('lead_lists').select('id').execute()).length;
    const before = await lists();
    context = { ...context, adLibraries: {} };
    expect(await due(schedule)).toBe('failed');
    expect((await runsOf(schedule.id))[0]).toMatchObject({
      outcome: 'failed',
      reason: 'No ad library is configured',
      lead_process_id: null,
    });
    await expect(asked('another')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'No ad library is configured',
    });
    expect(await asked('one request')).toMatchObject({ id: first.id });
    expect(await lists()).toBe(before);
  });

  describe('that is a discovery without a list', () => {
    const order = { searchTerm: 'yoga mats', leadCount: 7, adReachedCountries: ['US'] };
    const job = { kind: 'lead_process', order } as const;
    /** The list of the run that is begun now; that run ends. */
    const listOfRun = async (schedule: { id: number; run_key: string }) => {
      expect(await due(schedule)).toBe('started');
      const [run] = await runsOf(schedule.id);
      const { lead_list_id } = await world.db
        .updateTable('lead_processes')
        .set({ status: 'completed' })
        .where('id', '=', run!.lead_process_id!)
        .returning('lead_list_id')
        .executeTakeFirstOrThrow();
      return lead_list_id;
    };

    it('fills one list with all of its runs, also after its order has changed', async () => {
      const schedule = await create(maps({ job }));
      const first = await listOfRun(schedule);
      expect(await listOfRun(schedule)).toBe(first);
      const named = await world.list();
      const subject = { userId: 'user-1', id: schedule.id };
      const change = (leadListId?: number) =>
        updateSchedule(context, subject, {
          job: { ...job, order: { ...order, leadCount: 9, leadListId } },
        });
      await change(named);
      expect(await listOfRun(schedule)).toBe(named);
      await change();
      expect(await listOfRun(schedule)).toBe(first);
      const lists = await world.db.selectFrom('lead_lists').select('name').execute();
      expect(lists.filter(({ name }) => name === 'yoga mats')).toHaveLength(1);
    });

    it('makes another list where its own is deleted, and none for another schedule', async () => {
      const schedule = await create(maps({ job }));
      const first = await listOfRun(schedule);
      await world.db
        .updateTable('lead_lists')
        .set({ deleted_at: new Date() })
        .where('id', '=', first)
        .execute();
      const second = await listOfRun(schedule);
      expect(second).not.toBe(first);
      expect(await listOfRun(schedule)).toBe(second);
      expect(await listOfRun(await create(maps({ job })))).not.toBe(second);
    });

    it('makes one list where two runs begin at once', async () => {
      const schedule = await create(maps({ job }));
      const outcomes = await Promise.all([due(schedule), due(schedule)]);
      expect(outcomes.toSorted()).toEqual(['skipped', 'started']);
      const lists = await world.db.selectFrom('lead_lists').selectAll().execute();
      expect(lists.filter(({ name }) => name === 'yoga mats')).toHaveLength(1);
    });
  });

  it('is a placement test where that was ordered, of each mailbox in turn', async () => {
    const { campaignId, mailboxIds } = await sender();
    const order = { campaignId, step: 0, minInboxPercent: 70, holdOnBadPlacement: true };
    const schedule = await create(maps({ job: { kind: 'placement_test', order } }));
    expect(await due(schedule, 'the same')).toBe('started');
    expect(await due(schedule, 'the same')).toBe('started');
    const [first] = await runsOf(schedule.id);
    expect(first).toMatchObject({ test_status: 'processing', verdict: null, maps_status: null });
    expect(await due(schedule)).toBe('skipped');
    await world.db
      .updateTable('placement_tests')
      .set({ status: 'completed' })
      .where('id', '=', first!.placement_test_id!)
      .execute();
    expect(await due(schedule)).toBe('started');
    const tests = world.db.selectFrom('placement_tests').selectAll().orderBy('id');
    const ordered = { campaign_id: campaignId, min_inbox_percent: 70, holds_campaign: true };
    expect(await tests.execute()).toMatchObject(
      mailboxIds.map((mailbox_id) => ({ ...ordered, mailbox_id })),
    );
    const messages = world.db.selectFrom('placement_messages').select(['address', 'state']);
    expect(await messages.execute()).toEqual(
      Array(2).fill({ address: 'seed@seeds.test', state: 'waiting' }),
    );
  });

  it('has failed, and says why, where its placement test has no seed', async () => {
    const { campaignId } = await sender({ seeds: [] });
    const order = { campaignId, step: 0, minInboxPercent: 80, holdOnBadPlacement: false };
    const schedule = await create(maps({ job: { kind: 'placement_test', order } }));
    expect(await due(schedule)).toBe('failed');
    expect(await runsOf(schedule.id)).toMatchObject([
      { outcome: 'failed', placement_test_id: null, reason: expect.stringContaining('seed') },
    ]);
  });

  it('has failed where five placement tests are at work, which takes none of the twenty an hour', async () => {
    const { campaignId } = await sender();
    const order = { campaignId, step: 0, minInboxPercent: 80, holdOnBadPlacement: false };
    const outcomes = [];
    for (let n = 0; n < 7; n += 1) {
      outcomes.push(await due(await create(maps({ job: { kind: 'placement_test', order } }))));
    }
    expect(outcomes).toEqual([...Array<string>(5).fill('started'), 'failed', 'failed']);
    const { rows } = await sql<{ used: number }>`
      select hour_used as used from rate_counters
      where subject like 'placement-test:%'`.execute(world.db);
    expect(rows).toEqual([{ used: 5 }]);
  });

  it('follows a change, and is nothing after the deletion, which drops its Schedule', async () => {
    const schedule = await create();
    const order = {
      search: searchOrder({ searchStrings: ['florist'] }),
      scrapeContacts: true,
      verifyEmails: false,
    };
    const job = { kind: 'maps_run', order } as const;
    await updateSchedule(context, { userId: 'user-1', id: schedule.id }, { job });
    await due(schedule);
    const run = await world.row((await runsOf(schedule.id))[0]!.maps_run_id!);
    expect(run).toMatchObject({ scrape_contacts: true, search: { searchStrings: ['florist'] } });
    await deleteSchedule(context, 'user-1', schedule.id);
    expect(await due(schedule)).toBe('gone');
    expect(dropped).toEqual([`${schedule.id} ${schedule.run_key}`]);
    expect(await runsOf(schedule.id)).toHaveLength(1);
  });

  it('is nothing for a row that got the id of a lost one after a restore', async () => {
    const schedule = await create();
    const lost = { id: schedule.id, run_key: 'of-the-lost-row' };
    expect(await due(lost)).toBe('gone');
    expect(await due({ id: 999, run_key: 'k' })).toBe('gone');
    expect(dropped).toEqual([`${schedule.id} of-the-lost-row`, '999 k']);
    expect(await runsOf(schedule.id)).toEqual([]);
  });
});
