/** Which columns of a lead file are custom fields: by their headers, or as the client says. */
import {
  customNameOf,
  customVariable,
  type CustomField,
  type CustomVariable,
} from './custom-fields.ts';
import { headerWord, type LeadFileMapping } from './lead-file-columns.ts';
import type { LeadFileField } from './lead-file-fields.ts';

/** A column that is read as a custom field, as it is kept with the import. */
export interface CustomFileColumn {
  id: number;
  name: string;
  column: number;
}

type Known = Pick<CustomField, 'id' | 'name' | 'label'>;

/** A header that is a field's name (`custom.industry`, `industry`) or its label, in a column that is not `taken`. */
export function guessCustom(
  headers: readonly string[],
  fields: readonly Known[],
  taken: ReadonlySet<number>,
): CustomFileColumn[] {
  if (fields.length === 0) return [];
  const words = headers.map((header, at) => (taken.has(at) ? '' : headerWord(header)));
  const used = new Set<number>();
  return fields.flatMap(({ id, name, label }) => {
    const names = [customVariable(name), name, label].map(headerWord);
    const column = names
      .map((word) =>
        word === '' ? -1 : words.findIndex((each, at) => each === word && !used.has(at)),
      )
      .find((at) => at !== -1);
    if (column === undefined) return [];
    used.add(column);
    return [{ id, name, column }];
  });
}

/** What tells people and companies apart is read as that, whatever a custom field is called. */
const OF_IDENTITY: readonly LeadFileField[] = [
  'personFirstName',
  'personLastName',
  'personFullName',
  'personEmail',
  'personPhone',
  'socialProfileUrl',
  'companyName',
  'companyWebsite',
];

/** The detected columns with those of custom fields: what an account has defined goes before what a header may mean. */
export function withCustom(
  headers: readonly string[],
  detected: LeadFileMapping,
  fields: readonly Known[],
): { mapping: LeadFileMapping; custom: CustomFileColumn[] } {
  const taken = OF_IDENTITY.flatMap((field) => detected[field] ?? []);
  const custom = guessCustom(headers, fields, new Set(taken));
  const own = new Set(custom.map(({ column }) => column));
  const mapping = Object.fromEntries(
    Object.entries(detected).filter(([, column]) => !own.has(column)),
  );
  return { mapping, custom };
}

/** Headers by `custom.industry`. */
export type NamedCustom = Readonly<Record<string, string | undefined>>;

/** The columns that the client names. `missing`: headers that the file does not have. */
export function namedCustom(
  headers: readonly string[],
  fields: readonly Known[],
  named: NamedCustom,
): { columns: CustomFileColumn[]; missing: { field: CustomVariable; header: string }[] } {
  const columns: CustomFileColumn[] = [];
  const missing: { field: CustomVariable; header: string }[] = [];
  const words = headers.map(headerWord);
  for (const { id, name } of fields) {
    const field = customVariable(name);
    const header = Object.hasOwn(named, field) ? named[field]! : undefined;
    if (header === undefined) continue;
    const exact = headers.findIndex((each) => each.trim() === header.trim());
    const column = exact === -1 ? words.indexOf(headerWord(header)) : exact;
    if (column === -1 || header.trim() === '') missing.push({ field, header });
    else columns.push({ id, name, column });
  }
  return { columns, missing };
}

/** Names of fields that a mapping gives and the account does not have. */
export const unknownCustom = (fields: readonly Known[], named: NamedCustom): string[] =>
  Object.keys(named).filter(
    (field) =>
      customNameOf(field) !== undefined && !fields.some(({ name }) => name === customNameOf(field)),
  );
