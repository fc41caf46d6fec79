/** How leads are shown, and lists named. */
import type { Lead, Outreach } from '../../../clients/typescript/src/index.ts';
import { CommandEnd, EXIT } from '../io.ts';
import type { Client } from './connection.ts';
import type { Table } from './output.ts';

export const leadTable: Table<Lead> = {
  columns: ['ID', 'NAME', 'ADDRESS', 'COMPANY', 'STATUS', 'SCORE'],
  cells: (one) => [
    one.id,
    `${one.personFirstName} ${one.personLastName}`.trim(),
    one.personEmail,
    one.companyName,
    one.status,
    one.validationScore,
  ],
  none: 'There are no leads.',
};

/** Ids of the lists of this name; several lists may have one. */
async function listsNamed(outreach: Outreach, name: string): Promise<number[]> {
  const ids: number[] = [];
  for await (const list of outreach.leadLists.list()) if (list.name === name) ids.push(list.id);
  return ids;
}

/** The id of the one list that is named, or whose id is given; undefined where there is none. */
async function listIdOf(
  outreach: Outreach,
  { list, listId }: { list?: string; listId?: number },
): Promise<number | undefined> {
  if (list === undefined || listId !== undefined) return listId;
  const ids = await listsNamed(outreach, list);
  if (ids.length < 2) return ids[0];
  throw new CommandEnd(
    EXIT.failed,
    `Several lists are called ${list}: say which by --list-id (${ids.join(', ')}).`,
  );
}

/** The same; a list of the name is made where there is none, and a repeat of the command makes no second one. */
export async function madeListId(
  { outreach, once }: Client,
  named: { list?: string; listId?: number },
): Promise<number | undefined> {
  const id = await listIdOf(outreach, named);
  if (id !== undefined || named.list === undefined) return id;
  const body = { name: named.list };
  const made = await once(({ idempotencyKey: key }) =>
    outreach.leadLists.create({ body }, { idempotencyKey: `${key}-list` }),
  );
  return made.id;
}

/** The same; ends the command where there is none. */
export async function foundListId(
  outreach: Outreach,
  named: { list?: string; listId?: number },
): Promise<number | undefined> {
  const id = await listIdOf(outreach, named);
  if (id !== undefined || named.list === undefined) return id;
  throw new CommandEnd(EXIT.failed, `There is no list called ${named.list}.`);
}
