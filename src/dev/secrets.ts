/** Secrets of one state dir: created once, stored with its data, recognizable as development ones. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

export interface Secrets {
  /** Production configuration refuses what begins with `development`. */
  jwtSecret: string;
  encryptionKeys: string;
  ownerPassword: string;
  appPassword: string;
  stripeWebhookSecret: string;
  codecToken: string;
  /** The API shows it only once, so it is stored here for later starts. */
  apiKey?: string;
  /** The same of test mode. */
  testApiKey?: string;
}

/** Reads `<stateDir>/secrets.json` or makes it. */
export async function loadSecrets(stateDir: string): Promise<Secrets> {
  const text = await readFile(file(stateDir), 'utf8').catch(() => undefined);
  if (text !== undefined) {
    // An older state dir has no token yet.
    const kept = JSON.parse(text) as Secrets;
    if (kept.codecToken !== undefined) return kept;
    const completed = { ...kept, codecToken: newCodecToken() };
    await saveSecrets(stateDir, completed);
    return completed;
  }
  const secrets: Secrets = {
    jwtSecret: `development-${randomBytes(24).toString('hex')}`,
    encryptionKeys: `development:${randomBytes(32).toString('base64')}`,
    ownerPassword: randomBytes(18).toString('hex'),
    appPassword: randomBytes(18).toString('hex'),
    stripeWebhookSecret: `whsec_${randomBytes(18).toString('hex')}`,
    codecToken: newCodecToken(),
  };
  await saveSecrets(stateDir, secrets);
  return secrets;
}

export async function saveSecrets(stateDir: string, secrets: Secrets): Promise<void> {
  await writePrivateFile(file(stateDir), secrets);
}

const newCodecToken = () => `development-${randomBytes(24).toString('hex')}`;

const file = (stateDir: string) => join(stateDir, 'secrets.json');
