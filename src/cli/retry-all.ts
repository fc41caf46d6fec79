/** `outreach ops retry-all`: one answer for all that a step, or a vendor, keeps waiting. Workflows: W8. */
import { Command, Option } from 'commander';
import { STEPS } from '../domain/operations.ts';
import { vendors } from '../providers/vendors.ts';
import { retryAll } from '../services/ops.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, type Io } from './io.ts';
import { atDesk, withDeskOptions, withWords, wordsOf, type DeskOptions } from './operator-desk.ts';

/** Whose refusals make operations wait. */
export const VENDORS = Object.keys({ ...vendors.registrars, ...vendors.vps });

/** A step that no flow has would look like one where nothing waits. */
export const stepOption = (description: string) =>
  new Option('--step <name>', description).choices(STEPS);

/** And so would a vendor that nobody has. */
export const providerOption = (description: string) =>
  new Option('--provider <name>', description).choices(VENDORS);

type Options = DeskOptions & { reason: string; actor: string; step?: string; provider?: string };

export const retryAllCommand = (io: Io): Command =>
  withWords(withDeskOptions(new Command('retry-all')))
    .description('Runs again what waits for a person at a step, or because of a vendor.')
    .addOption(stepOption('what waits at this step'))
    .addOption(providerOption('what this vendor has to do with, at whichever step'))
    .addHelpText(
      'after',
      `
One of --step and --provider is required; both together narrow it down. Undos that wait are run
again, too. Safe to repeat.
${EXIT_CODES}

Examples:
  $ outreach ops retry-all --provider namecom --reason 'the token is renewed'
  $ outreach ops retry-all --step server_create --reason 'there is capacity again'
  $ outreach ops retry-all --step server_create --provider hetzner --reason 'limit raised'`,
    )
    .action(async (options: Options) => {
      const { step, provider, json } = options;
      if (step === undefined && provider === undefined) {
        throw new CommandEnd(
          EXIT.usage,
          'Say what is to be run again: --step, --provider or both.',
        );
      }
      const told = (done: number, found: number) => {
        if (!json && (done === found || done % 25 === 0)) io.err(`${done} of ${found} signalled`);
      };
      const result = await atDesk(io, options, (desk) =>
        retryAll(desk, { step, provider }, wordsOf(options), told),
      );
      const { found, resumed, silent, gone } = result;
      const where = [...(step ? [`at ${step}`] : []), ...(provider ? [`by ${provider}`] : [])];
      if (json) printJson(io, result);
      else io.out(`${found} blocked ${where.join(' ')}: ${resumed.length} resumed.`);
      if (gone.length > 0) {
        io.err(`Their workflow is gone, reconcile undoes them: ${gone.join(', ')}`);
      }
      if (silent.length === 0) return;
      const message = `Not taken up yet (is a worker running?): ${silent.join(', ')}`;
      throw new CommandEnd(EXIT.unconfirmed, message);
    });
