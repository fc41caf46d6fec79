/** The world's own user: a JWT signed with the state dir's secret, and an API key made with it. */
import { SignJWT } from 'jose';
import { saveSecrets, type Secrets } from './secrets.ts';

/** Long enough for a working day with the world. */
const lifetime = '24h';

/** A development JWT (HS256) with the claims that the API asks for. */
export async function mintJwt(secret: string, userId = 'quickstart'): Promise<string> {
  return new SignJWT({ userId, email: `${userId}@example.test`, name: 'Quick Start' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(new TextEncoder().encode(secret));
}

/** The key of earlier starts when the API still accepts it, else a new one, stored under `name` for later starts. */
export async function ensureApiKey(
  { api, jwt, stateDir }: { api: string; jwt: string; stateDir: string },
  secrets: Secrets,
  name: 'apiKey' | 'testApiKey' = 'apiKey',
): Promise<string> {
  const kept = secrets[name];
  if (kept && (await isTaken(api, kept))) return kept;
  const answer = await fetch(`${api}/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'quickstart' }),
  });
  const body = (await answer.json()) as { data?: { key?: string }; error?: string };
  const apiKey = body.data?.key;
  if (answer.status !== 201 || !apiKey) {
    throw new Error(`POST /api/keys answered ${answer.status}: ${body.error ?? 'no key'}`);
  }
  secrets[name] = apiKey;
  await saveSecrets(stateDir, secrets);
  return apiKey;
}

async function isTaken(api: string, key: string): Promise<boolean> {
  const answer = await fetch(`${api}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  await answer.body?.cancel();
  return answer.status !== 401;
}
