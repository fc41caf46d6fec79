/** Names of businesses where one of a person is looked for: nobody is greeted as "Joe's Pizza & Grill". */
import { personNameKey } from './lead-keys.ts';

/** Legal forms, as the last word. Those that people are called as well (Sá, Sas) only with their dots. */
const FORMS = [
  'gmbh|mbh|ug|ag|kg|kgaa|ohg|gbr|e\\.\\s?k',
  'inc|incorporated|llc|pllc|llp|ltd|limited|plc|corp|corporation',
  's\\.a|s\\.a\\.s|sarl|s\\.l|s\\.l\\.u|slu|srl|s\\.r\\.l|s\\.p\\.a|s\\.n\\.c|ltda|eireli',
  'bv|b\\.v|n\\.v|oy|oyj|aps|a\\/s|kft|zrt|s\\.r\\.o|d\\.o\\.o|z\\s?o\\.\\s?o',
].join('|');

/** Somebody's: "Joe's Pizza", "McDonald's". "O'Neil" is a name, and so is "Дар'я". */
const POSSESSIVE = "\\S['’´`]s(\\s|$)";

/** What a business is, in front of its name. None of them is a first name. */
const KINDS_IN_FRONT = [
  'hotel|restaurant|ristorante|restaurante|pizza|pizzeria|trattoria|osteria|bistro|gasthof|gasthaus|cafe|café',
  'bäckerei|konditorei|boulangerie|metzgerei|apotheke|pharmacie|farmacia|praxis|zahnarztpraxis|clinica|clínica|clinique',
  'studio|garage|autohaus|kanzlei|cabinet|agence|agencia',
].join('|');

/** And behind it. None of them is a last name, as Coffee, House and Law are. */
const KINDS_BEHIND = [
  'hotel|restaurant|pizzeria|bakery|pharmacy|clinic|dental|realty|immobilien|agency|agentur',
  'plumbing|roofing|landscaping|construction|consulting|solutions|services',
].join('|');

/**
 * What no name of one person has: `&`, a dash between blanks, a digit, a legal form at the end, a possessive, a word for
 * a kind of business beside others. "Anna-Lena" and "O'Neil" have none of it. "Jean & Marie" is taken for a business: it
 * cannot be told from "Smith & Sons", and a greeting without a name suits both. Written for JavaScript and for Postgres,
 * in any case.
 */
export const BUSINESS_SIGNS = [
  `&|\\s[-–—|]\\s|[0-9]|(^|[\\s,])(${FORMS})\\.?$`,
  `${POSSESSIVE}|^(${KINDS_IN_FRONT})\\s|\\s(${KINDS_BEHIND})$`,
].join('|');

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

/**
 * Legal forms that stand for no person even as a last name. Those of two letters and with dots are initials as well:
 * Suresh KG, Prasad B.V.
 */
const SURE_FORMS = [
  'gmbh|mbh|kgaa|ohg|gbr|inc|incorporated|llc|pllc|llp|ltd|limited|plc|corp|corporation',
  'sarl|slu|srl|ltda|eireli|oyj|aps|a\\/s|kft|zrt',
].join('|');

const SURE_FORM_BEHIND = `[\\s,](${SURE_FORMS})\\.?$`;

/**
 * What no first name has beside a last one: a legal form, a number, a possessive, a word for a kind of business in front,
 * `&` or a dash among more than two words. "Anna & Tom" Weber and "Jean - Luc" Picard are people. This and what follows is
 * written for JavaScript and for Postgres, in any case.
 */
export const BUSINESS_IN_FIRST_NAME = [
  SURE_FORM_BEHIND,
  '(^|\\s)[0-9]+(\\s|$)',
  POSSESSIVE,
  `^(${KINDS_IN_FRONT})(\\s|$)`,
  '\\S\\s+\\S+(\\s*&|\\s+[-–—|]\\s)',
  '(&\\s*|\\s[-–—|]\\s+)\\S+\\s+\\S',
].join('|');

/** What no last name of one person has. "Smith - Jones" is one. */
export const BUSINESS_IN_LAST_NAME = '&';

/** What no first and last name have together, wherever they were split: "Smith & Sons" Plumbing, "Acme" GmbH. */
export const BUSINESS_IN_FULL_NAME = [
  SURE_FORM_BEHIND,
  '&\\s*(sons?|brothers|bros|daughters?|co|company|partners?|associates|söhne|sohn|töchter|cie|fils|hijos|figli)([\\s,.]|$)',
].join('|');

/** A legal form, and nothing else. */
export const FORM_ALONE = `^(${FORMS})\\.?$`;

const IN_FIRST = new RegExp(BUSINESS_IN_FIRST_NAME, 'i');
const IN_LAST = new RegExp(BUSINESS_IN_LAST_NAME, 'i');
const IN_FULL = new RegExp(BUSINESS_IN_FULL_NAME, 'i');
const ALONE = new RegExp(FORM_ALONE, 'i');

/** Whether a first and a last name are a business's: by what no person's have, or a company's and its legal form. */
export function areNamesOfBusiness(
  firstName: string,
  lastName: string,
  company: string | null | undefined,
): boolean {
  const [first, last] = [firstName.trim(), lastName.trim()];
  if (IN_FIRST.test(first) || IN_LAST.test(last) || IN_FULL.test(`${first} ${last}`)) return true;
  const of = (company ?? '').trim().replace(FORM, '');
  return ALONE.test(last) && isNameOfCompany({ firstName: first, lastName: '' }, of);
}

/** Whether both are the same name, however it was split. */
export function isNameOfCompany(
  { firstName, lastName }: { firstName: string; lastName: string },
  company: string | null | undefined,
): boolean {
  const key = personNameKey(firstName, lastName);
  return key !== '' && key === personNameKey(company ?? '', '');
}
