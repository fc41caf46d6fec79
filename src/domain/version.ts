/** The version in package.json, which is not part of the build; a test compares both. */
export const version = '0.1.0';
