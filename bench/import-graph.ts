/** Which npm packages a built program loads: follows the relative imports of its JavaScript. */
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

/** Specifiers of all packages that are reached from `entry` by static imports, sorted. */
export async function packagesOf(entry: URL): Promise<string[]> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file; file = open.pop()) {
    if (files.has(file.href)) continue;
    files.add(file.href);
    for (const specifier of importsOf(await readFile(file, 'utf8'))) {
      if (specifier.startsWith('.')) open.push(new URL(specifier, file));
      else if (!isBuiltin(specifier)) packages.add(specifier);
    }
  }
  return [...packages].toSorted();
}

/** The compiler leaves no imports of types, and each import begins a line. */
const importsOf = (code: string): string[] =>
  [
    ...code.matchAll(/^(?:import\s+|(?:import|export)\s+[\w\s{},*$]*?\sfrom\s+)['"]([^'"]+)['"]/gm),
  ].map((match) => match[1]!);
