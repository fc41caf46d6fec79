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
    .option('--wait <seconds>', 'watch it for so long', positive, 7_200)
    .addHelpText(
      'after',
      `
The vendor installs a new system on the same server, so that address and DNS stay. Nothing is sent from it meanwhile,
and whoever has mail for it tries again. Until the vendor has been asked it can be given up; after that it only goes
on: what fails waits for \`outreach ops resolve ID --action retry\`. It may be interrupted and run again.
A host that does not answer cannot be saved: take \`newest\`, whose mail is as old as the file, or \`none\`.
Once a rebuild is over, the same command makes the host anew once more; \`newest\` is refused then where the file is
older than that rebuild: name the file if the mail that came since is to be lost.
${EXIT_CODES}

Examples:
  $ outreach hosts rebuild 7 --reason 'a package is broken'
  $ outreach hosts rebuild 7 --backup newest --reason 'the disk is lost'`,
    )
    .action(async (serverId: number, options: Options) => {
      const { backup } = options;
      await workOnHosts(io, options, { job: 'rebuild', serverId, backup, ...wordsOf(options) });
    });

function choiceOf(text: string): string {
  if (['fresh', 'newest', 'none'].includes(text) || isBackupName(text)) return text;
  throw new InvalidArgumentError('Not fresh, newest, none or the name of a backup.');
}
