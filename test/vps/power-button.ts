/** The power button of the one server that is rented, as its vendor's API presses it. */
import { expect } from 'vitest';
import { vendorAccounts } from '../../src/dev/processes/world-settings.ts';
import type { LabWorld } from './lab-world.ts';

interface Books {
  vps: { hetzner: { servers: { id: number; deletedAt: string | null }[] } };
}

export async function pressPowerButton(
  { world }: LabWorld,
  button: 'reboot' | 'reset',
): Promise<void> {
  const { vps } = await world.control<Books>('GET', '/books');
  const server = vps.hetzner.servers.find((each) => each.deletedAt === null)!;
  const path = `${world.file.sandbox}/hetzner/v1/servers/${server.id}/actions/${button}`;
  const headers = { authorization: `Bearer ${vendorAccounts.HETZNER_TOKEN}` };
  const answer = await fetch(path, { method: 'POST', headers });
  expect(answer.status).toBe(201);
}
