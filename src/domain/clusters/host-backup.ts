/** Names of backups of mail hosts. */

/** What a backup of a server is sealed for: it opens for no other. */
export const backupBinding = (intentName: string): string => `server:${intentName}:backup`;

/** `mail.acme.com-7-20261126T223500Z.sealed`: host, number of the server, when it was begun. */
export const backupName = (server: { id: number; host_name: string }, at: Date): string =>
  `${server.host_name}-${server.id}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.sealed`;

/** Those of one server among these names, the oldest first. */
export const backupsOf = (
  server: { id: number; host_name: string },
  names: readonly string[],
): string[] =>
  names
    .filter((name) => name.startsWith(`${server.host_name}-${server.id}-`))
    .filter((name) => /-\d{8}T\d{6}Z\.sealed$/.test(name))
    .toSorted();

/** A file of one folder, and no way out of it. */
export const isBackupName = (name: string): boolean =>
  name.length <= 255 && /^[a-z0-9][\w.-]*\.sealed$/i.test(name);
