/**
 * Where each flow meets what goes wrong: the matrices, the simulation, or a test in which its worker dies. A flow that
 * has no place here does not compile, and one whose test is gone fails. docs/reliability.md tells the same.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLOWS, type FlowKind } from '../../src/domain/operations/flows.ts';
import { MATRIX_FLOWS } from '../support/provisioning/matrix-flows.ts';
import { root } from '../docs/documents.ts';

type Place =
  /** Its file: each activity of the flow meets each fault. */
  | { matrix: string }
  /** Its file: whole runs on a virtual clock, with processes that die. */
  | { simulation: string }
  /** A file, and the title of the test in which the worker dies. */
  | { deaths: readonly [file: string, title: string] };

const SAGAS = 'test/workflows/saga-matrix.test.ts';
const SHORT_FLOWS = 'test/workflows/flow-matrix.test.ts';

const PLACES = {
  buyDomain: { matrix: SHORT_FLOWS },
  connectMailbox: { matrix: SHORT_FLOWS },
  createMailbox: { matrix: SHORT_FLOWS },
  deleteMailbox: { matrix: SHORT_FLOWS },
  destroyCluster: { matrix: SHORT_FLOWS },
  provisionCluster: { matrix: SAGAS },
  rebuildServer: { matrix: SHORT_FLOWS },
  renewDomain: { matrix: SHORT_FLOWS },
  rotateCredentials: { matrix: SHORT_FLOWS },
  rotateServerKey: { matrix: SHORT_FLOWS },
  upgradeServer: { matrix: SHORT_FLOWS },

  runCampaign: { simulation: 'test/simulation/campaigns.test.ts' },

  deleteCustomField: {
    deaths: ['test/activities/custom-field-deletions.test.ts', 'a worker that dies'],
  },
  deleteLeadList: {
    deaths: [
      'test/db/big-list-deletion.test.ts',
      'go on where a worker died, and two workers at once do no harm',
    ],
  },
  discoverLeads: {
    deaths: [
      'test/activities/discovery.test.ts',
      'whose worker dies before the answer is recorded is not made again; the next finder is asked',
    ],
  },
  enrichWebsites: {
    deaths: [
      'test/activities/maps.test.ts',
      'killed in the middle is taken over; a late result is not counted twice',
    ],
  },
  importLeads: {
    deaths: [
      'test/activities/lead-imports.test.ts',
      'repeats a part that died before it was committed, and doubles nothing',
    ],
  },
  importMailboxes: { deaths: ['test/activities/mailbox-imports.test.ts', 'a worker that dies'] },
  importPlaces: {
    deaths: [
      'test/activities/maps-import.test.ts',
      'a crash between batches: a repeat goes on behind what is stored',
    ],
  },
  rechargeWallet: {
    deaths: [
      'test/activities/recharge-kills.test.ts',
      'in the charge is followed by one that charges once',
    ],
  },
  scrapeMaps: {
    deaths: [
      'test/activities/maps.test.ts',
      'whose start was killed after its effect is waited for, and adopted',
    ],
  },
  sendReply: {
    deaths: [
      'test/routes/scheduled-replies.test.ts',
      'is sent once though its process dies between its time and the text, and not after the text',
    ],
  },
  syncInbox: {
    deaths: [
      'test/activities/inbox-mishaps.test.ts',
      'that is killed in any transaction loses nothing and stores nothing twice',
    ],
  },
  tendTrackingDomain: {
    deaths: ['test/activities/tracking-domains.test.ts', 'a worker that dies'],
  },
  testPlacement: { deaths: ['test/activities/placement-tests.test.ts', 'a worker that dies'] },
  verifyEmails: {
    deaths: [
      'test/activities/email-validation.test.ts',
      'killed in the middle keeps what was stored; the repeat asks only about the rest',
    ],
  },
  warmUpMailbox: {
    deaths: [
      'test/activities/warmup.test.ts',
      'takes back what a dead attempt claimed, and never repeats what may be on the wire',
    ],
  },
} as const satisfies Record<FlowKind, Place>;

const KINDS = Object.keys(PLACES) as FlowKind[];
const placeOf = (kind: FlowKind): Place => PLACES[kind];
const fileOf = (place: Place): string =>
  'matrix' in place ? place.matrix : 'simulation' in place ? place.simulation : place.deaths[0];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('each flow', () => {
  it('has exactly one place where things go wrong in it', () => {
    expect(KINDS.toSorted()).toEqual(FLOWS.map(({ kind }) => kind).toSorted());
    for (const kind of KINDS) {
      expect([kind, Object.keys(placeOf(kind))]).toEqual([kind, [expect.any(String)]]);
    }
  });

  it('of the flow matrix has a row there, and no other has', () => {
    const rows = Object.values(MATRIX_FLOWS).map(({ kind }) => kind);
    const told = KINDS.filter((kind) => fileOf(placeOf(kind)) === SHORT_FLOWS);
    expect([...new Set<FlowKind>(rows)].toSorted()).toEqual(told.toSorted());
  });

  it('that has steps is in a matrix, and no job is', () => {
    const inMatrix = KINDS.filter((kind) => 'matrix' in placeOf(kind));
    const withSteps = FLOWS.filter((flow) => 'steps' in flow).map(({ kind }) => kind);
    // Its one step charges a card once, or looks whether it did: its own test kills it at each of its calls.
    expect(withSteps.toSorted()).toEqual([...inMatrix, 'rechargeWallet'].toSorted());
  });

  it.each(KINDS.filter((kind) => 'deaths' in placeOf(kind)))(
    '%s: the test of its deaths is there, and speaks of one',
    (kind) => {
      const [file, title] = (placeOf(kind) as Extract<Place, { deaths: unknown }>).deaths;
      const text = read(file);
      expect(text).toMatch(new RegExp(`\\b(it|describe)[^]{0,80}'${escaped(title)}'`));
      expect(`${file} ${title}`).toMatch(/\b(dead|dies|died|killed|kills|crash)/);
    },
  );

  it.each(KINDS)('%s: its test is one that runs, and docs/reliability.md names it', (kind) => {
    const file = fileOf(placeOf(kind));
    expect([file, existsSync(join(root, file)), file.endsWith('.test.ts')]).toEqual([
      file,
      true,
      true,
    ]);
    const told = 'deaths' in placeOf(kind) ? rowsOfDeaths().join('\n') : reliability;
    expect([file, told.includes(`\`${file}\``)]).toEqual([file, true]);
  });
});

const reliability = read('docs/reliability.md');

/** The table of jobs whose worker dies. */
function rowsOfDeaths(): string[] {
  const [, section = ''] = reliability.split('\n## Jobs whose worker dies\n');
  return section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
}

describe('docs/reliability.md', () => {
  it('has no job in its table of deaths that has none here', () => {
    const files = new Set<string>(KINDS.map((kind) => fileOf(placeOf(kind))));
    // No flow: what is due by a schedule is ordered by a workflow of its own.
    files.add('test/activities/schedule-deaths.test.ts');
    const told = rowsOfDeaths().map((row) => row.split('|')[2]!.trim().replaceAll('`', ''));
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((file) => !files.has(file))).toEqual([]);
  });
});

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
