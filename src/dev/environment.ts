/** The only place of the development tools that reads the environment. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface DevEnvironment {
  path: string;
  home: string | undefined;
  cacheHome: string | undefined;
  temporalAddress: string | undefined;
  temporalNamespace: string | undefined;
  temporalCliPath: string | undefined;
  /** `TEMPORAL_*` as given: passed to API and worker when the server is not ours. */
  temporalVariables: Record<string, string>;
  /** How booted servers send (`--vps real`); unset = directly. */
  smarthostUrl: string | undefined;
  /** What every child process needs, without the caller's settings. */
  inherited: Record<string, string>;
}

const inheritedNames = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'XDG_CACHE_HOME',
  'FORCE_COLOR',
  'NO_COLOR',
];

/** Reads the environment once; an empty variable counts as unset. */
export function devEnvironment(): DevEnvironment {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  const all = Object.fromEntries(given) as Record<string, string | undefined>;
  return {
    path: all['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    home: all['HOME'],
    cacheHome: all['XDG_CACHE_HOME'],
    temporalAddress: all['TEMPORAL_ADDRESS'],
    temporalNamespace: all['TEMPORAL_NAMESPACE'],
    temporalCliPath: all['TEMPORAL_CLI_PATH'],
    temporalVariables: Object.fromEntries(given.filter(([name]) => name.startsWith('TEMPORAL_'))),
    smarthostUrl: all['SMARTHOST_URL'],
    inherited: Object.fromEntries(given.filter(([name]) => inheritedNames.includes(name))),
  };
}

/** What one user's checkouts share: downloaded programs, images, claims of ports. */
export function cacheFolder(): string {
  const { cacheHome } = devEnvironment();
  return join(cacheHome ?? join(homedir(), '.cache'), 'outreach');
}
