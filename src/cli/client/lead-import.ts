/** `outreach leads import`: a CSV file into a list, with progress, and at the end which rows were refused and why. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import type { LeadImport } from '../../../clients/typescript/src/index.ts';
import { readRecord } from '../../domain/csv.ts';
import { positive } from '../arguments.ts';
import { reading, writing } from './files.ts';
import { printJson, printTable, type Io } from '../io.ts';
import { clientCommand } from './commands.ts';
import { withClient, withIdempotencyKey, type Client, type ClientOptions } from './connection.ts';
import { madeListId } from './lead-views.ts';
import { cut, plural, show } from './output.ts';
import { follow, withTimeout, wordsOf, type Progress } from './waiting.ts';

const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const;

interface Options extends ClientOptions {
  list?: string;
  listId?: number;
  delimiter?: (typeof DELIMITERS)[number];
  errors?: string;
  timeout: number;
}

/** More are in the file of --errors. */
const MOST_REFUSED_ROWS = 20;

export const importCommand = (io: Io): Command =>
  withTimeout(
    withIdempotencyKey(
      clientCommand(
        'import',
        'Imports a CSV file of people, and reports the rows that were refused.',
        {
          more: `The columns are found by their headers. People who are in the list already are found, not doubled. A list of the
name is made where there is none. Refused rows are no failure: correct them in the file of --errors and import that.`,
          examples: [
            "leads import people.csv --list 'Spring'",
            "leads import people.csv --list 'Spring' --errors refused.csv",
          ],
        },
      ),
    ),
  )
    .argument('<file>', 'at most 10 MB; the first row has the headers')
    .option('--list <name>', 'the list they go into')
    .option('--list-id <id>', 'the same, by its number', positive)
    .addOption(new Option('--delimiter <name>', 'default: it is found').choices(DELIMITERS))
    .option('--errors <file>', 'write the refused rows there')
    .action((file: string, options: Options) =>
      withClient(io, options, (client) => importFile(io, client, file, options)),
    );

async function importFile(io: Io, client: Client, file: string, options: Options): Promise<void> {
  const { outreach, once } = client;
  const body = await reading(file, readFile(file));
  const leadListId = await madeListId(client, options);
  const asked = { fileName: basename(file), leadListId, delimiter: options.delimiter };
  const input = { ...asked, body: new Uint8Array(body) };
  const started = await once((key) => outreach.leadImports.create(input, key));
  const ended = await follow(io, () => outreach.leadImports.read({ id: started.id }), progressOf, {
    timeout: options.timeout,
    again: `outreach operations list --resource lead_import`,
  });
  const errors =
    ended.failedRows === 0 ? '' : await outreach.leadImports.exportErrors({ id: ended.id });
  if (options.errors !== undefined && errors !== '') {
    await writing(options.errors, writeFile(options.errors, errors));
  }
  if (options.json) return printJson(io, ended);
  report(io, ended);
  reportRefused(io, ended, errors, options.errors);
}

const progressOf = (one: LeadImport): Progress => ({
  lines: [`${one.progressPercent} %: ${one.processedRows} of ${one.totalRows} rows`],
  isDone: one.status === 'completed',
  failure: ['failed', 'cancelled'].includes(one.status)
    ? `The import is ${one.status}. ${wordsOf(one.error, one.message)}`
    : undefined,
});

function report(io: Io, one: LeadImport): void {
  show(io, {}, one, [
    ['Import', one.id],
    ['List', one.leadListId],
    ['Rows', one.processedRows],
    ['New leads', one.importedLeads],
    ['Known', one.foundLeads],
    ['Companies', `${one.importedCompanies} new, ${one.foundCompanies} known`],
    ['Refused', one.failedRows],
    ['Left out', one.skippedItems - one.failedRows || undefined],
    ['Not read', one.ignoredColumns.join(', ') || undefined],
  ]);
}

/** Row, column and problem are the first three columns of the file. */
function reportRefused(io: Io, one: LeadImport, errors: string, savedAs?: string): void {
  if (errors === '') return;
  io.out('');
  const [, ...rows] = recordsOf(errors, MOST_REFUSED_ROWS + 1);
  const cells = rows.map(([row = '', column = '', problem = '', ...was]) => [
    row,
    column,
    problem,
    cut(was.filter((cell) => cell !== '').join(', '), 60),
  ]);
  printTable(io, ['ROW', 'COLUMN', 'PROBLEM', 'AS IT WAS'], cells, '');
  const more = one.failedRows - rows.length;
  if (more > 0) io.out(`And ${plural(more, 'more row')}.`);
  if (savedAs === undefined)
    io.err('--errors <file> writes them to a file that can be imported again.');
  else io.err(`Written: ${savedAs}`);
}

function recordsOf(text: string, most: number): string[][] {
  const records: string[][] = [];
  for (let at = 0; at < text.length && records.length < most;) {
    const { cells, end } = readRecord(text, at, ',');
    records.push(cells);
    at = end;
  }
  return records;
}
