/** Vultr's records: SSH keys and instances; deleted instances stay in them. */
import type { Store } from '../store.ts';
import type { ZoneRecord, ZoneSource } from '../zone.ts';

export interface SshKey {
  id: string;
  name: string;
  ssh_key: string;
  date_created: string;
}

export interface Instance {
  /** A UUID, as all of the vendor's ids but those of systems. */
  id: string;
  label: string;
  hostname: string;
  tags: string[];
  region: string;
  plan: string;
  osId: number;
  ipv4: string;
  /** null: the vendor's own default name. */
  ptr: string | null;
  /** Epoch ms. The states follow from them: pending, being installed, ok. */
  orderedAtMs: number;
  activeAtMs: number;
  runningAtMs: number;
  /** What it was ordered with, or given since, for a reinstall. */
  userData?: string;
  sshKeyIds?: string[];
  /** Its last reinstall begins then, and ends at `runningAtMs`. */
  reinstalledAtMs?: number;
  reinstalls?: number;
  deletedAt: string | null;
}

export interface VultrRecords {
  sshKeys(): SshKey[];
  putSshKey(key: SshKey): void;
  deleteSshKey(id: string): void;
  /** Existing instances; `all` includes deleted ones. */
  instances(): Instance[];
  allInstances(): Instance[];
  putInstance(instance: Instance): void;
}

export function openVultrRecords(store: Store): VultrRecords {
  const allInstances = () => store.list<Instance>('vultr-instances');
  return {
    sshKeys: () => store.list<SshKey>('vultr-ssh-keys'),
    putSshKey: (key) => store.put('vultr-ssh-keys', key.id, key),
    deleteSshKey: (id) => store.delete('vultr-ssh-keys', id),
    allInstances,
    instances: () => allInstances().filter((instance) => instance.deletedAt === null),
    putInstance: (instance) => store.put('vultr-instances', instance.id, instance),
  };
}

/** The vendor reports three states where one would do. */
export function statesOf(instance: Instance) {
  const now = Date.now();
  const isActive = now >= instance.activeAtMs;
  const isRunning = now >= instance.runningAtMs || now < (instance.reinstalledAtMs ?? 0);
  return {
    status: isActive ? 'active' : 'pending',
    power_status: 'running',
    server_status: isRunning ? 'ok' : isActive ? 'installingbooting' : 'none',
  };
}

/** The PTR name of an address until one is set. */
export const defaultPtr = (ipv4: string): string => `${ipv4}.vultrusercontent.com`;

/** `GET /_sandbox/books`: `vps.vultr`. */
export const shownRecords = (vendorRecords: VultrRecords): object => ({
  servers: vendorRecords.allInstances().map((instance) => ({
    id: instance.id,
    name: instance.label,
    status: instance.deletedAt === null ? shownStatus(instance) : 'deleted',
    ipv4: instance.ipv4,
    ptr: instance.ptr ?? defaultPtr(instance.ipv4),
    tags: instance.tags,
    createdAt: new Date(instance.orderedAtMs).toISOString(),
    deletedAt: instance.deletedAt,
    reinstalls: instance.reinstalls ?? 0,
  })),
  sshKeys: vendorRecords.sshKeys().map(({ id, name }) => ({ id, name })),
});

/** One status for `GET /_sandbox/books`, with the same values as for other vendors. */
function shownStatus(instance: Instance): string {
  const { status, server_status } = statesOf(instance);
  if (server_status === 'ok') return 'running';
  return status === 'active' ? 'starting' : 'pending';
}

/** PTR names of the addresses that are rented now. */
export function vultrZone(vendorRecords: VultrRecords): ZoneSource {
  const records = (name: string): ZoneRecord[] => {
    const ipv4 = /^(\d+\.\d+\.\d+\.\d+)\.in-addr\.arpa$/.exec(name)?.[1]?.split('.');
    const address = ipv4?.toReversed().join('.');
    const instance = vendorRecords.instances().find((each) => each.ipv4 === address);
    if (instance === undefined) return [];
    const value = instance.ptr ?? defaultPtr(instance.ipv4);
    return [{ name, type: 'PTR', value, ttlSeconds: 300 }];
  };
  return { records, hasName: (name) => records(name).length > 0 };
}
