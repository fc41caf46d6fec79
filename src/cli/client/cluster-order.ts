/** `outreach clusters create`: what it costs, a yes, one order. */
import { Command } from 'commander';
import type { Outreach } from '../../../clients/typescript/src/index.ts';
import { clusterPrice } from '../../domain/wallet/prices.ts';
import { positive } from '../arguments.ts';
import { CommandEnd, EXIT, type Io } from '../io.ts';
import { followCluster, showCluster } from './cluster-views.ts';
import { clientCommand, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type Client, type ClientOptions } from './connection.ts';
import { dollars } from './output.ts';
import { withWatch } from './waiting.ts';

interface Order extends ClientOptions {
  owned?: boolean;
  useExistingServer?: boolean;
  server?: number;
  yes?: boolean;
  watch?: boolean;
  timeout: number;
}

export const createCommand = (io: Io): Command =>
  withWatch(
    withYes(
      withIdempotencyKey(
        clientCommand('create', 'Buys a domain and rents its mail server, after a yes.', {
          more: `It says what this costs and asks. A part that fails is given back; a domain that was bought stays yours.
It is ordered once: where no answer comes, the same --idempotency-key makes sure of it.`,
          examples: [
            'clusters create my-company-mail.com --watch',
            'clusters create my-company-mail.com --owned --use-existing-server --yes --json',
          ],
        }),
      ),
    ),
  )
    .argument('<domain>', 'such as my-company-mail.com')
    .option('--owned', 'the account has the domain already: none is bought')
    .option('--use-existing-server', 'put it on a server of the account: none is rented')
    .option('--server <id>', 'with --use-existing-server: which one', positive)
    .action((domain: string, options: Order) =>
      withClient(io, options, (client) => order(io, client, domain, options)),
    );

async function order(io: Io, client: Client, domain: string, options: Order): Promise<void> {
  const { owned = false, useExistingServer: useExistingVps = false, server: serverId } = options;
  if (serverId !== undefined && !useExistingVps) {
    throw new CommandEnd(EXIT.usage, '--server needs --use-existing-server.');
  }
  await confirm(io, await quote(client, domain, options), options);
  const body = { domain, useExistingVps, serverId };
  const { clusters } = client.outreach;
  const made = owned
    ? await client.once((key) => clusters.createWithExistingDomain({ body }, key))
    : await client.once((key) => clusters.create({ body }, key));
  if (!options.watch) {
    showCluster(io, options, made);
    io.err(`It takes minutes: outreach clusters watch ${made.id}`);
    return;
  }
  io.err(`Cluster ${made.id} is ordered.`);
  showCluster(io, options, await followCluster(io, client, made.id, options.timeout));
}

/** Throws where it could not be bought anyway; a repeat may have been, which the API knows by its key. */
async function quote({ outreach, url }: Client, domain: string, order: Order): Promise<string> {
  const { owned, useExistingServer, idempotencyKey } = order;
  const price = clusterPrice({ domain: !owned, server: !useExistingServer });
  const isRepeat = idempotencyKey !== undefined;
  if (!owned && !isRepeat) await checkAvailable(outreach, domain);
  const { availableCents } = await outreach.wallet.read();
  if (availableCents < price.totalCents && !isRepeat) {
    const message = `INSUFFICIENT_BALANCE: it costs ${dollars(price.totalCents)}, the wallet has ${dollars(availableCents)}. \`outreach wallet fund\` opens a checkout page.`;
    throw new CommandEnd(EXIT.failed, message);
  }
  return [
    `At ${url}:`,
    owned ? `  ${domain} is yours` : `  buy ${domain}      ${dollars(price.domainCents)}`,
    useExistingServer
      ? '  use a server that you have'
      : `  rent a server      ${dollars(price.serverCents)}`,
    `It costs ${dollars(price.totalCents)} of the ${dollars(availableCents)} in the wallet. A domain is not given back.`,
    ...(isRepeat
      ? ['What was ordered with this --idempotency-key before is not ordered again.']
      : []),
  ].join('\n');
}

async function checkAvailable(outreach: Outreach, domain: string): Promise<void> {
  const [found] = await outreach.domains.check({ body: { domains: [domain] } });
  if (found?.available && !found.restricted) return;
  const message = found?.unknown
    ? 'UPSTREAM_UNAVAILABLE: the registrar does not say whether it can be bought: try again.'
    : `DOMAIN_UNAVAILABLE: ${domain} cannot be bought. \`outreach domains search <word>\` finds names; --owned is for one that you have.`;
  throw new CommandEnd(EXIT.failed, message);
}
