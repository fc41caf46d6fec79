/** `outreach clusters smarthost`: applies `SMARTHOST_URL` to running mail hosts. */
import { Argument, Command } from 'commander';
import { setSmarthost } from '../services/operations/ops-smarthost.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withOperatorConnections,
  positive,
  withConnectionOptions,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & { actor: string; reason: string };

export const smarthostCommand = (io: Io): Command =>
  withWords(withConnectionOptions(new Command('smarthost')))
    .description('Brings mail hosts to the SMARTHOST_URL of the workers, or away from one.')
    .addArgument(
      new Argument('[id]', 'number of a cluster: its host alone (default: all)').argParser(
        positive,
      ),
    )
    .addHelpText(
      'after',
      `
A worker does it, with its own SMARTHOST_URL: set that and restart the workers first. Hosts without
SMARTHOST_URL send directly again. It may be repeated; who did it and why stands in each cluster's log.
${EXIT_CODES}

Examples:
  $ outreach clusters smarthost 7 --reason 'the first one, to see whether messages leave'
  $ outreach clusters smarthost --reason 'the relay has a new password'`,
    )
    .action(async (clusterId: number | undefined, options: Options) => {
      const input = { ...(clusterId !== undefined && { clusterId }), ...wordsOf(options) };
      const { isDone, hosts } = await withOperatorConnections(io, options, (connections) =>
        setSmarthost(connections, input),
      );
      if (options.json) printJson(io, { isDone, hosts });
      else {
        printTable(
          io,
          ['SERVER', 'HOST', 'SENDS BY', 'ERROR'],
          hosts.map((one) => [one.serverId, one.host, one.sendsBy, one.error]),
          'No mail host is up.',
        );
      }
      if (!isDone) {
        throw new CommandEnd(EXIT.unconfirmed, 'It is still being done: is a worker running?');
      }
      const failed = hosts.filter(({ error }) => error !== null).length;
      if (failed > 0) {
        throw new CommandEnd(EXIT.attention, `${failed} of ${hosts.length} hosts were not set.`);
      }
    });
