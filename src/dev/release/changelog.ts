/** Is there a changelog of this version, and no release of it yet? */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The lines of the top section; throws where that is not about `version`, or says nothing. */
export async function changesOf(root: string, version: string): Promise<string[]> {
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  return topChanges(text, version);
}

/** As `changesOf`, of the file's text. */
export function topChanges(text: string, version: string): string[] {
  const [, title, body = ''] = /^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  if (title?.trim() !== version) {
    throw new Error(`CHANGELOG.md begins with ${title ?? 'nothing'}, not with ${version}`);
  }
  const changes = body.split(/^- /m).slice(1);
  if (changes.length === 0) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return changes.map((change) => change.trim().replaceAll(/\s+/g, ' '));
}
