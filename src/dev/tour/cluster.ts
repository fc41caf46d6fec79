/** Step: a domain is bought, a server rented, a mail host installed, DNS written and verified. */
import { waitForCluster, type Cluster } from '../../../clients/typescript/src/index.ts';
import { api, control } from './client.ts';
import { check, dollars, type Tour, type TourStep } from './tour.ts';
import { readWallet } from './wallet.ts';

/** Spec: Limits. New domain and new server. */
const priceCents = 4_100;

interface Records {
  registrars: { namecom: { orders: { domain: string; amountCents: number }[] } };
  vps: Record<'hetzner' | 'vultr', { servers: { deletedAt: string | null }[] }>;
}

export const provisionCluster: TourStep = {
  title: 'Buy a domain and provision a mail cluster',
  async run(tour) {
    const started = Date.now();
    const [wallet, serversBefore] = [await readWallet(tour), (await readRecords(tour)).servers];
    const body = { domain: tour.domain };
    const created = await api(tour).clusters.create({ body });
    check(created.status === 'provisioning', `status provisioning, not ${created.status}`);
    const cluster = await active(tour, created.id);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);

    const { orders, servers } = await readRecords(tour);
    const spent = wallet.balanceCents - (await readWallet(tour)).balanceCents;
    check(spent === priceCents, `${dollars(priceCents)} spent, it was ${dollars(spent)}`);
    check(orders.length === 1, `one order at the registrar, there are ${orders.length}`);
    const rented = servers.length - serversBefore.length;
    check(rented === 1, `one new server, there are ${rented}`);
    check(cluster.mailServer, 'an active cluster to name its mail server');
    tour.cluster = { id: cluster.id, mailHost: cluster.mailServer.host };
    return (
      `Cluster ${cluster.id} on ${tour.domain} (${cluster.ipAddress}) active after ${seconds} s; ` +
      `${dollars(spent)} charged, one domain and one server in the vendors' books`
    );
  },
};

/** Seconds where servers are simulated; booting and installing a real one takes minutes. */
const PACE = { timeLimitSeconds: 600, pollSeconds: 1.2 };

const active = (tour: Tour, id: number): Promise<Cluster> =>
  waitForCluster(
    api(tour),
    { id },
    {
      ...PACE,
      onProgress: ({ provisioning }) => {
        const { state, message, completedSteps, totalSteps, error } = provisioning;
        tour.say(`${completedSteps}/${totalSteps} ${message || 'Waiting for the worker'}`);
        check(state !== 'blocked', `no step to wait for a person: ${error?.message ?? message}`);
      },
    },
  );

async function readRecords(tour: Tour) {
  const records = await control<Records>(tour, 'GET', '/books');
  return {
    orders: records.registrars.namecom.orders.filter((order) => order.domain === tour.domain),
    servers: [...records.vps.hetzner.servers, ...records.vps.vultr.servers],
  };
}
