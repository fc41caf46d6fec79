/** The data a message is rendered from: the lead with its company. */
import { sql, type Kysely } from 'kysely';
import type { MessageRecipient } from '../../domain/sending/message-content.ts';
import { typedValues } from '../leads/custom-values.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

/** Undefined when the account has no such lead. */
export async function findMessageRecipient(
  db: Kysely<Database>,
  userId: string,
  leadId: number,
): Promise<MessageRecipient | undefined> {
  const row = await db
    .selectFrom('leads')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .select(['leads.first_name', 'leads.last_name', 'leads.email', 'leads.role'])
    .select(['companies.name', 'companies.domain', 'companies.website', 'companies.city'])
    .select('companies.country_code')
    .select(typedValues().as('custom'))
    .where('leads.user_id', '=', userId)
    .where('leads.id', '=', leadId)
    .where(isKeptLead('leads', userId))
    .executeTakeFirst();
  return (
    row && {
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email ?? '',
      role: row.role,
      company: row.name,
      companyDomain: row.domain,
      website: row.website,
      city: row.city,
      countryCode: row.country_code,
      custom: row.custom,
    }
  );
}

/** The lead that was enrolled first; undefined when nobody is. */
export async function findFirstLeadId(
  db: Kysely<Database>,
  campaignId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .limit(1)
    .executeTakeFirst();
  return row?.lead_id;
}

/** Whether the account must not write to an address (`addressKey`). */
export async function isSuppressed(
  db: Kysely<Database>,
  userId: string,
  emailKey: string,
): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    select is_suppressed(${userId}, ${emailKey}) as yes`.execute(db);
  return rows[0]!.yes;
}
