/** Types of installed.mjs, which has to run before anything that could compile it. */
export function supportsNode(version: string): boolean;
export function isInstalled(root: string): boolean;
