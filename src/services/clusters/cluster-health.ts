/** A cluster's current health: its server, its ports, its names. Read-only. Choice 14. */
import pTimeout from 'p-timeout';
import type { Context } from '../../context.ts';
import { findHealthSnapshot, saveHealthSnapshot } from '../../db/clusters/health-snapshots.ts';
import { getDomain, type Domain } from '../../db/domains/domains.ts';
import { serverAccess } from '../../db/clusters/server-access.ts';
import { recordHostHealth } from '../../db/clusters/host-health.ts';
import { recordOutgoingRoute } from '../../db/clusters/sending-holds.ts';
import { getServer, type Server } from '../../db/clusters/servers.ts';
import { listMailboxIdsOfServer } from '../../db/mailboxes/mailboxes.ts';
import { getCluster } from '../../db/clusters/clusters.ts';
import {
  blocklistHealth,
  certificateHealth,
  failing,
  HEALTH_PARTS,
  ok,
  outbound25Health,
  unknown,
  warning,
  type ClusterHealth,
  type PartHealth,
} from '../../domain/clusters/cluster-health.ts';
import {
  fullName,
  servesAs,
  vitalRecords,
  type PlannedRecord,
} from '../../domain/domains/dns-plan.ts';
import { checkMailRecords } from '../../domain/domains/domain-health.ts';
import { certificateNeeds } from '../../domain/domains/caa.ts';
import { smarthostPolicy } from '../../domain/domains/spf.ts';
import { hostHealth, hostTroubles } from '../../domain/clusters/host-health.ts';
import { lookUpAddress } from '../../domain/clusters/blocklists.ts';
import { wakeCampaignsOf } from '../campaigns/campaign-wakes.ts';
import { getClusterView } from './clusters.ts';

type MailHostStatus = Awaited<ReturnType<Context['mailHost']['status']>>;

type Needs = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'dns' | 'vps' | 'mailHost' | 'mailTransport' | 'temporal'
>;

/** How long a result is reused: a check makes a dozen requests to others. */
const FRESH_MS = 20_000;

/** A part that takes longer is `unknown`. */
const PART_LIMIT_MS = 10_000;

const IMAP_PORT = 993;
const SMTP_PORT = 465;

/** A cluster without a server has nothing to check: all parts are `unknown`. */
export async function checkClusterHealth(
  context: Needs,
  userId: string,
  id: number,
): Promise<ClusterHealth> {
  await getClusterView(context, userId, id);
  const now = context.clock.now();
  const fresh = await findHealthSnapshot(context.db, id, new Date(now.getTime() - FRESH_MS));
  if (fresh) return fresh;
  const health = { lookedAt: now, parts: await checkParts(context, id) };
  await saveHealthSnapshot(context.db, id, health);
  return health;
}

async function checkParts(context: Needs, clusterId: number): Promise<ClusterHealth['parts']> {
  const { server_id, domain_id } = await getCluster(context.db, clusterId);
  const server = server_id === null ? undefined : await getServer(context.db, server_id);
  if (server?.status !== 'active') {
    const nothing = unknown('The cluster has no server');
    return Object.fromEntries(
      HEALTH_PARTS.map((part) => [part, nothing]),
    ) as ClusterHealth['parts'];
  }
  const domain = await getDomain(context.db, domain_id);
  const asked = askHost(context, server);
  const silence = 'The mail host does not answer';
  const [state, host, imap, smtp, ptr, dns, outbound25, blocklists] = await Promise.all([
    part(checkServer(context, server), 'The server’s vendor does not answer'),
    part(checkHost(context, server, asked), silence),
    tlsOf(context, server, IMAP_PORT),
    tlsOf(context, server, SMTP_PORT),
    part(checkPtr(context, server), 'DNS does not answer'),
    part(checkRecords(context, domain, server), 'DNS does not answer'),
    part(checkPort25(context, server, asked), silence),
    part(checkBlocklists(context, server), 'DNS does not answer'),
  ]);
  const certificate = certificateHealth(imap.expiresAt ?? smtp.expiresAt, context.clock.now());
  return {
    server: state,
    host,
    imap: imap.health,
    smtp: smtp.health,
    certificate,
    ptr,
    dns,
    outbound25,
    blocklists,
  };
}

/** A part whose check fails or times out is `unknown`. */
function part(work: Promise<PartHealth>, silence: string): Promise<PartHealth> {
  return pTimeout(work, { milliseconds: PART_LIMIT_MS }).catch(() => unknown(silence));
}

async function checkServer({ vps }: Needs, server: Server): Promise<PartHealth> {
  const vendor = vps[server.provider];
  if (!vendor) return unknown(`${server.provider} is not configured`);
  const rented = await vendor.get(server.external_id ?? '');
  if (!rented) return failing(`${server.provider} does not list the server any more`);
  const words = `${server.host_name} (${server.ipv4}) is ${rented.state}`;
  return rented.state === 'running' ? ok(words) : failing(words);
}

async function tlsOf(
  { mailTransport }: Needs,
  { host_name: host, ipv4 }: Server,
  port: number,
): Promise<{ health: PartHealth; expiresAt?: Date }> {
  let expiresAt: Date | undefined;
  // Where the name leads is told by `dns`, and is its client's to say.
  const work = mailTransport.checkTls({ host, port, ipv4: ipv4! }).then(
    (seen) => {
      ({ expiresAt } = seen);
      return ok(`${host}:${port} answers with TLS`);
    },
    (error: Error) => failing(error.message),
  );
  const health = await part(work, `${host}:${port} does not answer`);
  return { health, ...(expiresAt && { expiresAt }) };
}

async function checkPtr({ dns }: Needs, server: Server): Promise<PartHealth> {
  const { ipv4, host_name: name } = server;
  const names = await dns.resolvePtr(ipv4!);
  if (names.includes(name)) return ok(`${ipv4} is called ${name}`);
  return failing(`${ipv4} is called ${names.join(', ') || 'nothing'} instead of ${name}`);
}

async function checkRecords(
  { dns, config }: Needs,
  domain: Domain,
  server: Server,
): Promise<PartHealth> {
  const { dkim_selector: dkimSelector, dkim_public_key: dkimPublicKey } = domain;
  if (dkimSelector === null || dkimPublicKey === null) return unknown('The domain has no key yet');
  const mail = {
    domain: domain.name,
    hostName: server.host_name,
    ipv4: server.ipv4!,
    dkimSelector,
    dkimPublicKey,
    ...certificateNeeds(config),
    smarthost: smarthostPolicy(config),
  };
  const planned = vitalRecords(mail);
  const missing: string[] = [];
  for (const record of planned) {
    const found = await recordsAt(dns, record, domain.name);
    if (!found.some((other) => servesAs(record, other))) {
      missing.push(`${record.type} ${fullName(record.name, domain.name)}`);
    }
  }
  if (missing.length > 0) return failing(`Not visible: ${missing.join(', ')}`);
  const checks = await checkMailRecords(dns, mail);
  const wrong = checks.filter(({ name }) => name === 'spf' || name === 'caa');
  const worst = wrong.find(({ state }) => state === 'failing');
  if (worst) return failing(worst.message);
  const odd = wrong.find(({ name, state }) => name === 'caa' && state === 'warning');
  if (odd) return warning(odd.message);
  return ok('A, MX, SPF, DKIM and DMARC are visible');
}

/** What public DNS has under the name of a planned record. */
async function recordsAt(
  dns: Needs['dns'],
  { type, name }: PlannedRecord,
  domain: string,
): Promise<PlannedRecord[]> {
  const at = fullName(name, domain);
  if (type === 'MX') {
    const exchanges = await dns.resolveMx(at);
    return exchanges.map(({ exchange, priority }) => ({ type, name, value: exchange, priority }));
  }
  const values = type === 'A' ? await dns.resolveA(at) : await dns.resolveTxt(at);
  return values.map((value) => ({ type, name, value }));
}

/** Once for both parts; a host without an address rejects, and does not throw. */
const askHost = async (context: Needs, server: Server): Promise<MailHostStatus> =>
  context.mailHost.status(serverAccess(context, server));

async function checkHost(
  context: Needs,
  server: Server,
  asked: Promise<MailHostStatus>,
): Promise<PartHealth> {
  const { signs, certificate, program } = await asked;
  const now = context.clock.now();
  const troubles = hostTroubles({ signs, certificate }, now);
  await recordHostHealth(context.db, server.id, { signs, troubles, program }, now);
  return hostHealth(signs);
}

async function checkPort25(
  context: Needs,
  server: Server,
  asked: Promise<MailHostStatus>,
): Promise<PartHealth> {
  const { outbound25, smarthost } = await asked;
  const route = { outbound25, usesSmarthost: smarthost !== null };
  if (await recordOutgoingRoute(context.db, server.id, route, context.clock.now())) {
    await wakeCampaignsOf(context, await listMailboxIdsOfServer(context.db, server.id));
  }
  return outbound25Health(outbound25, smarthost);
}

/** What was found is the daily check's to record: a client's question takes no hold back. */
async function checkBlocklists({ dns, config }: Needs, server: Server): Promise<PartHealth> {
  const asked = config.DNSBL_ZONES;
  return blocklistHealth(server.ipv4!, {
    ...(await lookUpAddress(dns, asked, server.ipv4!)),
    asked,
  });
}
