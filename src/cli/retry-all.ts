/**
 * `outreach ops retry-all`: one answer for all operations blocked at a step, or by a vendor.
 * docs/workflow-rules.md#blocked-steps.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { STEPS } from '../domain/operations/operations.ts';
import {
  CLIENT_FAILURES,
  failureCode,
  OPERATOR_FAILURES,
  RETRYABLE_FAILURES,
} from '../domain/failures.ts';
import { VERIFIER_WAITS, type VerifierWait } from '../domain/email-validation/email-validation.ts';
import { vendors } from '../providers/vendors.ts';
import { wakeValidations } from '../services/email-validation/wake-validations.ts';
import { retryAll, type RetriedAll } from '../services/operations/ops.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withOperatorConnections,
  withConnectionOptions,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

/**
 * Whoever can refuse us, by the name in `outreach_vendor_calls_total` and in errors: vendors, the certificate authority,
 * and mail hosts.
 */
const VENDORS = [
  ...new Set([...Object.values(vendors).flatMap((each) => Object.keys(each)), 'acme', 'mail-host']),
];

/** Only known steps: an unknown one would look like a step without blocked operations. */
export const stepOption = (description: string) =>
  new Option('--step <name>', description).choices(STEPS);

/** Only known vendors, for the same reason. */
export const providerOption = (description: string) =>
  new Option('--provider <name>', description).choices(VENDORS);

/** Codes of errors that block, and what validations wait for. */
const CAUSES: readonly string[] = [
  ...[...OPERATOR_FAILURES, ...RETRYABLE_FAILURES, ...CLIENT_FAILURES].map(failureCode),
  ...['OutcomeUnknown', 'TimedOut', 'Unknown'].map(failureCode),
  ...VERIFIER_WAITS,
];

export const causeOption = (description: string) =>
  new Option('--cause <code>', description).choices(CAUSES);

/** What validations wait for of which this is the cure: a verifier of any kind may have it. */
function waitsCured({ step, provider, cause }: Options): VerifierWait[] {
  const isVerifier = provider === undefined || Object.hasOwn(vendors.emailVerifiers, provider);
  if (step !== undefined || !isVerifier) return [];
  return VERIFIER_WAITS.filter((one) => cause === undefined || one === cause);
}

interface Options extends ConnectionOptions {
  reason: string;
  actor: string;
  step?: string;
  provider?: string;
  cause?: string;
  wait: number;
}

export const retryAllCommand = (io: Io): Command =>
  withWords(withConnectionOptions(new Command('retry-all')))
    .description(
      'Runs again what waits for a person at a step, because of a vendor, or for a cause.',
    )
    .addOption(stepOption('what waits at this step'))
    .addOption(providerOption('what this vendor has to do with, at whichever step'))
    .addOption(causeOption('what has this error, or waits for this'))
    .option('--wait <seconds>', 'look so long whether they are blocked again', seconds, 5)
    .addHelpText(
      'after',
      `
One of --step, --provider and --cause is required; together they narrow it down. Undos that wait are
run again, too, and validations that wait for a verifier ask it at once. Safe to repeat. It ends with 5 when some are blocked again within --wait: the cause is
still there, and named.
${EXIT_CODES}

Examples:
  $ outreach ops retry-all --provider namecom --reason 'the token is renewed'
  $ outreach ops retry-all --step server_create --reason 'there is capacity again'
  $ outreach ops retry-all --step server_create --provider hetzner --reason 'limit raised'
  $ outreach ops retry-all --cause verifier_out_of_credits --reason 'there are credits again'`,
    )
    .action(async (options: Options) => {
      const { step, provider, cause, json, wait } = options;
      if (step === undefined && provider === undefined && cause === undefined) {
        throw new CommandEnd(
          EXIT.usage,
          'Say what is to be run again: --step, --provider or --cause.',
        );
      }
      const onProgress = (done: number, found: number) => {
        if (!json && (done === found || done % 25 === 0)) io.err(`${done} of ${found} signalled`);
      };
      const result = await withOperatorConnections(io, options, async (connections) => {
        const clock = { now: () => new Date() };
        const woken = await wakeValidations({ ...connections, clock }, waitsCured(options));
        const filter = { step, provider, cause };
        const look = { onProgress, lookSeconds: wait };
        return { ...(await retryAll(connections, filter, wordsOf(options), look)), woken };
      });
      if (json) printJson(io, result);
      else print(io, result);
      endWith(result);
    });

function print(io: Io, result: RetriedAll & { woken: readonly number[] }): void {
  const { step, provider, cause, found, resumed, skipped, blockedAgain, woken } = result;
  const where = [
    ...(step ? [`at ${step}`] : []),
    ...(provider ? [`by ${provider}`] : []),
    ...(cause ? [`with ${cause}`] : []),
  ];
  io.out(`${found} blocked ${where.join(' ')}: ${resumed.length} resumed.`);
  for (const { id, why } of skipped) io.out(`Skipped ${id}: ${why}.`);
  if (woken.length > 0) io.out(`Validations that ask their verifier now: ${woken.join(', ')}`);
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
