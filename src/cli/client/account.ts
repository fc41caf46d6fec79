/** `outreach account`: who messages are from; a campaign needs it. */
import { Command, Option } from 'commander';
import type { Account } from '../../../clients/typescript/src/index.ts';
import { CommandEnd, EXIT, type Io } from '../io.ts';
import { clientCommand, clientGroup } from './commands.ts';
import { withClient, type ClientOptions } from './connection.ts';
import { show } from './output.ts';

export const accountCommand = (io: Io): Command =>
  clientGroup('account', 'Who messages are from: a campaign needs a name and an address.', [
    "account set --sender-name 'Ada King' --postal-address '1 Example Street, 10115 Berlin'",
  ])
    .addCommand(
      clientCommand('show', 'Shows the account.', { examples: ['account show'] }).action(
        (options: ClientOptions) =>
          withClient(io, options, async ({ outreach }) =>
            showAccount(io, options, await outreach.account.read()),
          ),
      ),
    )
    .addCommand(setCommand(io));

interface Changes {
  senderName?: string;
  postalAddress?: string;
  timezone?: string;
  languageModel?: 'on' | 'off';
}

const setCommand = (io: Io): Command =>
  clientCommand('set', 'Changes what is given; the rest stays.', {
    examples: ["account set --postal-address '1 Example Street, 10115 Berlin'"],
  })
    .option('--sender-name <name>', 'who messages are from')
    .option('--postal-address <text>', 'in the footer of messages')
    .option('--timezone <name>', 'such as Europe/Berlin')
    .addOption(
      new Option('--language-model <on|off>', 'whether one may judge answers').choices([
        'on',
        'off',
      ]),
    )
    .action((options: ClientOptions & Changes) => {
      const { senderName, postalAddress, timezone, languageModel } = options;
      const useLanguageModel = languageModel && languageModel === 'on';
      const body = { senderName, postalAddress, timezone, useLanguageModel };
      if (Object.values(body).every((value) => value === undefined)) {
        throw new CommandEnd(EXIT.usage, 'Say what to change: --help lists it.');
      }
      return withClient(io, options, async ({ outreach }) =>
        showAccount(io, options, await outreach.account.update({ body })),
      );
    });

const showAccount = (io: Io, options: ClientOptions, account: Account): void =>
  show(io, options, account, [
    ['Account', account.email],
    ['Mode', account.mode],
    ['Sender', account.senderName],
    ['Address', account.postalAddress],
    ['Time zone', account.timezone],
    ['Language model', account.useLanguageModel ? 'on' : 'off'],
  ]);
