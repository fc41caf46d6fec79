/** `outreach leads`: people who can be written to. */
import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { LEAD_STATUSES, type LeadStatus } from '../../domain/leads/leads.ts';
import { positive } from '../arguments.ts';
import { writing } from './files.ts';
import type { Io } from '../io.ts';
import { clientCommand, clientGroup, fileCommand } from './commands.ts';
import { withClient, type ClientOptions } from './connection.ts';
import { importCommand } from './lead-import.ts';
import {
  discoverCommand,
  importPlacesCommand,
  pauseCommand,
  resumeCommand,
  searchMapCommand,
} from './lead-searches.ts';
import { foundListId, leadTable } from './lead-views.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';

export const leadsCommand = (io: Io): Command =>
  clientGroup('leads', 'People who can be written to: files, searches, lists.', [
    "leads import people.csv --list 'Spring'",
    "leads list --list 'Spring'",
  ])
    .addCommand(importCommand(io))
    .addCommand(listCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(listsCommand(io))
    .addCommand(discoverCommand(io))
    .addCommand(pauseCommand(io))
    .addCommand(resumeCommand(io))
    .addCommand(searchMapCommand(io))
    .addCommand(importPlacesCommand(io));

interface Filters {
  list?: string;
  listId?: number;
  status?: LeadStatus;
  search?: string;
}

const withFilters = (command: Command): Command =>
  command
    .option('--list <name>', 'only those of this list')
    .option('--list-id <id>', 'the same, by its number', positive)
    .addOption(new Option('--status <status>', 'only those').choices(LEAD_STATUSES))
    .option('--search <text>', 'a part of a name, an address or a company');

const listCommand = (io: Io): Command =>
  withFilters(
    withListOptions(
      clientCommand('list', 'Lists leads, newest first.', {
        examples: ["leads list --list 'Spring' --status replied", 'leads list --all --json'],
      }),
    ),
  ).action((options: ListOptions & Filters) =>
    withClient(io, options, async ({ outreach }) => {
      const { status, search } = options;
      const leadListId = await foundListId(outreach, options);
      const filters = { status, search, ...(leadListId !== undefined && { leadListId }) };
      await showList(
        io,
        options,
        (page) => outreach.leads.list({ ...page, ...filters }),
        leadTable,
      );
    }),
  );

type ExportOptions = Omit<ClientOptions, 'json'> & Filters & { output?: string };

/** Spreadsheets take it for what it is; reading it as text has taken it off. */
const BYTE_ORDER_MARK = '\uFEFF';

const exportCommand = (io: Io): Command =>
  withFilters(
    fileCommand('export', 'Writes leads as a CSV file.', {
      more: 'It has no --json: what it writes is the file that the API gives.',
      examples: ["leads export --list 'Spring' --output spring.csv", 'leads export | wc -l'],
    }),
  )
    .option('--output <file>', 'write it there (default: stdout)')
    .action((options: ExportOptions) =>
      withClient(io, options, async ({ outreach }) => {
        const { status, search, output } = options;
        const leadListId = await foundListId(outreach, options);
        const filters = { status, search, ...(leadListId !== undefined && { leadListId }) };
        const file = await outreach.leads.export(filters);
        if (output === undefined) return io.out(file.trimEnd());
        await writing(output, writeFile(output, `${BYTE_ORDER_MARK}${file}`));
        io.err(`Written: ${output}`);
      }),
    );

const listsCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('lists', 'Lists the lead lists.', { examples: ['leads lists'] }),
  ).action((options: ListOptions) =>
    withClient(io, options, ({ outreach }) =>
      showList(io, options, (page) => outreach.leadLists.list(page), {
        columns: ['ID', 'NAME', 'COMPANIES', 'LEADS'],
        cells: (one) => [one.id, one.name, one.companiesCount, one.leadsCount],
        none: 'There are no lists.',
      }),
    ),
  );
