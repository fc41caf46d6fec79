/** A rotation of DKIM keys as the Schedule does it, without the days that it takes. */
import { eventually } from '../e2e/account.ts';
import type { LabWorld } from './lab-world.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const keysOf = ({ world }: LabWorld, domainId: number) =>
  world.db
    .selectFrom('domains')
    .select(['dkim_selector', 'next_dkim_seen_at', 'old_dkim_selector'])
    .where('id', '=', domainId)
    .executeTakeFirstOrThrow();

/**
 * Starts a run, as an operator does; its steps are waited for by what they write. The run before may not have ended
 * yet: by default the Schedule would start none beside it.
 */
const run = ({ world }: LabWorld) =>
  world.temporal.schedule.getHandle('rotate-dkim-keys').trigger('BUFFER_ONE');

const change = (
  { world }: LabWorld,
  domainId: number,
  set: { dkim_since?: Date; next_dkim_seen_at?: Date; old_dkim_until?: Date },
) => world.db.updateTable('domains').set(set).where('id', '=', domainId).execute();

/** Until messages are signed with the next key. */
export async function rotateKey(lab: LabWorld, domainId: number) {
  const { dkim_selector: before } = await keysOf(lab, domainId);
  await change(lab, domainId, { dkim_since: LONG_AGO });
  await run(lab);
  await eventually('its record', async () => {
    return (await keysOf(lab, domainId)).next_dkim_seen_at ?? undefined;
  });
  await change(lab, domainId, { next_dkim_seen_at: LONG_AGO });
  await run(lab);
  const after = await eventually('the next key', async () => {
    const { dkim_selector: selector } = await keysOf(lab, domainId);
    return selector !== before ? selector : undefined;
  });
  return { before, after };
}

/** As after the overlap. */
export async function withdrawOldKey(lab: LabWorld, domainId: number): Promise<void> {
  await change(lab, domainId, { old_dkim_until: LONG_AGO });
  await run(lab);
  await eventually('the end of the overlap', async () => {
    return (await keysOf(lab, domainId)).old_dkim_selector === null || undefined;
  });
}
