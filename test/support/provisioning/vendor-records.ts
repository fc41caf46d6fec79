/** What all vendors of the world have sold, whichever it was: a second purchase is one anywhere. */
import { PARKING_HOST } from '../../../src/sandbox/porkbun/orders.ts';
import type { TestSandbox } from '../vendors/sandbox.ts';

interface RegistrarRecords {
  orders: { domain: string; kind: 'register' | 'renew' }[];
  records: { domain: string; type: string; name: string; value: string }[];
}

interface VpsRecords {
  servers: { name: string; deletedAt: string | null }[];
  sshKeys: { name: string }[];
}

export interface VendorRecords extends RegistrarRecords {
  /** Without what a registrar puts into a new zone itself: it is not ours to take away. */
  records: RegistrarRecords['records'];
  /** Those that are alive. */
  servers: { name: string }[];
  sshKeys: { name: string }[];
}

export async function readVendorRecords(sandbox: TestSandbox): Promise<VendorRecords> {
  const { registrars, vps } = (await sandbox.control('GET', '/books')).body as {
    registrars: Record<string, RegistrarRecords>;
    vps: Record<string, VpsRecords>;
  };
  const shops = Object.values(registrars);
  const hosters = Object.values(vps);
  return {
    orders: shops.flatMap(({ orders }) => orders),
    records: shops.flatMap(({ records }) => records).filter(({ value }) => value !== PARKING_HOST),
    servers: hosters
      .flatMap(({ servers }) => servers)
      .filter(({ deletedAt }) => deletedAt === null),
    sshKeys: hosters.flatMap(({ sshKeys }) => sshKeys),
  };
}
