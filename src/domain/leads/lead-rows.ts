/** Companies and leads while an import is planned: those that are stored, and those to be stored. */
import type { CustomValues } from './custom-fields.ts';
import type { PlainField } from './lead-fields.ts';
import type { FieldSource, Provenance } from './leads.ts';

/** What `fill` may change of a row; a stored row's changes are noted for the update. */
interface Planned {
  /** Null until it is stored. */
  id: number | null;
  /** Position among the new ones, from 0; -1 for what is stored. */
  index: number;
  /** Fields that were empty in the stored row and are filled in now. */
  fills: Record<string, unknown> | null;
  provenance: Provenance;
}

export interface PlannedCompany extends Planned {
  leadListId: number | null;
  name: string;
  nameKey: string;
  domain: string | null;
  domainKey: string | null;
  website: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  countryCode: string | null;
  category: string | null;
  rating: number | null;
  reviewsCount: number | null;
  mapsUrl: string | null;
  placeId: string | null;
  source: string | null;
}

export interface PlannedLead extends Planned, Record<PlainField, string | null> {
  company: PlannedCompany | null;
  /** The company of a stored lead; its row need not be among those that were looked up. */
  companyId: number | null;
  firstName: string;
  lastName: string;
  nameKey: string;
  email: string | null;
  emailKey: string | null;
  phone: string | null;
  phoneKey: string | null;
  socialProfileUrl: string | null;
  profileKey: string | null;
  /** By the ids of their fields; of stored leads those of deleted fields, too. */
  custom: CustomValues | null;
  source: string | null;
  validationScore: number | null;
  emailValid: boolean | null;
  validationStatus: string | null;
  validationReason: string | null;
  /** ISO 8601. */
  validatedAt: string | null;
  /** Of stored leads. */
  status: string | null;
  createdAt: string | null;
}

/** The sources of the values of one input, by field as on the wire. */
export interface Origin {
  provenance: Provenance | undefined;
  /** For fields that the input says nothing of. */
  otherwise: FieldSource;
}

/** Sets what is missing and never overwrites. True where the row took the value. */
export function fill<Row extends Planned, Key extends keyof Row>(
  row: Row,
  key: Key,
  value: Row[Key] | undefined,
): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (row[key] !== null && row[key] !== '') return false;
  set(row, key, value);
  return true;
}

export function set<Row extends Planned, Key extends keyof Row>(
  row: Row,
  key: Key,
  value: Row[Key],
): void {
  row[key] = value;
  if (row.id !== null) (row.fills ??= {})[String(key)] = value;
}

/** Notes where a value that a row has taken comes from. */
export function noteOrigin(row: Planned, field: string, origin: Origin): void {
  const { fields } = origin.provenance ?? {};
  const source = fields?.[field] ?? fields?.['*'];
  // The source and time of a new row apply to all its fields.
  if (source === undefined && row.id === null) return;
  addProvenance(row, { fields: { [field]: source ?? origin.otherwise } });
}

/** What is there stays; runs, files and map entries are those of the first import. */
export function addProvenance(row: Planned, more: Provenance | undefined): void {
  const known = row.provenance;
  if (!adds(more?.fields, known.fields) && !adds(more?.import, known.import)) return;
  const fields = { ...more?.fields, ...known.fields };
  const found = { ...more?.import, ...known.import };
  row.provenance = {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(Object.keys(found).length > 0 && { import: found }),
  };
  if (row.id !== null) (row.fills ??= {}).provenance = row.provenance;
}

/** Whether there is a key that is not known yet; most of the time there is none. */
function adds(more: object | undefined, known: object | undefined): boolean {
  for (const key in more) if (known === undefined || !(key in known)) return true;
  return false;
}

/** Keeps the rows of each key in the order of their age, whenever they get the key. */
export function addToIndex<Row extends Planned>(
  index: Map<string, Row[]>,
  key: string,
  row: Row,
): void {
  const rows = index.get(key);
  if (!rows) index.set(key, [row]);
  else if (!rows.includes(row)) {
    rows.push(row);
    if (isOlder(row, rows.at(-2)!)) rows.sort((one, other) => (isOlder(one, other) ? -1 : 1));
  }
}

/** New rows are younger than stored ones, and get their ids in their order. */
const isOlder = (one: Planned, other: Planned): boolean =>
  one.id === null || other.id === null
    ? other.id === null && (one.id !== null || one.index < other.index)
    : one.id < other.id;
