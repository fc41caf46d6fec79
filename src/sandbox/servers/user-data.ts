/** What the simulated cloud-init reads from the user-data of a server's order. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import ssh2 from 'ssh2';

export interface FirstBoot {
  /** OpenSSH private key of the host; fresh when the user-data has none. */
  hostKey: string;
  /** May log in as root beside those of the order. */
  loginKeys: string[];
  writtenFiles: string[];
  /** The content of `/etc/outreach-rebuild/id`. */
  mark: string | undefined;
  /** Digests of what it wrote, by path. */
  digests: Record<string, string>;
  /** The user-data is not a cloud-config: cloud-init ends with `status: error`. */
  failed: boolean;
}

const MARK_PATH = '/etc/outreach-rebuild/id';

/** Reads `ssh_keys`, `ssh_authorized_keys` and `write_files`; anything else of the cloud-config needs no simulation. */
export function readUserData(userData: string): FirstBoot {
  const config = parseCloudConfig(userData);
  const given = record(config?.['ssh_keys'])?.['ed25519_private'];
  const hostKey = typeof given === 'string' && isPrivateKey(given) ? given : freshHostKey();
  const files = config?.['write_files'];
  const writtenFiles = Array.isArray(files)
    ? files.map((file) => record(file)?.['path']).filter((path) => typeof path === 'string')
    : [];
  const digests: Record<string, string> = {};
  for (const file of Array.isArray(files) ? files.map(record) : []) {
    if (typeof file?.['path'] === 'string') digests[file['path']] = digestOf(file);
  }
  const marked = (Array.isArray(files) ? files.map(record) : []).find(
    (file) => file?.['path'] === MARK_PATH,
  );
  const mark = marked && String(marked['content']);
  const keys = config?.['ssh_authorized_keys'];
  const loginKeys = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  return { hostKey, loginKeys, writtenFiles, mark, digests, failed: config === undefined };
}

/** Of the content, as cloud-init unpacks it; the first 16 digits, as hosts tell it. */
function digestOf(file: Record<string, unknown> | undefined): string {
  const given = file?.['content'];
  const content = typeof given === 'string' ? given : '';
  const isPacked = file?.['encoding'] === 'gz+b64';
  const written = isPacked ? gunzipSync(Buffer.from(content, 'base64')) : content;
  return createHash('sha256').update(written).digest('hex').slice(0, 16);
}

function parseCloudConfig(userData: string): Record<string, unknown> | undefined {
  // Without user-data there is nothing to do, and nothing to fail.
  if (userData.trim() === '') return {};
  if (!userData.startsWith('#cloud-config')) return undefined;
  try {
    return record(parse(userData)) ?? {};
  } catch {
    return undefined;
  }
}

const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;

function isPrivateKey(text: string): boolean {
  const key = ssh2.utils.parseKey(text);
  return !(key instanceof Error) && key.isPrivateKey();
}

/** ssh2 1.17 breaks one key in 256 (a leading zero byte is lost): such a key is made again. */
function freshHostKey(): string {
  const key = ssh2.utils.generateKeyPairSync('ed25519').private;
  return isPrivateKey(key) ? key : freshHostKey();
}
