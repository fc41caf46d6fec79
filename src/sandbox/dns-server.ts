/** The world's resolver: UDP and TCP on one port, answering from what the stand-ins publish. */
import type { AddressInfo } from 'node:net';
import dns2, { type DnsResponse, type DnsServerLike } from './dns2.ts';
import { listenHost, type SandboxCore } from './core.ts';
import type { Fault } from './faults.ts';
import type { ZoneRecord, ZoneRecordType } from './zone.ts';

export interface DnsServer {
  /** `127.0.0.1:3953`. */
  address: string;
  close(): Promise<void>;
}

const { Packet } = dns2;
type Question = InstanceType<typeof Packet>['questions'][number];
type Message = InstanceType<typeof Packet>;

/** One character-string of a TXT record holds at most this much (RFC 1035, 3.3). */
const TXT_PIECE_BYTES = 255;
const RCODE = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const TYPE_NAMES: Record<number, ZoneRecordType> = {
  [Packet.TYPE.A]: 'A',
  [Packet.TYPE.AAAA]: 'AAAA',
  [Packet.TYPE.CNAME]: 'CNAME',
  [Packet.TYPE.MX]: 'MX',
  [Packet.TYPE.NS]: 'NS',
  [Packet.TYPE.PTR]: 'PTR',
  [Packet.TYPE.SRV]: 'SRV',
  [Packet.TYPE.TXT]: 'TXT',
};
/** A free TCP port may be taken for UDP; this is the number of ports tried. */
const PORT_ATTEMPTS = 20;

export async function startDnsServer(core: SandboxCore): Promise<DnsServer> {
  const host = listenHost(core.options);
  const handle = (request: Message, respond: DnsResponse) => void answer(core, request, respond);
  for (let attempt = 1; ; attempt += 1) {
    const tcp = dns2.createTCPServer(handle) as DnsServerLike;
    const udp = dns2.createUDPServer(handle) as DnsServerLike;
    try {
      await listen(tcp, () => tcp.listen({ port: core.options.dnsPort, host }));
      const { port } = tcp.address() as AddressInfo;
      await listen(udp, () => udp.bind({ port, address: host }));
      return { address: `${host}:${port}`, close: () => closeBoth(tcp, udp) };
    } catch (error) {
      await closeBoth(tcp, udp);
      if (core.options.dnsPort !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

function listen(server: DnsServerLike, begin: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      server.on('error', () => {}); // a peer that went away
      resolve();
    });
    begin();
  });
}

async function closeBoth(...servers: DnsServerLike[]): Promise<void> {
  for (const server of servers) {
    await new Promise<void>((resolve) => {
      try {
        server.close(() => resolve());
      } catch {
        resolve(); // it never listened
      }
    });
  }
}

async function answer(core: SandboxCore, request: Message, respond: DnsResponse): Promise<void> {
  const [question] = request.questions;
  if (question === undefined) return;
  const type = TYPE_NAMES[question.type];
  const path = `/${question.name.toLowerCase()}`;
  const method = type ?? `TYPE${question.type}`;
  const fault = core.faults.take('dns', `${method} ${path}`);
  const response = Packet.createResponseFromRequest(request);
  const isSilent =
    fault?.kind === 'reset' ||
    fault?.kind === 'timeout_before_effect' ||
    fault?.kind === 'timeout_after_effect';
  if (fault?.kind === 'slow') await core.pause(fault.delayMs);
  if (!isSilent) fill(core, { response, question, type, fault });
  core.requestLog.add({
    vendor: 'dns',
    method,
    path,
    headers: {},
    body: null,
    status: isSilent ? null : response.header.rcode,
    answer: response.answers.length,
    fault: fault?.kind,
  });
  if (isSilent) return;
  await Promise.resolve(respond(response)).catch(() => {}); // the asker went away
}

interface Reply {
  response: Message;
  question: Question;
  type: ZoneRecordType | undefined;
  fault: Fault | undefined;
}

function fill(core: SandboxCore, { response, question, type, fault }: Reply): void {
  response.header.aa = 1;
  response.header.ra = 1;
  if (fault?.kind === 'error_500') {
    response.header.rcode = RCODE.SERVFAIL;
    return;
  }
  if (fault !== undefined && ['rejected', 'auth', 'rate_limited'].includes(fault.kind)) {
    response.header.rcode = RCODE.REFUSED;
    return;
  }
  // An unknown type of a known name is an empty answer.
  const found = core.zone.lookup(question.name, type ?? 'A');
  const lagMs = fault?.kind === 'lag' ? fault.delayMs : 0;
  const records = found.records.filter((r) => (r.changedAtMs ?? 0) + lagMs <= Date.now());
  if (!found.exists || (lagMs > 0 && found.records.length > 0 && records.length === 0)) {
    response.header.rcode = RCODE.NXDOMAIN;
  }
  if (type === undefined) return;
  response.answers.push(...(records.map(toResource) as typeof response.answers));
}

function toResource(record: ZoneRecord) {
  const type = Packet.TYPE[record.type];
  const common = { name: record.name, type, class: Packet.CLASS.IN, ttl: record.ttlSeconds };
  const target = record.value.replace(/\.$/, '');
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { ...common, address: record.value };
    case 'CNAME':
    case 'PTR':
      return { ...common, domain: target };
    case 'NS':
      return { ...common, ns: target };
    case 'MX':
      return { ...common, exchange: target, priority: record.priority ?? 0 };
    case 'SRV':
      return { ...common, ...serviceOf(record) };
    case 'TXT':
      return { ...common, data: pieces(record.value) };
  }
}

/** "weight port target", as registrars write SRV values. */
function serviceOf(record: ZoneRecord) {
  const [weight = '0', port = '0', target = ''] = record.value.split(/\s+/);
  const priority = record.priority ?? 0;
  return { priority, weight: Number(weight), port: Number(port), target };
}

function pieces(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / TXT_PIECE_BYTES));
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * TXT_PIECE_BYTES, (i + 1) * TXT_PIECE_BYTES),
  );
}
