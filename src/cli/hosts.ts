/** `outreach hosts`: lists mail hosts, and does one thing to all of them or to one. */
import { Argument, Command } from 'commander';
import { listHosts } from '../db/clusters/host-work.ts';
import type { ServerJob } from '../domain/clusters/server-flows.ts';
import { tendHosts } from '../services/operations/ops-hosts.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  positive,
  withConnectionOptions,
  withOperatorConnections,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & { actor: string; reason: string; wait: number };

export const hostsCommand = (io: Io): Command =>
  new Command('hosts')
    .description('Looks after mail hosts that are in use.')
    .addHelpText('after', '\nExample:\n  $ outreach hosts list')
    .addCommand(listCommand(io))
    .addCommand(
      jobCommand(io, 'rotate-ssh-key', {
        description: 'Gives hosts another key by which we log in.',
        more: `The new key is put on the host and proven by a login before it is used; the old one is taken off a
quarter of an hour later.`,
        example: 'a worker was broken into',
      }),
    );

const listCommand = (io: Io): Command =>
  withConnectionOptions(new Command('list'))
    .description('Lists the hosts that have a cluster which is up.')
    .addHelpText(
      'after',
      `${EXIT_CODES}\n\nExamples:\n  $ outreach hosts list --json | jq '.[].host'`,
    )
    .action(async (options: ConnectionOptions) => {
      const hosts = await withOperatorConnections(io, options, ({ db }) => listHosts(db));
      if (options.json) return printJson(io, hosts);
      const rows = hosts.map((one) => [
        one.serverId,
        one.host,
        one.ipv4,
        one.provider,
        one.clusters,
      ]);
      printTable(
        io,
        ['SERVER', 'HOST', 'ADDRESS', 'VENDOR', 'CLUSTERS'],
        rows,
        'No mail host is up.',
      );
    });

function jobCommand(
  io: Io,
  job: ServerJob,
  words: { description: string; more: string; example: string },
): Command {
  return withWords(withConnectionOptions(new Command(job)))
    .description(words.description)
    .addArgument(
      new Argument('[id]', 'number of a server (default: all of them)').argParser(positive),
    )
    .option('--wait <seconds>', 'watch it for so long', positive, 3_600)
    .addHelpText(
      'after',
      `
${words.more}
Each host is an operation of its own. The first host is done alone; the first one that does not succeed ends it,
and the others stay as they are. It may be interrupted and run again: what is under way is waited for.
${EXIT_CODES}

Examples:
  $ outreach hosts ${job} 7 --reason 'the first one, to see whether it works'
  $ outreach hosts ${job} --reason '${words.example}'`,
    )
    .action(async (serverId: number | undefined, options: Options) => {
      const input = { job, ...(serverId !== undefined && { serverId }), ...wordsOf(options) };
      const { isDone, hosts } = await withOperatorConnections(io, options, (connections) =>
        tendHosts(connections, input, options.wait * 1_000),
      );
      if (options.json) printJson(io, { isDone, hosts });
      else {
        const rows = hosts.map((one) => [
          one.serverId,
          one.host,
          one.operationId,
          one.state,
          one.step,
          one.error,
        ]);
        const columns = ['SERVER', 'HOST', 'OPERATION', 'STATE', 'STEP', 'ERROR'];
        printTable(io, columns, rows, 'No host needs it.');
      }
      if (!isDone) throw new CommandEnd(EXIT.unconfirmed, 'It goes on: run it again to watch it.');
      const failed = hosts.find(({ state }) => state !== 'succeeded');
      if (!failed) return;
      const { host, operationId, state } = failed;
      const message = `Stopped at ${host}: operation ${operationId} is ${state} (outreach ops show ${operationId}).`;
      throw new CommandEnd(EXIT.attention, message);
    });
}
