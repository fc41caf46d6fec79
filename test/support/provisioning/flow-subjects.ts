/** The short flows: how each is asked for, and what must be true when it has ended. */
import { workflowIdOf } from '../../../src/domain/operations/run-keys.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverAccess } from '../../../activities/engine/access.ts';
import type { Context } from '../../../src/context.ts';
import { getCluster } from '../../../src/db/clusters/clusters.ts';
import { getMailbox, passwordBinding } from '../../../src/db/mailboxes/mailboxes.ts';
import { getServer } from '../../../src/db/clusters/servers.ts';
import { deleteCluster } from '../../../src/services/clusters/cluster-deletion.ts';
import { createClusterOnDomain } from '../../../src/services/clusters/clusters.ts';
import { renewDomain } from '../../../src/services/domains/domains-renewal.ts';
import { buyDomain } from '../../../src/services/domains/domains.ts';
import { deleteMailbox, rotatePassword } from '../../../src/services/mailboxes/mailbox-changes.ts';
import { connectMailbox } from '../../../src/services/mailboxes/mailbox-connections.ts';
import { createMailbox } from '../../../src/services/mailboxes/mailboxes.ts';
import type { FaultKind } from './fault-injector.ts';
import type { MatrixFlow } from './matrix-flows.ts';
import { patiently } from './matrix-scope.ts';
import { connectByOauthFlow, deleteConnectedFlow } from './oauth-subjects.ts';
import { ownDomain, type ProvisioningWorld } from './provisioning-world.ts';
import { rebuildFlow } from './rebuild-subject.ts';
import { loginKeyFlow, upgradeFlow } from './server-subjects.ts';
import { readVendorRecords } from './vendor-records.ts';
import { VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';

/** One request for a flow: its operation is known by its summary. */
export interface Subject {
  summary: string;
  /** Rejects where the flow fails. */
  ask: () => Promise<unknown>;
  /** Returns what is wrong afterwards. */
  check: (ended: Ended) => Promise<string[]>;
}

export interface Ended {
  state: string;
  kind: FaultKind;
  at: string;
  operationId: number;
}

export interface Flow {
  /** A teardown goes forward only: whatever fails waits for a person. */
  isTeardown: boolean;
  /** Steps of a teardown that wait for nobody: it goes on without them, and its log says so. */
  givenUp?: readonly string[];
  /** Steps behind the one that cannot be undone: what the client could cure waits for a person there. */
  pastPivot?: readonly string[];
  /** Once it is done nobody can give the flow up. */
  finalStep?: string;
  /** Activities that poll for longer than a fault lasts. */
  waits?: readonly string[];
  prepare(name: string, vendors: VendorPair): Promise<Subject>;
}

/** Prices of this world; by default both are 0. */
export const FLOW_ENVIRONMENT = {
  CRAWLER_ALLOW_BENCHMARK_RANGE: 'true',
  DOMAIN_DIRECT_PRICE_CENTS: '1600',
  DOMAIN_RENEWAL_PRICE_CENTS: '1500',
  // A failure that lasts is given up within seconds.
  RETRY_PACE: '0.002',
};
const PURCHASE_CENTS = 1_600;
const RENEWAL_CENTS = 1_500;
const FUNDS_CENTS = 10_000;
const POLL_MS = 300;
const MAILBOX_LIMIT_MS = 120_000;

/** Owns one active cluster, on which mailboxes are made and clusters are added. */
interface Landlord {
  userId: string;
  domain: string;
  clusterId: number;
}

/** Each flow at each pair of vendors, with a landlord for each pair. */
export async function createFlows(world: ProvisioningWorld): Promise<Record<MatrixFlow, Flow>> {
  const { context } = world;
  const { db } = context;
  const settled = VENDOR_PAIRS.map(async (vendors) => [vendors, await settle(vendors)] as const);
  const landlords = new Map<VendorPair, Landlord>(await Promise.all(settled));
  const books = () => readVendorRecords(world.sandbox);
  const ordersOf = async (domain: string, kind: 'register' | 'renew') =>
    (await books()).orders.filter((order) => order.domain === domain && order.kind === kind).length;

  async function settle(vendors: VendorPair): Promise<Landlord> {
    const userId = await world.fundedUser(FUNDS_CENTS * 100);
    const domain = `landlord-${vendors.vps}.com`;
    const { id } = await provision(world.at(vendors), userId, { domain, useExistingVps: false });
    return { userId, domain, clusterId: id };
  }

  async function provision(
    at: Context,
    userId: string,
    order: { domain: string; useExistingVps: boolean },
  ) {
    await ownDomain(at, userId, order.domain);
    const { id } = await createClusterOnDomain(at, userId, order);
    return { id, ...(await untilActive(id)) };
  }

  async function rent(name: string, vendors: VendorPair) {
    const at = world.at(vendors);
    const userId = await world.fundedUser(FUNDS_CENTS);
    const domain = `${name}.com`;
    const { id, serverId } = await provision(at, userId, { domain, useExistingVps: false });
    return { at, serverId, landlord: { userId, domain, clusterId: id } };
  }

  /** A server with a mailbox, and how often its one message is there. */
  async function rentWithMail(name: string, vendors: VendorPair) {
    const { at, serverId, landlord } = await rent(name, vendors);
    const { email, id } = await makeMailbox(landlord, 'ann');
    const { password } = await getMailbox(db, id);
    const opened = context.cipher.open(password!, passwordBinding(id));
    const login = { host: `mail.${landlord.domain}`, email, password: opened };
    const imap = await context.mailTransport.openImap(login);
    await imap.append('INBOX', Buffer.from('Subject: kept\r\n\r\nkept\r\n'), []);
    await imap.close();
    const messages = async (): Promise<number> => {
      const again = await context.mailTransport.openImap(login);
      const uids = await again.search('INBOX', { name: 'Subject', value: 'kept' });
      await again.close();
      return uids.length;
    };
    return { at, serverId, messages };
  }

  async function untilActive(id: number) {
    const { operation_id } = await getCluster(db, id);
    const operation = await db
      .selectFrom('operations')
      .select(['workflow_id', 'run_key'])
      .where('id', '=', operation_id!)
      .executeTakeFirstOrThrow();
    await context.temporal.workflow.getHandle(workflowIdOf(operation)).result();
    return { serverId: (await getCluster(db, id)).server_id! };
  }

  /** What was paid by this operation's hold; all of it is captured or released. */
  async function paidBy(operationId: number, wanted: number): Promise<string[]> {
    const hold = await db
      .selectFrom('holds')
      .innerJoin('operations', 'operations.hold_id', 'holds.id')
      .select(['amount_cents', 'captured_cents', 'released_cents'])
      .where('operations.id', '=', operationId)
      .executeTakeFirstOrThrow();
    const open = hold.amount_cents - hold.captured_cents - hold.released_cents;
    return [
      ...(open === 0 ? [] : [`${open} cents are still held`]),
      ...(hold.captured_cents === wanted ? [] : [`paid ${hold.captured_cents} of ${wanted}`]),
    ];
  }

  async function hostHas({ clusterId }: Landlord, email: string): Promise<boolean> {
    const { server_id } = await getCluster(db, clusterId);
    const server = await getServer(db, server_id!);
    return (await context.mailHost.status(serverAccess(context, server))).mailboxes.includes(email);
  }

  const makeMailbox = async ({ userId, clusterId, domain }: Landlord, name: string) => {
    const email = `${name}@${domain}`;
    const deadline = Date.now() + MAILBOX_LIMIT_MS;
    // A busy machine may take longer than a request waits, or than its database may.
    const failure = await createMailbox(context, userId, { clusterId, email }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const find = () =>
      db.selectFrom('mailboxes').selectAll().where('email', '=', email).executeTakeFirst();
    for (;;) {
      const row = await patiently(find, deadline);
      if (row?.status === 'active') return { email, id: row.id };
      if (!row || Date.now() > deadline) throw new Error(`no ${email}`, { cause: failure });
      await sleep(POLL_MS);
    }
  };

  const destruction = (useExistingVps: boolean): Flow => ({
    isTeardown: true,
    async prepare(name, vendors) {
      const domain = `${name}.com`;
      const userId = useExistingVps
        ? landlords.get(vendors)!.userId
        : await world.fundedUser(FUNDS_CENTS);
      const at = world.at(vendors);
      const { id, serverId } = await provision(at, userId, { domain, useExistingVps });
      const row = await getCluster(db, id);
      return {
        summary: `Delete ${row.name}`,
        ask: async () => {
          await deleteCluster(at, userId, id);
        },
        async check() {
          const { status } = await getCluster(db, id);
          const server = await getServer(db, serverId);
          const sold = await books();
          const records = sold.records.filter((one) => one.domain === domain);
          const isAlive = sold.servers.some((one) => one.name === server.intent_name);
          return [
            ...(server.provider === vendors.vps ? [] : [`the server was at ${server.provider}`]),
            ...(status === 'deleted' ? [] : [`the cluster is ${status}`]),
            ...(isAlive === useExistingVps ? [] : [`the server is ${isAlive ? '' : 'not '}alive`]),
            ...records.map(({ type, name: host }) => `${type} ${host} is left`),
            ...((await ordersOf(domain, 'register')) === 1 ? [] : ['not bought once']),
          ];
        },
      };
    },
  });

  return {
    'buy a domain': {
      isTeardown: false,
      async prepare(name, vendors) {
        const domain = `${name}.com`;
        const userId = await world.fundedUser(FUNDS_CENTS);
        return {
          summary: `Buy ${domain}`,
          ask: () => buyDomain(world.at(vendors), userId, { domain }),
          async check({ state, kind, at, operationId }) {
            const isBought = state === 'succeeded' || wentThrough(kind, at, 'register');
            const bought = await ordersOf(domain, 'register');
            const rows = await db
              .selectFrom('domains')
              .select(['status', 'provider'])
              .where('name', '=', domain)
              .execute();
            const status = rows.map((row) => row.status).join();
            const elsewhere = rows.filter(({ provider }) => provider !== vendors.registrar);
            return [
              ...elsewhere.map(({ provider }) => `the domain is at ${provider}`),
              ...(bought === Number(isBought) ? [] : [`bought ${bought} times`]),
              ...(status === (isBought ? 'active' : 'failed') ? [] : [`the domain is ${status}`]),
              ...(await paidBy(operationId, isBought ? PURCHASE_CENTS : 0)),
            ];
          },
        };
      },
    },
    'renew a domain': {
      isTeardown: false,
      async prepare(name, vendors) {
        const domain = `${name}.com`;
        const userId = await world.fundedUser(FUNDS_CENTS);
        const at = world.at(vendors);
        const row = await ownDomain(at, userId, domain);
        return {
          summary: `Renew ${domain}`,
          ask: () => renewDomain(at, userId, row.id),
          async check({ state, kind, at, operationId }) {
            const isRenewed = state === 'succeeded' || wentThrough(kind, at, 'renew');
            const renewed = await ordersOf(domain, 'renew');
            return [
              ...(renewed === Number(isRenewed) ? [] : [`renewed ${renewed} times`]),
              ...(await paidBy(operationId, isRenewed ? RENEWAL_CENTS : 0)),
            ];
          },
        };
      },
    },
    'make a mailbox': {
      isTeardown: false,
      async prepare(name, vendors) {
        const landlord = landlords.get(vendors)!;
        const { userId, clusterId } = landlord;
        const email = `${name}@${landlord.domain}`;
        return {
          summary: `Make ${email}`,
          ask: () => createMailbox(world.at(vendors), userId, { clusterId, email }),
          async check({ state }) {
            const { status } = await db
              .selectFrom('mailboxes')
              .select('status')
              .where('email', '=', email)
              .executeTakeFirstOrThrow();
            const wanted = state === 'succeeded' ? 'active' : 'failed';
            const isThere = await hostHas(landlord, email);
            return [
              ...(status === wanted ? [] : [`the mailbox is ${status}`]),
              ...(isThere === (status === 'active') ? [] : ['host and row differ']),
            ];
          },
        };
      },
    },
    'change a password': {
      isTeardown: false,
      async prepare(name, vendors) {
        const landlord = landlords.get(vendors)!;
        const { userId } = landlord;
        const { email, id } = await makeMailbox(landlord, name);
        const wanted = `new-password-of-${name}`;
        return {
          summary: `Change the login of ${email}`,
          ask: () => rotatePassword(world.at(vendors), { userId, id }, { password: wanted }),
          async check({ state }) {
            const row = await getMailbox(db, id);
            const password = context.cipher.open(row.password!, passwordBinding(id));
            const login = { host: `mail.${landlord.domain}`, email, password };
            const isIn = await context.mailTransport.checkImap(login).then(
              () => true,
              () => false,
            );
            return [
              ...(isIn ? [] : ['the password in the row is not that of the host']),
              ...(row.next_password === null ? [] : ['a password is still on its way']),
              ...(state !== 'succeeded' || password === wanted ? [] : ['it is the old password']),
            ];
          },
        };
      },
    },
    'connect a mailbox': {
      isTeardown: false,
      waits: ['mailbox_read'],
      async prepare(name, vendors) {
        const landlord = landlords.get(vendors)!;
        const { email, id } = await makeMailbox(landlord, name);
        // From here on its host has it, and the product does not know.
        const { password } = await getMailbox(db, id);
        const opened = context.cipher.open(password!, passwordBinding(id));
        await db.updateTable('mailboxes').set({ status: 'deleted' }).where('id', '=', id).execute();
        const host = `mail.${landlord.domain}`;
        const servers = {
          username: email,
          smtp: { host, port: 465, tls: 'tls' as const },
          imap: { host, port: 993, tls: 'tls' as const },
        };
        const own = { preset: null, senderName: null, dailyLimit: null };
        const order = { email, password: opened, servers, ...own };
        return {
          summary: `Connect ${email}`,
          ask: () => connectMailbox(world.at(vendors), landlord.userId, order),
          async check({ state }) {
            const row = await db
              .selectFrom('mailboxes')
              .innerJoin('connected_mailboxes as own', 'own.mailbox_id', 'mailboxes.id')
              .select(['status', 'next_password', 'own.proof_id', 'own.proven_at'])
              .where('email', '=', email)
              .executeTakeFirstOrThrow();
            const wanted = state === 'succeeded' ? 'active' : 'failed';
            return [
              ...(row.status === wanted ? [] : [`the mailbox is ${row.status}`]),
              ...((row.proven_at !== null) === (wanted === 'active') ? [] : ['proven or not']),
              ...(row.proof_id === null ? [] : ['a proof is still under way']),
            ];
          },
        };
      },
    },
    'delete a mailbox': {
      isTeardown: true,
      async prepare(name, vendors) {
        const landlord = landlords.get(vendors)!;
        const { userId } = landlord;
        const { email, id } = await makeMailbox(landlord, name);
        return {
          summary: `Delete ${email}`,
          ask: () => deleteMailbox(world.at(vendors), { userId, id }),
          async check() {
            const { status } = await getMailbox(db, id);
            return [
              ...(status === 'deleted' ? [] : [`the mailbox is ${status}`]),
              ...((await hostHas(landlord, email)) ? ['it is still on its host'] : []),
            ];
          },
        };
      },
    },
    'connect a mailbox by OAuth': connectByOauthFlow(world),
    'delete a connected mailbox': deleteConnectedFlow(world),
    'change a login key': loginKeyFlow(context, rent),
    'upgrade a host': upgradeFlow(context, rent),
    'rebuild a host': rebuildFlow(world, rentWithMail),
    'delete a cluster': destruction(true),
    'delete a cluster and its server': destruction(false),
  };
}

/** A purchase cannot be undone: when it is cancelled while it runs, it has succeeded. */
const wentThrough = (kind: FaultKind, at: string, call: string): boolean =>
  kind === 'cancelled' && at.endsWith(`.${call}`);
