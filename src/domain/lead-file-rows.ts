/** One row of a lead file: a person and where he works, or what is wrong with it. */
import { plainCell } from './csv-text.ts';
import { countryCodeOf } from './country-names.ts';
import { readEmailAddress } from './email-address.ts';
import type { LeadFileField, LeadFileMapping } from './lead-file-columns.ts';
import type { NewCompany, NewPerson } from './leads.ts';
import { splitFullName } from './person-name.ts';

/** Choice 47. */
const MAX_LENGTH = 255;

/** What all rows of a file have in common. */
export interface LeadFileFacts {
  headers: readonly string[];
  mapping: LeadFileMapping;
  /** A list is made of companies: in one, somebody without a company would not be seen. */
  needsCompany: boolean;
  /** Whether a domain says nothing about who its users work for: `gmail.com`. */
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

/**
 * The rules of POST /v1/leads, as far as a file can keep them: names may be missing, a contact may
 * not. A malformed address refuses the row instead of being dropped. Spec: Leads, rule 1.
 */
export function readLeadRow(
  cells: readonly string[],
  file: LeadFileFacts,
): LeadFileRow | RowProblem {
  const { headers, mapping } = file;
  if (cells.slice(headers.length).some((cell) => cell.trim() !== '')) {
    return problem('', `has ${cells.length} cells where the header has ${headers.length}`);
  }
  const cell = (field: LeadFileField): string => {
    const column = mapping[field];
    return column === undefined ? '' : plainCell(cells[column] ?? '');
  };
  const tooLong = tooLongField(cells, file);
  if (tooLong) return tooLong;
  const emailCell = cell('personEmail');
  const email = emailCell === '' ? null : firstAddress(emailCell);
  if (email === undefined) {
    return problem(headers[mapping.personEmail!]!, 'is not a valid e-mail address');
  }
  const phone = cell('personPhone') || null;
  if (phone !== null && !/\d.*\d.*\d/.test(phone)) {
    return problem(headers[mapping.personPhone!]!, 'is not a telephone number');
  }
  const socialProfileUrl = cell('socialProfileUrl') || null;
  if (socialProfileUrl !== null && !/^\S+\.\S+$/.test(socialProfileUrl)) {
    return problem(headers[mapping.socialProfileUrl!]!, 'is not the address of a profile');
  }
  if (email === null && phone === null && socialProfileUrl === null) {
    return problem('', 'has no e-mail address, telephone number or profile URL');
  }
  const person = {
    ...nameOf(cell),
    role: cell('personRole') || null,
    email: email?.email ?? null,
    phone,
    socialProfileUrl,
  };
  return { person, company: companyOf(cell, person, file) };
}

const problem = (column: string, words: string): RowProblem => ({ column, problem: words });

function tooLongField(
  cells: readonly string[],
  { headers, mapping }: LeadFileFacts,
): RowProblem | undefined {
  for (const column of Object.values(mapping)) {
    if ((cells[column] ?? '').trim().length > MAX_LENGTH) {
      return problem(headers[column]!, `has more than ${MAX_LENGTH} characters`);
    }
  }
  return undefined;
}

/** `mailto:` and `Ada <ada@acme.com>` are understood; of several addresses the first is taken. */
function firstAddress(cell: string) {
  const bracketed = /<([^<>\s]+)>/.exec(cell)?.[1] ?? cell;
  const [first = ''] = bracketed.replace(/^mailto:/i, '').split(/[\s;,|]+/);
  return readEmailAddress(first);
}

function nameOf(cell: (field: LeadFileField) => string): { firstName: string; lastName: string } {
  const firstName = cell('personFirstName');
  const lastName = cell('personLastName');
  return firstName === '' && lastName === ''
    ? splitFullName(cell('personFullName'))
    : { firstName, lastName };
}

/**
 * A company without a name is called by its website, or by the domain of the person's address.
 * Where a list needs one and nothing tells which, the person stands for himself.
 */
function companyOf(
  cell: (field: LeadFileField) => string,
  person: NewPerson,
  { needsCompany, isFreeMail }: LeadFileFacts,
): NewCompany | null {
  const named = cell('companyName');
  const given = cell('companyWebsite') || null;
  // The domain of an address tells the company only where nothing else does.
  const website = given ?? (named === '' ? workDomain(person, isFreeMail) : null);
  const name = named || (website && hostOf(website));
  const own = `${person.firstName} ${person.lastName}`.trim() || contactOf(person);
  if (!name && !needsCompany) return null;
  return {
    name: name || own,
    website,
    phone: cell('companyPhone') || null,
    address: cell('companyAddress') || null,
    city: cell('companyCity') || null,
    state: cell('companyState') || null,
    countryCode: countryCodeOf(cell('companyCountryCode')) ?? null,
    category: cell('companyCategory') || null,
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
