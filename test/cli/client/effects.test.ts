/** What commands of clients can do at the API: whatever spends, sends or deletes asks first, and takes `--yes`. */
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { addClientCommands } from '../../../src/cli/client/index.ts';
import { withSubcommands } from '../../../src/cli/program.ts';
import { declaredCommands, type DeclaredCommands } from '../../support/cli/declared-commands.ts';
import { readEffectSources } from '../../support/sources/effect-sources.ts';

/** `writes`: of the account's own, free, and seen by nobody outside. `asks`: changes nothing. */
type Effect = 'spends' | 'sends' | 'deletes' | 'writes' | 'asks';

/** Every operation of the API, other than a GET, that a command can call. A new one is placed here by who adds it. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'clusters.create': 'spends',
  'clusters.createWithExistingDomain': 'spends',
  'leadProcesses.create': 'spends',
  'leadProcesses.resume': 'spends',
  'mapsRuns.create': 'spends',
  // Whatever is blocked goes on: orders, and campaigns.
  'operations.retry': 'spends',
  'campaigns.resume': 'sends',
  'campaigns.sendTestEmail': 'sends',
  'campaigns.start': 'sends',
  'inbox.reply': 'sends',
  'placementTests.create': 'sends',
  'clusters.delete': 'deletes',
  'campaigns.preview': 'asks',
  'domains.check': 'asks',
  'domains.suggest': 'asks',
  'account.update': 'writes',
  'campaigns.create': 'writes',
  'campaigns.pause': 'writes',
  'inbox.cancel': 'writes',
  'leadImports.create': 'writes',
  'leadLists.create': 'writes',
  'leadProcesses.pause': 'writes',
  // The proof of a mailbox is a message to itself.
  'mailboxImports.create': 'writes',
  'mailboxes.connect': 'writes',
  'mailboxes.connectByOauth': 'writes',
  'mailboxes.createMany': 'writes',
  'mapsRuns.importToLeadList': 'writes',
  'operations.cancel': 'writes',
  'placementTests.cancel': 'writes',
  'trackingDomains.check': 'writes',
  'trackingDomains.create': 'writes',
  'wallet.fund': 'writes',
  'wallet.verify': 'writes',
};

const NEEDS_YES: readonly (Effect | undefined)[] = ['spends', 'sends', 'deletes'];
const asked = (operationIds: readonly string[]) =>
  operationIds.filter((id) => NEEDS_YES.includes(EFFECTS[id]));

let declared: DeclaredCommands;
let writing: Set<string>;

beforeAll(async () => {
  const sources = await readEffectSources('src/cli/client');
  declared = declaredCommands(sources.files, sources.operationIds);
  writing = sources.writing;
});

describe('what commands of clients call', () => {
  it('is read of all of them', () => {
    const program = new Command('clients');
    addClientCommands(program, { out: () => {}, err: () => {}, environment: {} });
    const leaves = withSubcommands(program).filter(({ commands }) => commands.length === 0);
    const words = leaves.map((leaf) => leaf.name());
    expect(declared.words.toSorted()).toEqual(words.toSorted());
    const byCommands = declared.commands.flatMap(({ before, confirmed }) => [
      ...before,
      ...confirmed,
    ]);
    expect([...new Set(byCommands)].toSorted()).toEqual(declared.called);
  });

  it('has its place in the table, whatever is no GET', () => {
    const called = declared.called.filter((id) => writing.has(id));
    expect(Object.keys(EFFECTS).toSorted()).toEqual(called);
  });

  it('spends, sends and deletes only behind a yes', () => {
    const early = declared.commands.map(({ name, before }) => [name, asked(before)]);
    expect(early.filter(([, ids]) => ids!.length > 0)).toEqual([]);
  });

  it('takes --yes of scripts there, and nowhere else', () => {
    const withYes = declared.commands.filter(({ hasYes }) => hasYes);
    const asking = declared.commands.filter(({ confirmed }) => asked(confirmed).length > 0);
    expect(withYes.map(({ name }) => name)).toEqual(asking.map(({ name }) => name));
    expect(asking.length).toBeGreaterThan(8);
  });
});

describe('the reading of the sources', () => {
  const ids = ['things.buy', 'things.read', 'things.stop'];
  const of = (text: string) => declaredCommands([{ path: 'src/cli/client/a.ts', text }], ids);

  it('tells what stands before a question from what stands behind it, in helpers, too', () => {
    const { commands, words, called } = of(`
const buyCommand = (io: Io): Command =>
  withYes(clientCommand('buy', 'Buys.')).action(() => order(io));
async function order(io: Io): Promise<void> {
  await confirm(io, await plan(outreach), options);
  await bought(outreach);
}
const plan = (outreach: Outreach) => outreach.things.read({});
const bought = (outreach: Outreach) => outreach.things.buy({});
`);
    expect(words).toEqual(['buy']);
    expect(called).toEqual(['things.buy', 'things.read']);
    expect(commands).toEqual([
      {
        name: 'src/cli/client/a.ts buyCommand',
        before: ['things.read'],
        confirmed: ['things.buy'],
        hasYes: true,
      },
    ]);
  });

  it('finds what needs no yes, and refuses two commands in one place', () => {
    const stop = `clientCommand('stop', 'Stops.').action(() => outreach.things.stop({}))`;
    const { commands } = of(`const stopCommand = (io: Io): Command =>\n  ${stop};\n`);
    expect(commands).toMatchObject([{ before: ['things.stop'], confirmed: [], hasYes: false }]);
    expect(() => of(`const both = () =>\n  [${stop}, ${stop}];\n`)).toThrow(
      'one command at a time',
    );
  });
});
