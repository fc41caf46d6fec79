/**
 * `outreach ops retry-all`: one answer for all operations blocked at a step, or by a vendor.
 * docs/workflow-rules.md#blocked-steps.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { STEPS } from '../domain/operations/operations.ts';
import { vendors } from '../providers/vendors.ts';
import { retryAll, type RetriedAll } from '../services/operations/ops.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withOperatorConnections,
  withConnectionOptions,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

/** Vendors whose refusals can block operations. */
export const VENDORS = Object.keys({ ...vendors.registrars, ...vendors.vps });

/** Only known steps: an unknown one would look like a step without blocked operations. */
export const stepOption = (description: string) =>
  new Option('--step <name>', description).choices(STEPS);

/** Only known vendors, for the same reason. */
export const providerOption = (description: string) =>
  new Option('--provider <name>', description).choices(VENDORS);

interface Options extends ConnectionOptions {
  reason: string;
  actor: string;
  step?: string;
  provider?: string;
  wait: number;
}

export const retryAllCommand = (io: Io): Command =>
  withWords(withConnectionOptions(new Command('retry-all')))
    .description('Runs again what waits for a person at a step, or because of a vendor.')
    .addOption(stepOption('what waits at this step'))
    .addOption(providerOption('what this vendor has to do with, at whichever step'))
    .option('--wait <seconds>', 'look so long whether they are blocked again', seconds, 5)
    .addHelpText(
      'after',
      `
One of --step and --provider is required; both together narrow it down. Undos that wait are run
again, too. Safe to repeat. It ends with 5 when some are blocked again within --wait: the cause is
still there, and named.
${EXIT_CODES}

Examples:
  $ outreach ops retry-all --provider namecom --reason 'the token is renewed'
  $ outreach ops retry-all --step server_create --reason 'there is capacity again'
  $ outreach ops retry-all --step server_create --provider hetzner --reason 'limit raised'`,
    )
    .action(async (options: Options) => {
      const { step, provider, json, wait } = options;
      if (step === undefined && provider === undefined) {
        throw new CommandEnd(
          EXIT.usage,
          'Say what is to be run again: --step, --provider or both.',
        );
      }
      const onProgress = (done: number, found: number) => {
        if (!json && (done === found || done % 25 === 0)) io.err(`${done} of ${found} signalled`);
      };
      const result = await withOperatorConnections(io, options, (connections) =>
        retryAll(connections, { step, provider }, wordsOf(options), {
          onProgress,
          lookSeconds: wait,
        }),
      );
      if (json) printJson(io, result);
      else print(io, result);
      endWith(result);
    });

function print(io: Io, result: RetriedAll): void {
  const { step, provider, found, resumed, skipped, blockedAgain } = result;
  const where = [...(step ? [`at ${step}`] : []), ...(provider ? [`by ${provider}`] : [])];
  io.out(`${found} blocked ${where.join(' ')}: ${resumed.length} resumed.`);
  for (const { id, why } of skipped) io.out(`Skipped ${id}: ${why}.`);
  if (blockedAgain.length === 0) return;
  io.out('Blocked again:');
  const rows = blockedAgain.map((one) => [
    one.id,
    one.step,
    `${one.errorCode ?? ''}: ${one.errorMessage ?? ''}`,
  ]);
  printTable(io, ['ID', 'STEP', 'ERROR'], rows, '');
}

/** What needs a person takes precedence over what only needs time; the message names both. */
function endWith({ resumed, silent, gone, blockedAgain }: RetriedAll): void {
  const words = [
    ...(blockedAgain.length > 0
      ? [`${blockedAgain.length} of ${resumed.length} resumed are blocked again.`]
      : []),
    ...(gone.length > 0
      ? [`Their workflow is gone, the reconciler takes care of them: ${gone.join(', ')}`]
      : []),
    ...(silent.length > 0 ? [`Not taken up yet (is a worker running?): ${silent.join(', ')}`] : []),
  ];
  if (words.length === 0) return;
  const needsPerson = blockedAgain.length > 0 || gone.length > 0;
  throw new CommandEnd(needsPerson ? EXIT.attention : EXIT.unconfirmed, words.join('\n'));
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 600) return number;
  throw new InvalidArgumentError('Not a whole number from 0 to 600.');
}
