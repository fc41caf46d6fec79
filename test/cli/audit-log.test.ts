/** Which commands change something of an account, and so leave entries in its audit log. */
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addClientCommands } from '../../src/cli/client/index.ts';
import { createProgram, withSubcommands } from '../../src/cli/program.ts';

/** Tried in test/db/audit-log.test.ts and, with hosts, in test/cli/hosts-rebuild.test.ts. */
const AUDITED = [
  'clusters smarthost',
  'hosts rebuild',
  'hosts rotate-ssh-key',
  'hosts upgrade',
  'ops resolve',
  'ops retry-all',
  'reconcile',
  'wallet adjust',
];

/** The others, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  'clusters watch': 'reads',
  completion: 'prints a script',
  doctor: 'asks vendors; its orders are of no account',
  'hosts backup': 'reads hosts',
  'hosts list': 'reads',
  'keys rotate': 'encrypts what is at rest anew: an account sees no change',
  mcp: 'is a client of the API, whose requests have entries',
  migrate: 'changes the schema of all',
  'ops list': 'reads',
  'ops show': 'reads',
  replay: 'reads histories',
  shards: 'reads',
  token: 'signs a token; what is done with it has entries',
  'wallet audit': 'reads',
};

it('knows every command of operators; those of clients are requests, which have entries', async () => {
  const io = { out: () => undefined, err: () => undefined, environment: {} };
  const pathOf = (command: Command): string =>
    command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
  const leavesOf = (program: Command) =>
    withSubcommands(program).filter(({ commands }) => commands.length === 0);
  const clients = new Command('clients');
  addClientCommands(clients, io);
  const known = [...AUDITED, ...Object.keys(OTHERS)];
  const ofClients = new Set(
    leavesOf(clients)
      .map(pathOf)
      .filter((path) => !known.includes(path)),
  );
  const leaves = leavesOf(await createProgram(io, [])).filter(
    (each) => !ofClients.has(pathOf(each)),
  );
  expect(leaves.map(pathOf).toSorted()).toEqual(known.toSorted());
  const whoSays = leaves.filter(({ options }) => options.some(({ long }) => long === '--actor'));
  expect(whoSays.map(pathOf).toSorted()).toEqual(AUDITED);
});
