/** Which commands change something of an account, and so leave entries in its audit log. */
import type { Command } from 'commander';
import { expect, it } from 'vitest';
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

it('knows every command', () => {
  const io = { out: () => undefined, err: () => undefined, environment: {} };
  const pathOf = (command: Command): string =>
    command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
  const leaves = withSubcommands(createProgram(io)).filter(({ commands }) => commands.length === 0);
  expect(leaves.map(pathOf).toSorted()).toEqual([...AUDITED, ...Object.keys(OTHERS)].toSorted());
  const whoSays = leaves.filter(({ options }) => options.some(({ long }) => long === '--actor'));
  expect(whoSays.map(pathOf).toSorted()).toEqual(AUDITED);
});
