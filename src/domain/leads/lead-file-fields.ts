/** The fields of a lead that a file can give. */

/** What a column can be; the names of the wire, and a full name, which is split. */
export const LEAD_FILE_FIELDS = [
  'personFirstName',
  'personLastName',
  'personFullName',
  'personRole',
  'personEmail',
  'personPhone',
  'socialProfileUrl',
  'companyName',
  'companyWebsite',
  'companyPhone',
  'companyAddress',
  'companyCity',
  'companyState',
  'companyCountryCode',
  'companyCategory',
] as const;
export type LeadFileField = (typeof LEAD_FILE_FIELDS)[number];

/** One of these makes a lead. Spec: Leads, rule 1. */
export const CONTACT_FIELDS = ['personEmail', 'personPhone', 'socialProfileUrl'] as const;
