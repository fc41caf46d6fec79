/** The fields of a lead that a file can give. */
import { LEAD_FIELDS, type LeadWireName } from './lead-fields.ts';

const COMPANY_FIELDS = [
  'companyName',
  'companyWebsite',
  'companyPhone',
  'companyAddress',
  'companyCity',
  'companyState',
  'companyCountryCode',
  'companyCategory',
] as const;

export type LeadFileField = LeadWireName | 'personFullName' | (typeof COMPANY_FIELDS)[number];

/** What a column can be; the names of the wire, and a full name, which is split. */
export const LEAD_FILE_FIELDS: readonly LeadFileField[] = [
  ...Object.values(LEAD_FIELDS).flatMap(({ wire }): LeadFileField[] =>
    wire === 'personLastName' ? [wire, 'personFullName'] : [wire],
  ),
  ...COMPANY_FIELDS,
];

/** One of these makes a lead. Spec: Leads, rule 1. */
export const CONTACT_FIELDS = ['personEmail', 'personPhone', 'socialProfileUrl'] as const;
