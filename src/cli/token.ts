/** `outreach token`: signs a token as the web application does, also where there is none. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { SignJWT } from 'jose';
import { readJwtSettings } from '../config.ts';
import { positive } from './arguments.ts';
import { EXIT_CODES, printJson, WORLD_FILE, type Io } from './io.ts';

interface TokenOptions {
  userId: string;
  email?: string;
  name: string;
  expiresIn: number;
  world: string;
  json?: boolean;
}

export const tokenCommand = (io: Io) =>
  new Command('token')
    .description(
      'Prints a JWT (HS256): the way to a first API key where no web application makes them.',
    )
    .option('--user-id <id>', 'claim userId; a user never seen before exists at once', 'quickstart')
    .option('--email <address>', 'claim email (default: <user-id>@example.test)')
    .option('--name <name>', 'claim name', 'Quick Start')
    .option('--expires-in <seconds>', 'lifetime in seconds', positive, 86_400)
    .option('--json', 'one JSON document on stdout, for programs')
    .option('--world <file>', "a running world's file", WORLD_FILE)
    .addHelpText(
      'after',
      `
The secret is the first of JWT_SECRET of the environment, else the one of the running world.
${EXIT_CODES}

Examples:
  $ outreach token
  $ outreach token --user-id alice --expires-in 600
  $ outreach token --json | jq -r .expiresAt
  $ curl -H "Authorization: Bearer $(outreach token)" http://127.0.0.1:3000/wallet
  $ curl -H "Authorization: Bearer $(outreach token --user-id me --email me@acme.com)" \\
      -H 'Content-Type: application/json' -d '{"name": "mine"}' https://outreach.acme.com/api/keys`,
    )
    .action(async (options: TokenOptions) => {
      const settings = readJwtSettings(io.environment);
      const secret = settings.JWT_SECRET[0] ?? secretOfWorld(options.world);
      const now = Math.floor(Date.now() / 1_000);
      const { userId, name } = options;
      const expires = now + options.expiresIn;
      const claims = new SignJWT({ userId, email: options.email ?? `${userId}@example.test`, name })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now)
        .setExpirationTime(expires);
      if (settings.JWT_ISSUER) claims.setIssuer(settings.JWT_ISSUER);
      if (settings.JWT_AUDIENCE) claims.setAudience(settings.JWT_AUDIENCE);
      const token = await claims.sign(new TextEncoder().encode(secret));
      const expiresAt = new Date(expires * 1_000).toISOString();
      if (options.json) printJson(io, { token, userId, expiresAt });
      else io.out(token);
    });

function secretOfWorld(file: string): string {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { jwtSecret: string }).jwtSecret;
  } catch {
    throw new Error(
      `JWT_SECRET is not set and ${file} cannot be read: set it, or start a world with ` +
        '`npm run quickstart`.',
    );
  }
}
