/** Rows of a lead file as companies with people, and the rows that are refused. */
import { isBlank, readRecord, type Delimiter } from '../csv.ts';
import { readLeadRow, type LeadFileFacts, type RowProblem } from './lead-file-rows.ts';
import type { LeadGroup, NewCompany } from './leads.ts';

export interface LeadFilePartFacts extends LeadFileFacts {
  importId: number;
  fileName: string | null;
  /** When the file came in, ISO 8601. */
  at: string;
  delimiter: Delimiter;
}

/** A row that cannot be imported, unchanged. */
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
  const groups: LeadGroup[] = [];
  const byName = new Map<string, LeadGroup[]>();
  const problems: RefusedRow[] = [];
  let number = part.firstRow;
  for (let at = 0; at < content.length; number += 1) {
    const { cells, end } = readRecord(content, at, file.delimiter);
    at = end;
    if (isBlank(cells)) continue;
    const row = readLeadRow(cells, file);
    if ('problem' in row) {
      problems.push({ ...row, number, cells });
      continue;
    }
    const { person, company } = row;
    person.provenance = originOf(file, number);
    const name = company?.name ?? '';
    const known = byName.get(name);
    const group = known?.find((each) => isSame(each.company, company));
    if (group) group.people.push(person);
    else {
      const added = { company, people: [person], provenance: person.provenance };
      groups.push(added);
      if (known) known.push(added);
      else byName.set(name, [added]);
    }
  }
  return { groups, problems };
}

/** Whether two rows say the same of their company. */
function isSame(one: NewCompany | null, other: NewCompany | null): boolean {
  if (one === null || other === null) return one === other;
  for (const key in one)
    if (one[key as keyof NewCompany] !== other[key as keyof NewCompany]) return false;
  return true;
}

/** Spec: Provenance. One entry applies to all fields of the row. */
const originOf = ({ importId, fileName, at }: LeadFilePartFacts, number: number) => ({
  fields: { '*': { source: 'csv', url: `${fileName ?? `import ${importId}`}, row ${number}`, at } },
  import: { importId },
});
