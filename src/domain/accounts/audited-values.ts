/**
 * Which fields of a row get into the audit log with their values. Others are never written: no secret, no text of a
 * message, nothing about the people whom the account writes to, so that an erasure has nothing to look for there.
 */
import type { AuditedValues } from './audit-log.ts';

/** Columns, by what they are about. */
export const AUDITED_FIELDS = {
  account: ['sender_name', 'postal_address', 'timezone', 'use_language_model'],
  apiKey: ['name', 'ip_whitelist', 'scopes', 'expires_at'],
  campaign: [
    'name',
    'status',
    'pause_reason',
    'timezone',
    'active_days',
    'start_time',
    'end_time',
    'max_followups',
    'followup_delay_days',
    'track_opens',
    'track_clicks',
    'tracking_domain_id',
    'text_only',
    'language',
    'min_validation_score',
    'held_addresses',
    'max_new_leads_per_day',
    'new_lead_share',
    'use_recipient_timezone',
    'only_never_contacted',
    'stop_company_on_reply',
    'starts_on_interests',
    'starts_on_campaign_id',
    'starts_after_days',
    'auto_winner',
    'archived',
  ],
  cluster: ['name', 'status', 'use_existing_vps', 'server_id'],
  company: ['lead_list_id'],
  connection: ['preset', 'username', 'smtp', 'imap', 'oauth'],
  customField: ['name', 'label', 'type', 'choices'],
  domain: ['name', 'provider', 'status', 'auto_renew'],
  lead: ['company_id'],
  leadList: ['name', 'description'],
  mailbox: ['email', 'status', 'sender_name'],
  mailboxLimits: ['daily_limit', 'hourly_limit', 'min_gap_seconds'],
  placementSeed: ['address', 'provider'],
  placementTest: [
    'campaign_id',
    'mailbox_id',
    'step',
    'variant',
    'min_inbox_percent',
    'holds_campaign',
    'status',
  ],
  schedule: ['name', 'kind', 'only_new_places', 'paused', 'times'],
  suppression: ['kind', 'reason'],
  trackingDomain: ['name', 'status'],
  wallet: ['lowBalanceThresholdCents', 'autoRecharge'],
  warmup: ['status', 'start_volume', 'daily_increase', 'max_volume', 'reply_rate', 'weekdays_only'],
  webhook: ['event_types', 'description', 'is_active', 'include_content'],
} as const satisfies Record<string, readonly string[]>;

export type AuditedFields = (typeof AUDITED_FIELDS)[keyof typeof AUDITED_FIELDS];

/** The fields of a row that may be told and have a value, in clients' spelling. */
export const told = (fields: AuditedFields, row: object): AuditedValues =>
  Object.fromEntries(Object.entries(allOf(fields, row)).filter(([, value]) => value !== null));

const allOf = (fields: AuditedFields, row: object): AuditedValues =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => (fields as readonly string[]).includes(name))
      .map(([name, value]) => [camelCase(name), value]),
  );

/**
 * The fields that two states of a row differ in. `leftOut`: names of changed fields whose values are not told; they
 * are listed in `after`.
 */
export function difference(
  fields: AuditedFields,
  before: object,
  after: object,
  leftOut: readonly string[] = [],
): { before: AuditedValues; after: AuditedValues } {
  const [was, is] = [allOf(fields, before), allOf(fields, after)];
  const changed = Object.keys(is).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  const of = (values: AuditedValues) =>
    Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
  return { before: of(was), after: { ...of(is), ...(leftOut.length > 0 && { leftOut }) } };
}

/** Names of the fields that a request gives, but for those whose values are told. */
export const namesBeside = (fields: AuditedFields, given: object): string[] => {
  const known = (fields as readonly string[]).map(camelCase);
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => name);
};

const MAX_TEXT = 500;
const MAX_ITEMS = 50;

/** Bounds what an entry holds, whatever the client has written into its fields. */
export function bounded(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(bounded);
  if (value instanceof Date) return value.toISOString();
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bounded(each)]));
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
