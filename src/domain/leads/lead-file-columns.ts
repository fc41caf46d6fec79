/** Maps the columns of a lead file to fields: by common header names, or as the client says. */
import { LEAD_FILE_FIELDS, type LeadFileField } from './lead-file-fields.ts';
import { COLUMN_NAMES, NAME_WORDS } from './lead-file-headers.ts';

/** Index of the column of each field that the file has. */
export type LeadFileMapping = Partial<Record<LeadFileField, number>>;

/** The header of the column of each field, as the client names it. */
export type ColumnNames = { readonly [Field in LeadFileField]?: string | undefined };

/** Finds the columns by their headers, in the languages of our users; the rest is not read. */
export function guessMapping(headers: readonly string[]): LeadFileMapping {
  const words = headers.map(headerWord);
  const mapping: LeadFileMapping = {};
  for (const field of LEAD_FILE_FIELDS) {
    const column = firstOf(words, COLUMN_NAMES[field]);
    if (column !== undefined) mapping[field] = column;
  }
  return withName(mapping, firstOf(words, NAME_WORDS));
}

/** `Name` beside `Vorname` is the last name, `Nombre` beside `Apellidos` the first, else the full one. */
function withName(mapping: LeadFileMapping, name: number | undefined): LeadFileMapping {
  const { personFirstName, personLastName, personFullName } = mapping;
  if (name === undefined || personFullName !== undefined) return mapping;
  if (personFirstName === undefined && personLastName === undefined) {
    return { ...mapping, personFullName: name };
  }
  if (personLastName === undefined) return { ...mapping, personLastName: name };
  return personFirstName === undefined ? { ...mapping, personFirstName: name } : mapping;
}

/**
 * The columns that the client names: `{personEmail: 'E-mail address'}`. `missing` lists headers
 * that the file does not have; a header that it has twice means the first.
 */
export function namedMapping(
  headers: readonly string[],
  named: ColumnNames,
): { mapping: LeadFileMapping; missing: { field: LeadFileField; header: string }[] } {
  const mapping: LeadFileMapping = {};
  const missing: { field: LeadFileField; header: string }[] = [];
  const words = headers.map(headerWord);
  for (const field of LEAD_FILE_FIELDS) {
    const header = named[field];
    if (header === undefined) continue;
    const exact = headers.findIndex((each) => each.trim() === header.trim());
    const column = exact === -1 ? words.indexOf(headerWord(header)) : exact;
    if (column === -1 || header.trim() === '') missing.push({ field, header });
    else mapping[field] = column;
  }
  return { mapping, missing };
}

/** `'E-Mail-Adresse'` -> `'emailadresse'`, `'Prénom'` -> `'prenom'`. */
export const headerWord = (header: string): string =>
  header
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The column of the best known name: the lists begin with the most specific ones. */
function firstOf(words: readonly string[], names: readonly string[]): number | undefined {
  for (const name of names) {
    const column = words.indexOf(name);
    if (column !== -1) return column;
  }
  return undefined;
}
