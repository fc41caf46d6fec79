/** The columns of a lead that imports read and write, by their names in a plan: the one list of all ways. */
import { LEAD_FIELDS, byPlainName } from '../../domain/leads/lead-fields.ts';
import type { PlannedLead } from '../../domain/leads/lead-rows.ts';
import type { LeadsTable } from './lead-tables.ts';

/** Not here: what the statement decides or joins itself. */
export type WrittenKey = Exclude<
  keyof PlannedLead,
  | 'id'
  | 'index'
  | 'fills'
  | 'company'
  | 'companyId'
  | 'provenance'
  | 'status'
  | 'createdAt'
  | 'custom'
>;

const PLAIN = byPlainName((field) => LEAD_FIELDS[field].column);

/** They are filled in where they are empty, and never changed by an import. */
const FILLABLE = {
  ...PLAIN,
  email: 'email',
  emailKey: 'email_key',
  phone: 'phone',
  phoneKey: 'phone_key',
  socialProfileUrl: 'social_profile_url',
  profileKey: 'profile_key',
} as const;

const WRITTEN = {
  source: 'source',
  firstName: 'first_name',
  lastName: 'last_name',
  nameKey: 'name_key',
  ...FILLABLE,
  validationScore: 'validation_score',
  emailValid: 'email_valid',
  validationStatus: 'validation_status',
  validationReason: 'validation_reason',
  validatedAt: 'validated_at',
} as const satisfies Record<WrittenKey, keyof LeadsTable>;

/** `custom` is written where an import has any: most accounts define no fields. */
export const WRITTEN_COLUMNS = Object.entries(WRITTEN) as [WrittenKey, WrittenColumn][];
type WrittenColumn = (typeof WRITTEN)[WrittenKey];

export const FILLABLE_COLUMNS: readonly string[] = Object.values(FILLABLE);

/** What the plan of an import looks at; times are dear to read. */
export const LEAD_COLUMNS = [
  'id',
  'company_id',
  ...(Object.values(WRITTEN) as WrittenColumn[]),
  'custom',
  'provenance',
  'status',
  'created_at',
] as const satisfies (keyof LeadsTable)[];
