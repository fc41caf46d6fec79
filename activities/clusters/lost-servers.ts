/**
 * A server that an order made and whose row was lost with its keys: nobody can log in to it any more.
 * docs/workflow-rules.md#after-a-restore.
 */
import type { Context } from '../../src/context.ts';
import { findServerByIntent } from '../../src/db/clusters/servers.ts';
import { upsertPublishedRecord, type Domain } from '../../src/db/domains/domains.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import {
  settleIntent,
  upsertIntent,
  type ProviderResource,
} from '../../src/db/operations/provider-resources.ts';
import { wasAnswered } from '../../src/db/operations/resolutions.ts';
import { MAIL_LABEL } from '../../src/domain/domains/dns-plan.ts';
import type { RentedServer, VpsProvider } from '../../src/providers/vps/port.ts';
import { undecided } from '../engine/undecided.ts';
import { isOpen, newToken, SERVER_STEP } from './server-tokens.ts';

interface Asked {
  operationId: number;
  domain: Domain;
  vps: VpsProvider;
  /** The newest intent, if there is one. */
  earlier: ProviderResource | undefined;
}

/**
 * The generation of the order that is placed now. Where the vendor has a server of it that our rows do not know,
 * a person decides: `adopt` deletes that one and orders another. Throws `Undecided` until somebody has.
 */
export async function nextGeneration(
  context: Pick<Context, 'db' | 'clock'>,
  { operationId, domain, vps, earlier }: Asked,
): Promise<number> {
  const { db, clock } = context;
  const operation = await getOperation(db, operationId);
  let generation = earlier === undefined ? 1 : earlier.generation + (isOpen(earlier) ? 0 : 1);
  // Rows of before drew the random part at the order: their lost servers are found by the comparison alone.
  if (operation.run_key === null) return generation;
  for (;;) {
    const isNewest = generation === earlier?.generation;
    const token = isNewest ? earlier.token : newToken(operation, generation);
    if (await findServerByIntent(db, token)) return generation;
    const lost = await vps.findByName(token);
    if (!lost) return generation;
    // Another attempt has written its row meanwhile, and ordered it: that one is not lost.
    if (await findServerByIntent(db, token)) return generation;
    const asked = { operationId, step: SERVER_STEP, action: 'adopt' } as const;
    if (!(await wasAnswered(db, asked))) throw lostServer(vps.name, token, lost.id);
    const intent = { operationId, step: SERVER_STEP, generation, provider: vps.name, token };
    const { id } = await upsertIntent(db, { ...intent, askedUntil: clock.now() });
    await noteAddress(context, { operationId, domain, lost });
    await vps.destroy(token, lost.id);
    await settleIntent(db, id, { state: 'deleted', externalId: lost.id });
    generation += 1;
  }
}

/** The address record that the order made for it is this operation's own again, to be replaced or withdrawn. */
async function noteAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operationId, domain, lost }: Pick<Asked, 'operationId' | 'domain'> & { lost: RentedServer },
): Promise<void> {
  if (lost.ipv4 === null) return;
  await upsertPublishedRecord(db, {
    operationId,
    domainId: domain.id,
    type: 'A',
    name: MAIL_LABEL,
    value: lost.ipv4,
    priority: null,
    askedAt: clock.now(),
  });
}

const lostServer = (provider: string, name: string, id: string) =>
  undecided(`${provider} has ${name} (${id}) of this order, and the keys to it are lost`, {
    provider,
    operatorHint:
      'After a restore: save what is on it by the console of the vendor, if anything. `adopt` then deletes it ' +
      'and orders another; `compensate` gives the order up. docs/runbook.md#restore',
  });
