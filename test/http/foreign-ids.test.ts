/**
 * Every field that takes the id of a row, and every id in a path behind the first, answers on somebody else's as on one
 * that does not exist, and does nothing. Where it refuses one it says which.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { noteChanges, startAuditedWorld, type AuditedWorld } from '../support/api/audited-world.ts';
import { idFieldsOf, titleOf, withId, type IdField } from '../support/api/id-fields.ts';
import { missingOf } from '../support/api/owned-resources.ts';
import {
  baseOf,
  changesOf,
  newOwner,
  ownRowOf,
  pathOf,
  rowOf,
  rowsOf,
  separateIds,
  type Owner,
} from '../support/api/referring-requests.ts';
import { wordsOf } from '../support/api/refusals.ts';
import { operationsOf } from '../support/api/request-fuzzer.ts';

const document = buildDocument();
const fields = idFieldsOf(operationsOf(document), document);

/** Two names of one field: errors have the other one. */
const ALIASES: Readonly<Record<string, string>> = { vpsId: 'serverId' };

/** Ids of nothing that an account has here. */
const NO_ROWS: Readonly<Record<string, string>> = {
  'mapsRuns.create body placeIds[]': 'of places, as the map names them',
  'schedules.create body mapsRun.placeIds[]': 'of places, as the map names them',
  'schedules.update body mapsRun.placeIds[]': 'of places, as the map names them',
  'wallet.verify body sessionId': 'of the payment processor, whose own tests have two accounts',
};

let world: AuditedWorld;
let owner: pg.Client;
let ann: Owner;
let bob: Owner;
let annsRows: string;
beforeAll(async () => {
  world = await startAuditedWorld();
  owner = new pg.Client({ connectionString: world.users.database.ownerUrl });
  await owner.connect();
  bob = await newOwner(world);
  await separateIds(owner);
  ann = await newOwner(world);
  await noteChanges(owner);
  annsRows = await rowsOf(world, ann.userId);
}, 180_000);
afterAll(async () => {
  await owner?.end();
  await world?.close();
});

/** Bob's request with that id. */
async function ask(field: IdField, id: number | string) {
  const { method } = field.operation;
  const base = await baseOf(field, bob, world);
  const named = await pathOf(field, bob, world);
  const path = {
    path: named.replace(`{${field.keys[0]}}`, String(id)),
    query: `${named}?${field.keys[0]}=${id}`,
    body: named,
  }[field.where];
  const sent = {
    path: { body: base as unknown },
    // A file has its fields beside it, in the query.
    query: { body: Object.values(base)[0] as unknown, headers: { 'content-type': 'text/csv' } },
    body: { body: withId(base, field.keys, id) as unknown },
  }[field.where];
  const before = (await changesOf(world)).length;
  const answer = await world.users.api.call(method, path, {
    token: bob.token,
    ...(method !== 'GET' && sent),
  });
  // Whoever changes records of their own domain holds its lease meanwhile, whether or not there is such a record.
  const changes = (await changesOf(world)).slice(before).filter((table) => table !== 'leases');
  const changed = [...new Set(changes)].toSorted();
  return { status: answer.status, told: answer.body, changed };
}

/** The same; the id itself is taken out of the answer. */
async function answerTo(field: IdField, id: number | string) {
  const { status, told, changed } = await ask(field, id);
  return { status, text: wordsOf(told, id), changed };
}

describe.each(fields.map((field) => ({ title: titleOf(field), field })))(
  '$title',
  ({ title, field }) => {
    it.skipIf(title in NO_ROWS)('is told apart by nobody', async () => {
      const foreign = await answerTo(field, rowOf(field, ann));
      const missing = await answerTo(field, missingOf(rowOf(field, ann)));
      expect(foreign).toEqual(missing);
      expect(foreign.changed).toEqual([]);
      // Which is so for the id alone: with one of their own the request is another one.
      const own = await answerTo(field, await ownRowOf(field, bob, world));
      expect(own).not.toEqual(missing);
    });

    // What a path names is in it for all to see.
    const isSeen = title in NO_ROWS || field.where === 'path';
    it.skipIf(isSeen)('is named with the id, where there is no such row', async () => {
      const id = missingOf(rowOf(field, ann));
      const { status, told } = await ask(field, id);
      const name = field.keys.filter((key) => key !== '[]').join('.');
      const message = expect.stringContaining(String(id));
      const problems = [{ field: ALIASES[name] ?? name, message }];
      expect({ status, problems: told.details }).toEqual({
        status,
        problems: status < 400 ? undefined : problems,
      });
    });
  },
);

it('is of every field of the document that has such a name or such numbers', () => {
  const titles = fields.map(titleOf);
  expect(titles.length).toBeGreaterThan(70);
  expect(titles).toContain('campaigns.create body startsOn.campaignId');
  expect(titles).toContain('campaigns.create body assignedMailboxes[]');
  expect(titles).toContain('inbox.downloadAttachment path attachmentId');
  expect(Object.keys(NO_ROWS).filter((title) => !titles.includes(title))).toEqual([]);
});

it('changed nothing of the other account', async () => {
  expect(await rowsOf(world, ann.userId)).toBe(annsRows);
});
