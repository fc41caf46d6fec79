/** `outreach hosts backup`: saves what is on mail hosts alone into sealed files. */
import { Argument, Command } from 'commander';
import { readHostSettings } from '../config.ts';
import { createCipher } from '../encryption/cipher.ts';
import { createStreamCipher } from '../encryption/stream-cipher.ts';
import { createHostBackups } from '../providers/host-backups/folder.ts';
import { createMailHost } from '../providers/mail-hosts/debian.ts';
import { backUpHosts } from '../services/operations/host-backups.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  positive,
  productSettings,
  withConnectionOptions,
  withOperatorConnections,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & { to?: string };

export const hostsBackupCommand = (io: Io): Command =>
  withConnectionOptions(new Command('backup'))
    .description('Saves the mail and the certificates of hosts into sealed files.')
    .addArgument(
      new Argument('[id]', 'number of a server (default: all of them)').argParser(positive),
    )
    .option('--to <folder>', 'where the files go (default: HOST_BACKUP_DIR)')
    .addHelpText(
      'after',
      `
It reads ENCRYPTION_KEYS, with whose first key the files are sealed; keep that key as long as they may be needed.
It logs in to each host while that goes on working. What a host has to deliver yet is not in it.
${EXIT_CODES}

Examples:
  $ outreach hosts backup
  $ outreach hosts backup 7 --to /mnt/backups`,
    )
    .action((serverId: number | undefined, options: Options) => backUp(io, serverId, options));

async function backUp(io: Io, serverId: number | undefined, options: Options): Promise<void> {
  const settings = readHostSettings(productSettings(io, options));
  const folder = options.to ?? settings.HOST_BACKUP_DIR;
  if (folder === undefined) {
    throw new CommandEnd(EXIT.refused, 'Name a folder by --to, or set HOST_BACKUP_DIR.');
  }
  const { ENCRYPTION_KEYS: keys, ACME_DIRECTORY_URL: acmeDirectoryUrl } = settings;
  const timeoutMs = settings.PROVIDER_TIMEOUT_SECONDS * 1_000;
  const tools = { timeoutMs, outboundProxy: settings.OUTBOUND_PROXY };
  const hosts = await withOperatorConnections(io, options, ({ db }) => {
    const context = {
      db,
      clock: { now: () => new Date() },
      cipher: createCipher(keys),
      mailHost: createMailHost({ acmeDirectoryUrl, tools }),
      hostBackups: createHostBackups({ folder, cipher: createStreamCipher(keys) }),
    };
    return backUpHosts(context, serverId, ({ host, backup, error }) => {
      if (!options.json) io.err(`${host}: ${backup ?? error}`);
    });
  });
  if (options.json) printJson(io, hosts);
  else {
    const rows = hosts.map((one) => [one.serverId, one.host, one.backup, one.error]);
    printTable(io, ['SERVER', 'HOST', 'BACKUP', 'ERROR'], rows, 'No mail host is up.');
  }
  const failed = hosts.filter(({ error }) => error !== null).length;
  if (failed === 0) return;
  throw new CommandEnd(EXIT.attention, `${failed} of ${hosts.length} hosts were not saved.`);
}
