/** Whether a row that could not be imported is about an erased person. GDPR, article 17. */
import type { LeadFileMapping } from '../leads/lead-file-columns.ts';
import type { LeadFileField } from '../leads/lead-file-fields.ts';
import { emailKey, forbiddenBy, personNameKey, phoneKey, profileKey } from '../leads/lead-keys.ts';

/** A dot, and a slash behind it. A pattern begins at each dot anew: n² steps for a word of dots. */
const isLikePage = (word: string): boolean => {
  const dot = word.indexOf('.');
  return dot >= 0 && word.includes('/', dot);
};

/**
 * Tombstones (`lead-keys.ts`) that forbid keeping the row. Its problem may be an address in the wrong column,
 * so each cell is checked.
 */
export function refusedRowWords(cells: readonly string[], mapping: LeadFileMapping): string[] {
  const cell = (field: LeadFileField) => cells[mapping[field] ?? -1] ?? '';
  const nameKey =
    personNameKey(cell('personFirstName'), cell('personLastName')) ||
    personNameKey(cell('personFullName'), '');
  const nobody = { emailKey: null, profileKey: null, phoneKey: null, nameKey };
  const words = cells.flatMap((text) => text.split(/[\s;,|<>"()]+/));
  const emails = words.filter((word) => word.includes('@')).map(emailKey);
  const profiles = words.filter(isLikePage).map(profileKey);
  const phone = phoneKey(cell('personPhone'), cell('companyCountryCode').trim().toUpperCase());
  return [
    ...emails.flatMap((key) => (key === null ? [] : forbiddenBy({ ...nobody, emailKey: key }))),
    ...profiles.flatMap((key) => forbiddenBy({ ...nobody, profileKey: key })),
    ...forbiddenBy({ ...nobody, phoneKey: phone }),
  ];
}
