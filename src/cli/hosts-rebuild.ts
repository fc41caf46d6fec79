/** `outreach hosts rebuild`: makes one mail host anew, on the same server and with the same address. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { isBackupName } from '../domain/clusters/host-backup.ts';
import { workOnHosts } from './hosts-work.ts';
import { EXIT_CODES, type Io } from './io.ts';
import {
  positive,
  withConnectionOptions,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & {
  actor: string;
  reason: string;
  wait: number;
  backup: string;
  again?: boolean;
};

export const hostsRebuildCommand = (io: Io): Command =>
  withWords(withConnectionOptions(new Command('rebuild')))
    .description('Wipes a host, and makes it what it was from our rows and a backup of its mail.')
    .addArgument(new Argument('<id>', 'number of a server').argParser(positive))
    .option(
      '--backup <which>',
      'fresh: one is made first; newest: of those in HOST_BACKUP_DIR; none; or the name of a file there',
      choiceOf,
      'fresh',
    )
    .option('--again', 'also where it was made anew within a day')
    .option('--wait <seconds>', 'watch it for so long', positive, 7_200)
    .addHelpText(
      'after',
      `
The vendor installs a new system on the same server, so that address and DNS stay. Nothing is sent from it meanwhile,
and whoever has mail for it tries again. Until the vendor has been asked it can be given up; after that it only goes
on: what fails waits for \`outreach ops resolve ID --action retry\`. It may be interrupted; run again, it watches. It is
refused where it has succeeded within a day: nothing is wiped twice by a repeated command.
A host that does not answer cannot be saved: take \`newest\`, whose mail is as old as the file, or \`none\`.
${EXIT_CODES}

Examples:
  $ outreach hosts rebuild 7 --reason 'a package is broken'
  $ outreach hosts rebuild 7 --backup newest --reason 'the disk is lost'`,
    )
    .action(async (serverId: number, options: Options) => {
      const { backup, again } = options;
      const wanted = { serverId, backup, ...(again && { again }), ...wordsOf(options) };
      await workOnHosts(io, options, { job: 'rebuild', ...wanted });
    });

function choiceOf(text: string): string {
  if (['fresh', 'newest', 'none'].includes(text) || isBackupName(text)) return text;
  throw new InvalidArgumentError('Not fresh, newest, none or the name of a backup.');
}
