/** Rows of a lead file as companies with people, and the rows that are refused. */
import { isBlank, readRecord, type Delimiter } from './csv.ts';
import {
  readLeadRow,
  type LeadFileFacts,
  type LeadFileRow,
  type RowProblem,
} from './lead-file-rows.ts';
import type { LeadGroup } from './leads.ts';

export interface LeadFilePartFacts extends LeadFileFacts {
  importId: number;
  fileName: string | null;
  /** When the file came in, ISO 8601. */
  at: string;
  delimiter: Delimiter;
}

/** A row that cannot be imported, as it stands in the file. */
export interface RefusedRow extends RowProblem {
  /** As a spreadsheet counts: the header is row 1. */
  number: number;
  cells: string[];
}

export interface FileRows {
  groups: LeadGroup[];
  problems: RefusedRow[];
}

/**
 * Reads whole rows; those of one company are one group, in the order of the first of each. Every
 * row that is not blank ends in exactly one of the two lists.
 */
export function readLeadRows(
  part: { firstRow: number; content: string },
  file: LeadFilePartFacts,
): FileRows {
  const { content } = part;
  const groups = new Map<string, LeadGroup>();
  const problems: RefusedRow[] = [];
  let number = part.firstRow;
  for (let at = 0; at < content.length; number += 1) {
    const { cells, end } = readRecord(content, at, file.delimiter);
    at = end;
    if (isBlank(cells)) continue;
    const row = readLeadRow(cells, file);
    if ('problem' in row) problems.push({ ...row, number, cells });
    else addRow(groups, row, originOf(file, number));
  }
  return { groups: [...groups.values()], problems };
}

function addRow(
  groups: Map<string, LeadGroup>,
  { person, company }: LeadFileRow,
  provenance: NonNullable<LeadFileRow['person']['provenance']>,
): void {
  person.provenance = provenance;
  const key = company === null ? '' : JSON.stringify(company);
  const group = groups.get(key);
  if (group) group.people.push(person);
  else groups.set(key, { company, people: [person], provenance });
}

/** Spec: Lead, provenance. One entry speaks for all fields of the row. */
const originOf = ({ importId, fileName, at }: LeadFilePartFacts, number: number) => ({
  fields: { '*': { source: 'csv', url: `${fileName ?? `import ${importId}`}, row ${number}`, at } },
  import: { importId },
});
