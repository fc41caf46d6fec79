/** `outreach hosts`: lists mail hosts, and does one thing to all of them or to one. */
import { Argument, Command } from 'commander';
import { listHosts } from '../db/clusters/host-work.ts';
import type { ServerJob } from '../domain/clusters/server-flows.ts';
import { hostsBackupCommand } from './hosts-backup.ts';
import { hostsRebuildCommand } from './hosts-rebuild.ts';
import { workOnHosts } from './hosts-work.ts';
import { EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  positive,
  withConnectionOptions,
  withOperatorConnections,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & {
  actor: string;
  reason: string;
  wait: number;
  canary?: number;
  batch?: number;
};

export const hostsCommand = (io: Io): Command =>
  new Command('hosts')
    .description('Looks after mail hosts that are in use.')
    .addHelpText('after', '\nExample:\n  $ outreach hosts list')
    .addCommand(listCommand(io))
    .addCommand(hostsBackupCommand(io))
    .addCommand(hostsRebuildCommand(io))
    .addCommand(
      jobCommand(io, 'rotate-ssh-key', {
        description: 'Gives hosts another key by which we log in.',
        more: `The new key is put on the host and proven by a login before it is used; the old one is taken off a
quarter of an hour later.`,
        example: 'a worker was broken into',
      }),
    )
    .addCommand(
      jobCommand(io, 'upgrade', {
        description:
          'Brings the program of the release that the workers have to hosts with another one.',
        more: `The program sets the host up anew, and then the host has to be well: services, ports, disk, queue and certificate.`,
        example: 'version 0.2.0',
      }),
    );

const listCommand = (io: Io): Command =>
  withConnectionOptions(new Command('list'))
    .description('Lists the hosts that have a cluster which is up.')
    .addHelpText(
      'after',
      `\nWith --json also sshPublicKey, the public half of the key by which we log in.
${EXIT_CODES}\n\nExamples:\n  $ outreach hosts list --json | jq '.[].host'`,
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
        one.program ?? (one.askedAt === null ? 'not asked yet' : 'older'),
        one.troubles.join(', ') || 'none',
      ]);
      const columns = ['SERVER', 'HOST', 'ADDRESS', 'VENDOR', 'CLUSTERS', 'PROGRAM', 'TROUBLES'];
      printTable(io, columns, rows, 'No mail host is up.');
    });

function jobCommand(
  io: Io,
  job: Exclude<ServerJob, 'rebuild'>,
  words: { description: string; more: string; example: string },
): Command {
  return withWords(withConnectionOptions(new Command(job)))
    .description(words.description)
    .addArgument(
      new Argument('[id]', 'number of a server (default: all of them)').argParser(positive),
    )
    .option('--canary <id>', 'the server that is done first (default: the first one)', positive)
    .option('--batch <n>', 'how many at a time after the first one', positive)
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
      const { canary: canaryId, batch } = options;
      const input = {
        job,
        ...(serverId !== undefined && { serverId }),
        ...(canaryId !== undefined && { canaryId }),
        ...(batch !== undefined && { batch }),
        ...wordsOf(options),
      };
      await workOnHosts(io, options, input);
    });
}
