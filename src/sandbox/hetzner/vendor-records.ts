/** Hetzner's records: SSH keys, servers and actions; deleted servers stay in them. */
import type { Store } from '../store.ts';
import type { Firewall } from './firewall-rules.ts';
import type { ZoneRecord, ZoneSource } from '../zone.ts';

export interface SshKey {
  id: number;
  name: string;
  /** MD5, with colons. */
  fingerprint: string;
  public_key: string;
  labels: Record<string, string>;
  created: string;
}

export interface RentedServer {
  id: number;
  name: string;
  labels: Record<string, string>;
  typeId: number;
  locationId: number;
  imageId: number;
  ipv4: string;
  /** null: the vendor's own default name. */
  ptr: string | null;
  /** Epoch ms. The states follow from it: initializing, starting, running. */
  orderedAtMs: number;
  startingAtMs: number;
  runningAtMs: number;
  /** Its order failed after the answer: it is listed, is never on, and costs until it is deleted. */
  hasFailed?: boolean;
  /** What it was ordered with, for a rebuild. */
  userData?: string;
  authorizedKeys?: string[];
  /** It is being rebuilt until then. */
  rebuiltAtMs?: number;
  /** It is being deleted until then. */
  deletedAt: string | null;
}

/** An action is running until `finishesAtMs`; with `error` it fails then. */
export interface Action {
  id: number;
  command: string;
  serverId: number;
  /** What it is done to, where that is no server. */
  resource?: { id: number; type: string } | undefined;
  startedAtMs: number;
  finishesAtMs: number;
  error?: { code: string; message: string };
}

export interface HetznerRecords {
  sshKeys(): SshKey[];
  putSshKey(key: SshKey): void;
  deleteSshKey(id: number): void;
  /** Existing servers; `all` includes deleted ones. */
  servers(): RentedServer[];
  allServers(): RentedServer[];
  putServer(server: RentedServer): void;
  firewalls(): Firewall[];
  putFirewall(firewall: Firewall): void;
  deleteFirewall(id: number): void;
  actions(): Action[];
  putAction(action: Action): void;
  nextId(noun: 'ssh-keys' | 'servers' | 'actions' | 'firewalls'): number;
}

export function openHetznerRecords(store: Store): HetznerRecords {
  const allServers = () => store.list<RentedServer>('hetzner-servers');
  return {
    sshKeys: () => store.list<SshKey>('hetzner-ssh-keys'),
    putSshKey: (key) => store.put('hetzner-ssh-keys', String(key.id), key),
    deleteSshKey: (id) => store.delete('hetzner-ssh-keys', String(id)),
    allServers,
    servers: () => allServers().filter((server) => !isDeleted(server)),
    putServer: (server) => store.put('hetzner-servers', String(server.id), server),
    firewalls: () => store.list<Firewall>('hetzner-firewalls'),
    putFirewall: (one) => store.put('hetzner-firewalls', String(one.id), one),
    deleteFirewall: (id) => store.delete('hetzner-firewalls', String(id)),
    actions: () => store.list<Action>('hetzner-actions'),
    putAction: (action) => store.put('hetzner-actions', String(action.id), action),
    nextId: (noun) => store.nextId(`hetzner-${noun}`),
  };
}

const isDeleted = ({ deletedAt }: RentedServer): boolean =>
  deletedAt !== null && Date.parse(deletedAt) <= Date.now();

export const statusOf = (server: RentedServer): string => {
  const now = Date.now();
  if (server.deletedAt !== null) return isDeleted(server) ? 'deleted' : 'deleting';
  if (server.hasFailed && now >= server.startingAtMs) return 'off';
  if (now < server.startingAtMs) return 'initializing';
  if (now < (server.rebuiltAtMs ?? 0)) return 'rebuilding';
  return now < server.runningAtMs ? 'starting' : 'running';
};

/** The PTR name of an address until one is set. */
export const defaultPtr = (ipv4: string): string =>
  `static.${ipv4.split('.').toReversed().join('.')}.clients.your-server.de`;

/** `GET /_sandbox/books`: `vps.hetzner`. */
export const shownRecords = (vendorRecords: HetznerRecords): object => ({
  servers: vendorRecords.allServers().map((server) => ({
    id: server.id,
    name: server.name,
    status: statusOf(server),
    ipv4: server.ipv4,
    ptr: server.ptr ?? defaultPtr(server.ipv4),
    labels: server.labels,
    createdAt: new Date(server.orderedAtMs).toISOString(),
    deletedAt: server.deletedAt,
    reinstalls: vendorRecords
      .actions()
      .filter(({ serverId, command }) => serverId === server.id && command === 'rebuild_server')
      .length,
  })),
  sshKeys: vendorRecords.sshKeys().map(({ id, name, fingerprint }) => ({ id, name, fingerprint })),
});

/** PTR names of the addresses that are rented now. */
export function hetznerZone(vendorRecords: HetznerRecords): ZoneSource {
  const records = (name: string): ZoneRecord[] => {
    const ipv4 = /^(\d+\.\d+\.\d+\.\d+)\.in-addr\.arpa$/.exec(name)?.[1]?.split('.');
    const address = ipv4?.toReversed().join('.');
    const server = vendorRecords.servers().find((each) => each.ipv4 === address);
    if (server === undefined) return [];
    const value = server.ptr ?? defaultPtr(server.ipv4);
    return [{ name, type: 'PTR', value, ttlSeconds: 300 }];
  };
  return { records, hasName: (name) => records(name).length > 0 };
}
