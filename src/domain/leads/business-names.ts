/** Names of businesses where one of a person is looked for: nobody is greeted as "Joe's Pizza & Grill". */
import { personNameKey } from './lead-keys.ts';

/** Legal forms, as the last word. Those that people are called as well (Sá, Sas) only with their dots. */
const FORMS = [
  'gmbh|mbh|ug|ag|kg|kgaa|ohg|gbr|e\\.\\s?k',
  'inc|incorporated|llc|pllc|llp|ltd|limited|plc|corp|corporation',
  's\\.a|s\\.a\\.s|sarl|s\\.l|s\\.l\\.u|slu|srl|s\\.r\\.l|s\\.p\\.a|s\\.n\\.c|ltda|eireli',
  'bv|b\\.v|n\\.v|oy|oyj|aps|a\\/s|kft|zrt|s\\.r\\.o|d\\.o\\.o|z\\s?o\\.\\s?o',
].join('|');

/**
 * What no name of one person has: `&`, a dash between blanks, a digit, a legal form at the end. "Anna-Lena" and
 * "O'Neil" have none of it. "Jean & Marie" is taken for a business: it cannot be told from "Smith & Sons", and a
 * greeting without a name suits both. Written for JavaScript and for Postgres, in any case.
 */
export const BUSINESS_SIGNS = `&|\\s[-–—|]\\s|[0-9]|(^|[\\s,])(${FORMS})\\.?$`;

const SIGNS = new RegExp(BUSINESS_SIGNS, 'i');

/** Whether a name that stands where a person's is expected is one of a business. */
export const looksLikeBusiness = (name: string): boolean => SIGNS.test(name.trim());

/** A legal form behind a name. Written for JavaScript and for Postgres, in any case. */
export const FORM_BEHIND_NAME = `[\\s,]+(${FORMS})\\.?$`;

const FORM = new RegExp(FORM_BEHIND_NAME, 'i');

/**
 * Whether a name without a last one is a business's: by its signs, or because it is the company's but for the legal
 * form. Of one word it may still be a founder's: Anna of the Anna GmbH.
 */
export function isSingleNameOfBusiness(name: string, company: string | null | undefined): boolean {
  if (looksLikeBusiness(name)) return true;
  if (!/\s/.test(name.trim())) return false;
  const of = (company ?? '').trim().replace(FORM, '');
  return isNameOfCompany({ firstName: name, lastName: '' }, of);
}

/** Whether both are the same name, however it was split. */
export function isNameOfCompany(
  { firstName, lastName }: { firstName: string; lastName: string },
  company: string | null | undefined,
): boolean {
  const key = personNameKey(firstName, lastName);
  return key !== '' && key === personNameKey(company ?? '', '');
}
