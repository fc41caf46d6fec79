/** What all vendors of the world have sold together: a second purchase counts at any of them. */
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
  /** Without the records that a registrar itself puts into a new zone: we must not remove those. */
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
