/** Finds files that import each other, directly or through others, values or types. */
import { importedFiles, type SourceFile } from './import-check.ts';

/** The state of a file while the graph is walked. */
interface Visit {
  path: string;
  /** The order in which files were found. */
  number: number;
  /** The earliest file on the way here that can be reached from this one. */
  earliest: number;
}

/**
 * Groups of files each of which reaches all others of its group, sorted; files by themselves are not
 * among them. Tarjan, Depth-first search and linear graph algorithms (1972).
 */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(files.map((file) => [file.path, importedFiles(file)]));
  const visits = new Map<string, Visit>();
  const open: Visit[] = [];
  const circles: string[][] = [];
  const walk = (path: string): Visit => {
    const visit = { path, number: visits.size, earliest: visits.size };
    visits.set(path, visit);
    open.push(visit);
    for (const target of imports.get(path)!) {
      if (!imports.has(target)) continue;
      const known = visits.get(target);
      if (!known) visit.earliest = Math.min(visit.earliest, walk(target).earliest);
      else if (open.includes(known)) visit.earliest = Math.min(visit.earliest, known.number);
    }
    if (visit.earliest === visit.number) {
      const group = open.splice(open.indexOf(visit)).map((each) => each.path);
      if (group.length > 1 || imports.get(path)!.includes(path)) circles.push(group.toSorted());
    }
    return visit;
  };
  for (const { path } of files) if (!visits.has(path)) walk(path);
  return circles.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
