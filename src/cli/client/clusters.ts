/** `outreach clusters`: domains with a mail server. `watch`, which operators have as well, is in src/cli/clusters.ts. */
import { Command, Option } from 'commander';
import { positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { createCommand } from './cluster-order.ts';
import { clusterTable, showCluster } from './cluster-views.ts';
import { CLIENTS, clientCommand, clientGroup, confirm, withYes } from './commands.ts';
import { withClient, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';

const STATUSES = ['provisioning', 'active', 'suspended', 'failed', 'deleting', 'deleted'] as const;

export const clustersCommand = (io: Io): Command =>
  clientGroup('clusters', 'Clusters: a domain with a mail server for it.', [
    'clusters create my-company-mail.com --watch',
    'clusters watch 7',
  ])
    .commandsGroup(CLIENTS)
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(deleteCommand(io));

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists the clusters, newest first.', {
      examples: ['clusters list', "clusters list --json | jq '.[].domain'"],
    }),
  )
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .action((options: ListOptions & { status?: (typeof STATUSES)[number] }) =>
      withClient(io, options, ({ outreach }) =>
        showList(
          io,
          options,
          (page) => outreach.clusters.list({ ...page, status: options.status }),
          clusterTable,
        ),
      ),
    );

const showCommand = (io: Io): Command =>
  clientCommand('show', 'Shows a cluster, and how far it is.', { examples: ['clusters show 7'] })
    .argument('<id>', 'number of the cluster', positive)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach }) =>
        showCluster(io, options, await outreach.clusters.read({ id })),
      ),
    );

const deleteCommand = (io: Io): Command =>
  withYes(
    clientCommand('delete', 'Deletes a cluster with its mailboxes and its server, after a yes.', {
      more: 'The mail in its mailboxes is gone with it. The domain stays yours.',
      examples: ['clusters delete 7', 'clusters delete 7 --yes'],
    }),
  )
    .argument('<id>', 'number of the cluster', positive)
    .action((id: number, options: ClientOptions & { yes?: boolean }) =>
      withClient(io, options, async ({ outreach, url }) => {
        const { domain, mailboxesCount } = await outreach.clusters.read({ id });
        await confirm(
          io,
          `Deletes cluster ${id} (${domain}) at ${url}: ${mailboxesCount} mailboxes, with their mail.`,
          options,
        );
        showCluster(io, options, await outreach.clusters.delete({ id }));
      }),
    );
