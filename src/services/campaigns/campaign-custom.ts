/** The custom fields that the texts of a campaign use. Choice 99. */
import type { Kysely } from 'kysely';
import {
  listLeadsWithout,
  type CustomIds,
  type Lacking,
} from '../../db/campaigns/lacking-leads.ts';
import { holdCustomFields } from '../../db/leads/custom-fields.ts';
import type { Database } from '../../db/tables.ts';
import {
  copyProblems,
  customNamesOf,
  type WrittenCopy,
} from '../../domain/campaigns/campaign-copy.ts';
import type { WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import { customNamesIn } from '../../domain/campaigns/templates.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { unguardedFacts, type LeadFact } from '../../domain/sending/empty-messages.ts';

/**
 * All problems of the texts that prevent sending. Within a transaction the custom fields in them are not deleted
 * until it ends.
 */
export async function problemsOfCopy(
  db: Kysely<Database>,
  userId: string,
  copy: WrittenCopy,
): Promise<FieldProblem[]> {
  const fields = await holdCustomFields(db, userId, customNamesOf(copy));
  return copyProblems(copy, new Set(fields.map(({ name }) => name)));
}

/** Ids by name of the custom fields in the texts. */
export async function customIdsOf(
  db: Kysely<Database>,
  userId: string,
  steps: readonly WrittenStep[],
): Promise<CustomIds> {
  const fields = await holdCustomFields(db, userId, customNamesIn(templatesOf(steps)));
  return new Map(fields.map(({ name, id }) => [name, id]));
}

/** A variable that is empty for some leads, in texts that have no fallback for it. */
export interface MissingValues extends Lacking {
  variable: LeadFact;
  /** The texts, as the client writes them: `steps[0].bodyTemplate`. */
  fields: string[];
}

/** What leads of the campaign lack of what its texts say without a fallback, and who. */
export async function missingValuesOf(
  db: Kysely<Database>,
  campaignId: number,
  steps: readonly WrittenStep[],
  ids: CustomIds,
): Promise<MissingValues[]> {
  const used = unguardedFacts(steps);
  const found = await listLeadsWithout(db, campaignId, [...used.keys()], ids);
  return [...used].flatMap(([variable, fields], at) => {
    const lacking = found[at]!;
    return lacking.leads === 0 ? [] : [{ variable, fields, ...lacking }];
  });
}

const templatesOf = (steps: readonly WrittenStep[]): string[] =>
  steps.flatMap(textsOf).flatMap((text) => [text.subjectTemplate ?? '', text.bodyTemplate]);
