/** Checks before anything is imported: a supported Node, packages as in the lock file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The same lines as "engines" in package.json, which only npm reads. */
const supportedLines = [
  { major: 20, minor: 20 },
  { major: 22, minor: 18 },
];

/** All later majors are supported. */
const anyFrom = 24;

/** `version` like "20.20.2". */
export function supportsNode(version) {
  const [major, minor] = version.split('.').map(Number);
  return (
    major >= anyFrom || supportedLines.some((line) => line.major === major && minor >= line.minor)
  );
}

/**
 * Compares package-lock.json with the copy that npm leaves in node_modules when it has finished.
 * Only names and versions count: a touched file is not a reason to install again.
 */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing or unreadable; restore it from git.');
  if (!installed) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    // Packages for other platforms are optional and not installed.
    if (!installed[path]) return Boolean(optional);
    return installed[path].version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
