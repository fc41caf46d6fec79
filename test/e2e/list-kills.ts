/** kill -9 of the worker while a file is imported, and while addresses are validated. */
import { expect, test } from 'vitest';
import { eventually, openAccount } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** Several pages of an import. */
const ROWS = 12_000;
const ADDRESSES = 600;
const LIMIT_MS = 240_000;

export function listKillTests(world: () => SharedWorld): void {
  test(`a file of ${ROWS} rows is imported once, with the worker killed in between`, async () => {
    const account = await openAccount(world(), 'file-kills');
    const { leadImports, leadLists } = account.api;
    const list = await leadLists.create({ body: { name: 'File' } });
    const rows = Array.from({ length: ROWS }, (_, n) => `P${n},L${n},C${n},p${n}@file${n}.example`);
    const csv = `First name,Last name,Company,Email\n${rows.join('\n')}\n`;
    const { id } = await leadImports.create({ body: { csv, leadListId: list.id } });
    await killWorkerWhen(world(), async () => {
      const row = await world()
        .db.selectFrom('lead_imports')
        .select(['processed_rows', 'status'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.processed_rows > 0 || row.status === 'completed';
    });
    const done = await ended('the import', () => leadImports.read({ id }));
    expect(done).toMatchObject({ status: 'completed', importedLeads: ROWS, foundLeads: 0 });
    const { leadsCount } = await leadLists.read({ id: list.id });
    expect(leadsCount).toBe(ROWS);
  });

  test(`${ADDRESSES} addresses are validated, with the worker killed in between`, async () => {
    const account = await openAccount(world(), 'validation-kills');
    const emails = Array.from({ length: ADDRESSES }, (_, n) =>
      n % 3 === 0 ? `invalid-p${n}@kills.test` : `p${n}@kills.test`,
    );
    const { emailValidations } = account.api;
    const { id } = await emailValidations.create({ body: { emails } });
    await killWorkerWhen(world(), async () => {
      const { checked } = await world()
        .db.selectFrom('email_validation_items')
        .select((eb) => eb.fn.countAll<number>().as('checked'))
        .where('job_id', '=', id)
        .where('status', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(checked) > 0;
    });
    const done = await ended('the validation', () => emailValidations.read({ id }));
    expect(done).toMatchObject({
      status: 'completed',
      total: ADDRESSES,
      counts: { valid: (ADDRESSES * 2) / 3, invalid: ADDRESSES / 3, unknown: 0, pending: 0 },
    });
  });
}

async function killWorkerWhen(world: SharedWorld, isMoment: () => Promise<boolean>): Promise<void> {
  await eventually('the moment of the kill', async () => (await isMoment()) || undefined, LIMIT_MS);
  process.kill((await world.running.read()).pids['worker']!, 'SIGKILL');
}

const ended = <Work extends { status: string }>(
  what: string,
  read: () => Promise<Work>,
): Promise<Work> =>
  eventually(
    `the end of ${what}`,
    async () => {
      const now = await read();
      return now.status === 'processing' ? undefined : now;
    },
    LIMIT_MS,
  );
