/** One row of a lead file: a person and their company, or the row's problem. */
import { plainCell } from '../csv-text.ts';
import { countryCodeOf } from '../country-names.ts';
import { readEmailAddress } from '../email-validation/email-address.ts';
import { readCustomCell, type CustomColumn } from './custom-cells.ts';
import { customFits, customValuesOf, TOO_MANY_BYTES, type GivenValue } from './custom-fields.ts';
import type { LeadFileMapping } from './lead-file-columns.ts';
import { LEAD_FIELDS, byPlainName, PLAIN_FIELDS } from './lead-fields.ts';
import type { LeadFileField } from './lead-file-fields.ts';
import type { NewCompany, NewPerson } from './leads.ts';
import { isNameOfCompany, looksLikeBusiness } from './business-names.ts';
import { splitFullName } from './person-name.ts';

/** Choice 47: of all but plain fields, which say theirs. */
const MAX_LENGTH = 255;

const OF_PLAIN_FIELDS = new Map<LeadFileField, number>(
  PLAIN_FIELDS.map((field) => [LEAD_FIELDS[field].wire, LEAD_FIELDS[field].max]),
);

/** Of these a file may have anything, and what is too long counts as nothing. */
const WITHOUT_REFUSAL = new Set<LeadFileField>(
  PLAIN_FIELDS.filter((field) => 'accepts' in LEAD_FIELDS[field]).map(
    (field) => LEAD_FIELDS[field].wire,
  ),
);

const maxOf = (field: LeadFileField): number => OF_PLAIN_FIELDS.get(field) ?? MAX_LENGTH;

/** What all rows of a file have in common. */
export interface LeadFileFacts {
  headers: readonly string[];
  mapping: LeadFileMapping;
  /** Columns of custom fields; absent: none. */
  custom?: readonly CustomColumn[] | undefined;
  /** A list consists of companies: a person without one would not be visible in it. */
  needsCompany: boolean;
  /** Whether a domain does not tell where its users work: `gmail.com`. */
  isFreeMail: (domain: string) => boolean;
}

export interface LeadFileRow {
  person: NewPerson;
  company: NewCompany | null;
}

/** Why a row is refused; `column` is its header, empty when it is about the whole row. */
export interface RowProblem {
  column: string;
  problem: string;
}

interface Row {
  cells: readonly string[];
  mapping: LeadFileMapping;
}

/**
 * The rules of POST /v1/leads, as far as a file can follow them: names may be missing, a contact may not. A
 * malformed address refuses the row instead of being dropped. Spec: Leads, rule 1.
 */
export function readLeadRow(
  cells: readonly string[],
  file: LeadFileFacts,
): LeadFileRow | RowProblem {
  const { headers, mapping } = file;
  const width = headers.length;
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')) {
    return { column: '', problem: `has ${cells.length} cells where the header has ${width}` };
  }
  const row = { cells, mapping };
  const field = longField(row);
  if (field) return problem(file, field, `has more than ${maxOf(field)} characters`);
  const emailCell = textOf(row, 'personEmail');
  const phone = textOf(row, 'personPhone');
  const socialProfileUrl = textOf(row, 'socialProfileUrl');
  const email = emailCell === null ? null : firstAddress(emailCell);
  if (email === undefined) return problem(file, 'personEmail', 'is not a valid e-mail address');
  if (phone !== null && !HAS_FIVE_DIGITS.test(phone)) {
    return problem(file, 'personPhone', 'is not a telephone number');
  }
  if (socialProfileUrl !== null && !/^\S+\.\S+$/.test(socialProfileUrl)) {
    return problem(file, 'socialProfileUrl', 'is not the address of a profile');
  }
  if (email === null && phone === null && socialProfileUrl === null) {
    return { column: '', problem: 'has no e-mail address, telephone number or profile URL' };
  }
  const { firstName, lastName } = nameOf(row);
  const plain = byPlainName((field) => textOf(row, LEAD_FIELDS[field].wire));
  const person: NewPerson = { firstName, lastName, ...plain, email, phone, socialProfileUrl };
  if (file.custom) {
    const custom = customOf(row.cells, file.headers, file.custom);
    if ('problem' in custom) return custom;
    if (custom.values.length > 0) person.custom = custom.values;
  }
  return { person, company: companyOf(row, person, file) };
}

function customOf(
  cells: readonly string[],
  headers: readonly string[],
  columns: readonly CustomColumn[],
): { values: GivenValue[] } | RowProblem {
  const values: GivenValue[] = [];
  for (const { field, column } of columns) {
    const read = readCustomCell(field, plainCell(cells[column] ?? '').trim());
    if ('problem' in read) return { column: headers[column]!, problem: read.problem };
    const { id, name } = field;
    if (read.value !== null) values.push({ id, name, value: read.value });
  }
  const all = customValuesOf(values);
  return all !== null && !customFits(all)
    ? { column: '', problem: `${TOO_MANY_BYTES} of custom fields` }
    : { values };
}

/** Null where there is nothing. */
function textOf({ cells, mapping }: Row, field: LeadFileField): string | null {
  const column = mapping[field];
  const cell = column === undefined ? undefined : cells[column];
  if (cell === undefined || cell === '') return null;
  const text = plainCell(cell);
  return text === '' || (WITHOUT_REFUSAL.has(field) && text.length > maxOf(field)) ? null : text;
}

function longField({ cells, mapping }: Row): LeadFileField | undefined {
  for (const name in mapping) {
    const field = name as LeadFileField;
    if (WITHOUT_REFUSAL.has(field)) continue;
    const cell = cells[mapping[field]!];
    const max = maxOf(field);
    if (cell !== undefined && cell.length > max && cell.trim().length > max) return field;
  }
  return undefined;
}

function problem(
  { headers, mapping }: LeadFileFacts,
  field: LeadFileField,
  words: string,
): RowProblem {
  return { column: headers[mapping[field]!]!, problem: words };
}

/** As `phoneKey` wants it. */
const HAS_FIVE_DIGITS = /(?:\d\D*){5}/;

/** `mailto:` and `Ada <ada@acme.com>` are understood; of several addresses the first is taken. */
function firstAddress(cell: string): string | undefined {
  if (PLAIN_ADDRESS.test(cell)) return readEmailAddress(cell)?.email;
  const bracketed = /<([^<>\s]+)>/.exec(cell)?.[1] ?? cell;
  const [first = ''] = bracketed.replace(/^mailto:/i, '').split(/[\s;,|]+/);
  return readEmailAddress(first)?.email;
}

const PLAIN_ADDRESS = /^[^\s;,|<>:]+$/;

const NOBODY = { firstName: '', lastName: '' };

/** A name that is the company's is nobody's, and one of a business is its company's. */
function nameOf(row: Row): { firstName: string; lastName: string } {
  const company = textOf(row, 'companyName');
  const firstName = textOf(row, 'personFirstName') ?? '';
  const lastName = textOf(row, 'personLastName') ?? '';
  if (firstName !== '' || lastName !== '') {
    const isOneName = lastName === '' || looksLikeBusiness(`${firstName} ${lastName}`);
    // Columns for both parts of a name are filled in for people: somebody's business may have their name.
    const isBusiness = isOneName && isNameOfCompany({ firstName, lastName }, company);
    return isBusiness ? NOBODY : { firstName, lastName };
  }
  const fullName = textOf(row, 'personFullName') ?? '';
  if (businessOf(row) !== null) return NOBODY;
  if (isNameOfCompany({ firstName: fullName, lastName: '' }, company)) return NOBODY;
  // Two people, or a firm: no part of it is a first name.
  return fullName.includes('&') ? { firstName: fullName, lastName: '' } : splitFullName(fullName);
}

/** The business in the column of full names, of a row without a company. */
function businessOf(row: Row): string | null {
  const fullName = textOf(row, 'personFullName');
  const others = ['companyName', 'personFirstName', 'personLastName'] as const;
  if (fullName === null || others.some((field) => textOf(row, field) !== null)) return null;
  return looksLikeBusiness(fullName) ? fullName : null;
}

/**
 * A company without a name is named by its website, or by the domain of the person's address. Where a list
 * requires a company and none is known, one is made of the person.
 */
function companyOf(
  row: Row,
  person: NewPerson,
  { needsCompany, isFreeMail }: LeadFileFacts,
): NewCompany | null {
  const named = textOf(row, 'companyName') ?? businessOf(row);
  // The domain of an address identifies the company only where nothing else does.
  const website =
    textOf(row, 'companyWebsite') ?? (named === null ? workDomain(person, isFreeMail) : null);
  let name = named ?? (website && hostOf(website));
  if (!name && !needsCompany) return null;
  name ||= `${person.firstName} ${person.lastName}`.trim() || contactOf(person);
  return {
    name,
    website,
    phone: textOf(row, 'companyPhone'),
    address: textOf(row, 'companyAddress'),
    city: textOf(row, 'companyCity'),
    state: textOf(row, 'companyState'),
    countryCode: countryCodeOf(textOf(row, 'companyCountryCode') ?? '') ?? null,
    category: textOf(row, 'companyCategory'),
  };
}

const contactOf = ({ email, phone, socialProfileUrl }: NewPerson): string =>
  email ?? phone ?? socialProfileUrl ?? '';

const hostOf = (website: string): string =>
  website
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#].*$/, '')
    .toLowerCase();

function workDomain({ email }: NewPerson, isFreeMail: (domain: string) => boolean): string | null {
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  return domain === '' || isFreeMail(domain) ? null : domain;
}
