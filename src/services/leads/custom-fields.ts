/** Custom fields: defining, changing and deleting them. Choice 99. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { lockUser } from '../../db/accounts/api-keys.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { listSendingSteps } from '../../db/campaigns/campaign-steps.ts';
import {
  findCustomField,
  hideCustomField,
  insertCustomField,
  listCustomFields,
  lockCustomField,
  removeCustomValues,
  updateCustomField,
  type CustomFieldRow,
} from '../../db/leads/custom-fields.ts';
import { insertOperation, type Operation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import { customNamesIn } from '../../domain/campaigns/templates.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import { MAX_CUSTOM_FIELDS, type CustomType } from '../../domain/leads/custom-fields.ts';
import { deleteCustomFieldFlow } from '../../domain/leads/flows.ts';
import { ACTOR } from '../accounts/actors.ts';
import { paceOf } from '../operations/operations.ts';

export type { CustomFieldRow } from '../../db/leads/custom-fields.ts';

type Needs = Pick<Context, 'db'>;

export interface NewCustomField {
  name: string;
  label: string;
  type: CustomType;
  choices: string[] | null;
}

/** 400 `CUSTOM_FIELD_EXISTS` where the name is taken, `TOO_MANY_CUSTOM_FIELDS` beyond the limit. */
export const createCustomField = (
  { db }: Needs,
  userId: string,
  field: NewCustomField,
): Promise<CustomFieldRow> =>
  commitOnce(db, async (trx) => {
    await lockUser(trx, userId);
    const known = await listCustomFields(trx, userId);
    if (known.some(({ name }) => name === field.name)) {
      throw invalid('CUSTOM_FIELD_EXISTS', `There is a field ${field.name} already`);
    }
    if (known.length >= MAX_CUSTOM_FIELDS) {
      const words = `An account has at most ${MAX_CUSTOM_FIELDS} custom fields`;
      throw invalid('TOO_MANY_CUSTOM_FIELDS', words);
    }
    const inserted = await insertCustomField(trx, userId, field);
    noteChange({ resourceId: inserted.id, after: told(AUDITED_FIELDS.customField, inserted) });
    return inserted;
  });

export const listUserCustomFields = ({ db }: Needs, userId: string): Promise<CustomFieldRow[]> =>
  listCustomFields(db, userId);

export async function getCustomField(
  { db }: Needs,
  userId: string,
  id: number,
): Promise<CustomFieldRow> {
  const field = await findCustomField(db, userId, id);
  if (!field) throw notFound('custom field');
  return field;
}

/** Values of before stay, also those that are no choice any more. */
export const changeCustomField = (
  { db }: Needs,
  { userId, id }: { userId: string; id: number },
  change: { label?: string | undefined; choices?: string[] | null | undefined },
): Promise<CustomFieldRow> =>
  commitOnce(db, async (trx) => {
    const field = await lockCustomField(trx, userId, id);
    if (!field) throw notFound('custom field');
    if (change.choices && field.type !== 'text') {
      throw validationError([{ field: 'choices', message: 'choices are of a text alone' }]);
    }
    const changed = await updateCustomField(trx, id, change);
    noteChange(difference(AUDITED_FIELDS.customField, field, changed));
    return changed;
  });

/** Values that a request removes itself; more of them are removed by a job. */
const AT_ONCE = 2_000;

/**
 * The field and its values are hidden when this returns; what is left of the values is removed in portions.
 * 400 `CUSTOM_FIELD_IN_USE` where a campaign that sends, or may go on sending, has it in a text.
 */
export async function deleteCustomField(
  context: Pick<Context, 'db' | 'config' | 'startOperation'>,
  userId: string,
  id: number,
): Promise<void> {
  const operation = await commitOnce(context.db, (trx) => hideWithin(context, trx, { userId, id }));
  if (!operation) return;
  // Of most fields that is all; then the job finds nothing to do.
  await removeCustomValues(context.db, id, AT_ONCE).catch(() => undefined);
  await context.startOperation(operation);
}

async function hideWithin(
  context: Pick<Context, 'config'>,
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
): Promise<Operation | undefined> {
  const field = await lockCustomField(trx, userId, id);
  if (!field) throw notFound('custom field');
  const users = await campaignsWith(trx, userId, field.name);
  if (users.length > 0) {
    throw invalid(
      'CUSTOM_FIELD_IN_USE',
      `Campaigns that are active or paused have {{custom.${field.name}}} in a text: ${users.join(', ')}`,
      users.map((campaignId) => ({ field: 'id', message: `campaign ${campaignId}`, campaignId })),
    );
  }
  noteChange({ before: told(AUDITED_FIELDS.customField, field) });
  if ((await hideCustomField(trx, field)) === 'gone') return undefined;
  const input = { customFieldId: id, pace: paceOf(context) };
  return insertOperation(trx, deleteCustomFieldFlow, input, {
    userId,
    summary: `Remove the values of the field ${field.name}`,
    requested: { actor: ACTOR.user(userId), reason: 'deleted' },
  });
}

async function campaignsWith(
  trx: Transaction<Database>,
  userId: string,
  name: string,
): Promise<number[]> {
  const steps = await listSendingSteps(trx, userId);
  const using = steps.filter((step) =>
    textsOf(step).some(({ subjectTemplate, bodyTemplate }) =>
      customNamesIn([subjectTemplate ?? '', bodyTemplate]).includes(name),
    ),
  );
  return [...new Set(using.map(({ campaignId }) => campaignId))];
}
