/** `outreach operations`: long work of the account. Operators answer it for all accounts with `outreach ops`. */
import { Command, Option } from 'commander';
import {
  isOutreachError,
  type Operation,
  type Outreach,
} from '../../../clients/typescript/src/index.ts';
import { CLIENT_STATES } from '../../domain/operations/client-operations.ts';
import { positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { clientCommand, clientGroup, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { cut, minute, plural, show } from './output.ts';
import { follow, withTimeout, wordsOf, type Progress } from './waiting.ts';

export const operationsCommand = (io: Io): Command =>
  clientGroup('operations', 'Long work of the account: how far it is, why it waits.', [
    'operations list --state blocked',
    'operations watch 17',
  ])
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(watchCommand(io))
    .addCommand(retryCommand(io))
    .addCommand(cancelCommand(io));

const RESOURCES = [
  'campaign',
  'cluster',
  'domain',
  'domain_renewal',
  'email_validation',
  'lead_import',
  'lead_list',
  'lead_process',
  'mailbox',
  'mailbox_import',
  'maps_import',
  'maps_run',
  'outgoing_message',
  'placement_test',
  'tracking_domain',
  'wallet_recharge',
  'warmup',
] as const;

interface Filters {
  state?: (typeof CLIENT_STATES)[number];
  resource?: (typeof RESOURCES)[number];
}

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists long work, newest first.', {
      examples: ['operations list --state blocked', 'operations list --resource lead_import'],
    }),
  )
    .addOption(new Option('--state <state>', 'only those').choices(CLIENT_STATES))
    .addOption(new Option('--resource <type>', 'only on such things').choices(RESOURCES))
    .action((options: ListOptions & Filters) =>
      withClient(io, options, ({ outreach }) => {
        const { state, resource: resourceType } = options;
        return showList(
          io,
          options,
          (page) => outreach.operations.list({ ...page, state, resourceType }),
          {
            columns: ['ID', 'RESOURCE', 'KIND', 'STATE', 'STEP', 'BEGUN', 'MESSAGE'],
            cells: (one) => [
              one.id,
              `${one.resource.type}/${one.resource.id}`,
              one.kind,
              one.state,
              one.step,
              minute(one.startedAt),
              cut(wordsOf(one.error, one.message || one.summary), 80),
            ],
            none: 'Nothing.',
          },
        );
      }),
    );

const operationCommand = (name: string, description: string, example: string): Command =>
  clientCommand(name, description, { examples: [example] }).argument(
    '<id>',
    'number of the operation',
    positive,
  );

const showCommand = (io: Io): Command =>
  operationCommand('show', 'Shows one of them.', 'operations show 17').action(
    (id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach }) =>
        showOperation(io, options, await outreach.operations.read({ id })),
      ),
  );

const watchCommand = (io: Io): Command =>
  withTimeout(
    operationCommand(
      'watch',
      'Shows its steps as they go, until it is over.',
      'operations watch 17',
    ),
  ).action((id: number, options: ClientOptions & { timeout: number }) =>
    withClient(io, options, async ({ outreach }) => {
      const again = `outreach operations watch ${id}`;
      const read = () => outreach.operations.read({ id });
      const { timeout } = options;
      showOperation(io, options, await follow(io, read, progressOf, { timeout, again }));
    }),
  );

const retryCommand = (io: Io): Command =>
  withYes(
    withIdempotencyKey(
      operationCommand(
        'retry',
        'Runs the step again at which it waits, after a yes.',
        'operations retry 17',
      ),
    ),
  ).action((id: number, options: ClientOptions & { yes?: boolean }) =>
    withClient(io, options, async ({ outreach, once, url }) => {
      const found = await outreach.operations.read({ id });
      // Who has said yes is told what the operation itself says.
      const leads = options.yes ? '' : await leadsInWords(outreach, found);
      await confirm(io, `At ${url}: ${retryInWords(found)}${leads}`, options);
      showOperation(io, options, await once((key) => outreach.operations.retry({ id }, key)));
    }),
  );

function retryInWords({ id, step, summary }: Operation): string {
  const at = step === null ? '' : ` at ${step}`;
  const left =
    'It buys and sends what is left of what was ordered, at the price of then, and nothing beyond it.';
  return `Goes on with operation ${id}${at}: ${summary}. ${left}`;
}

/** It goes on with what was agreed to when it was ordered; of a campaign that is how many leads. */
async function leadsInWords(outreach: Outreach, { resource }: Operation): Promise<string> {
  if (resource.type !== 'campaign') return '';
  try {
    const { name, stats } = await outreach.campaigns.read({ id: Number(resource.id) });
    return ` "${name}" has ${plural(stats.leads, 'lead')}.`;
  } catch (error) {
    // A key that may run operations again need not be one that may read campaigns.
    if (isOutreachError(error) && UNREADABLE.includes(error.status)) return '';
    throw error;
  }
}

const UNREADABLE: readonly number[] = [401, 403, 404];

const cancelCommand = (io: Io): Command =>
  withIdempotencyKey(
    operationCommand('cancel', 'Stops it, and undoes what can be undone.', 'operations cancel 17'),
  ).action((id: number, options: ClientOptions) =>
    withClient(io, options, async ({ outreach, once }) =>
      showOperation(io, options, await once((key) => outreach.operations.cancel({ id }, key))),
    ),
  );

const progressOf = ({ id, state, steps, message, error }: Operation): Progress => ({
  lines: [
    ...steps
      .filter((step) => step.state !== 'pending' && step.state !== 'skipped')
      .map((step) => `${step.name.padEnd(20)}  ${step.state}`),
    ...(state === 'blocked' ? [`It waits for a person: ${message}`] : []),
    ...(steps.length === 0 ? [message] : []),
  ],
  isDone: state === 'completed',
  failure:
    state === 'failed' ? `Operation ${id} has failed. ${wordsOf(error, message)}` : undefined,
});

const showOperation = (io: Io, options: ClientOptions, one: Operation): void =>
  show(io, options, one, [
    ['Operation', `${one.id}, ${one.kind}`],
    ['On', `${one.resource.type} ${one.resource.id}`],
    ['What', one.summary],
    ['State', one.state],
    ['Step', one.step ?? undefined],
    ['Now', one.message || undefined],
    ['Error', one.error ? wordsOf(one.error, '') : undefined],
    ['Possible', one.actions.join(', ') || undefined],
    ['Begun', minute(one.startedAt)],
    ['Over', minute(one.finishedAt)],
  ]);
