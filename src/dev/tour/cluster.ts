/** Step: a domain is bought, a server rented, a mail host installed, DNS written and verified. */
import { api, control } from './client.ts';
import { check, dollars, until, type Tour, type TourStep } from './tour.ts';
import { readWallet } from './wallet.ts';

/** Spec: Limits, total for new domain and new server. */
const priceCents = 4_100;

interface ClusterAnswer {
  id: number;
  status: string;
  ipAddress: string | null;
  provisioning: {
    step: string;
    state: string;
    message: string;
    completedSteps: number;
    totalSteps: number;
    error: { code: string; message: string } | null;
  };
  mailServer: { host: string } | null;
}

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
    const created = await api<ClusterAnswer>(tour, 'POST', '/v1/clusters/create', { body });
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

function active(tour: Tour, id: number): Promise<ClusterAnswer> {
  // Seconds where servers are simulated; booting and installing a real one takes minutes.
  const pace = { withinSeconds: 600, everySeconds: 1.2 };
  return until('An active cluster', pace, async () => {
    const cluster = await api<ClusterAnswer>(tour, 'GET', `/v1/clusters/${id}`);
    const { state, message, completedSteps, totalSteps, error } = cluster.provisioning;
    const progress = `${completedSteps}/${totalSteps} ${message || 'Waiting for the worker'}`;
    tour.say(progress);
    check(cluster.status !== 'failed', `an active cluster, it failed: ${error?.message}`);
    check(state !== 'blocked', `no step to wait for a person: ${error?.message ?? message}`);
    return cluster.status === 'active' ? cluster : undefined;
  });
}

async function readRecords(tour: Tour) {
  const records = await control<Records>(tour, 'GET', '/books');
  return {
    orders: records.registrars.namecom.orders.filter((order) => order.domain === tour.domain),
    servers: [...records.vps.hetzner.servers, ...records.vps.vultr.servers],
  };
}
