/** `outreach token`: mints a development token, as the web application would in production. */
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { SignJWT } from 'jose';
import { readJwtSettings } from '../config.ts';

interface TokenOptions {
  userId: string;
  email?: string;
  name: string;
  expiresIn: number;
  world: string;
}

export const tokenCommand = () =>
  new Command('token')
    .description('Prints a JWT (HS256) for local use.')
    .option('--user-id <id>', 'claim userId; a user never seen before exists at once', 'quickstart')
    .option('--email <address>', 'claim email (default: <user-id>@example.test)')
    .option('--name <name>', 'claim name', 'Quick Start')
    .option('--expires-in <seconds>', 'lifetime in seconds', positive, 86_400)
    .option('--world <file>', "a running world's file", '.outreach/world.json')
    .addHelpText(
      'after',
      `
The secret is JWT_SECRET of the environment, else the one of the running world.

Examples:
  $ outreach token
  $ outreach token --user-id alice --expires-in 600
  $ curl -H "Authorization: Bearer $(outreach token)" http://127.0.0.1:3000/wallet`,
    )
    .action(async (options: TokenOptions) => {
      const settings = readJwtSettings();
      const secret = settings.JWT_SECRET ?? secretOfWorld(options.world);
      const now = Math.floor(Date.now() / 1_000);
      const { userId, name } = options;
      const token = new SignJWT({ userId, email: options.email ?? `${userId}@example.test`, name })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now)
        .setExpirationTime(now + options.expiresIn);
      if (settings.JWT_ISSUER) token.setIssuer(settings.JWT_ISSUER);
      if (settings.JWT_AUDIENCE) token.setAudience(settings.JWT_AUDIENCE);
      console.log(await token.sign(new TextEncoder().encode(secret)));
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

function positive(text: string): number {
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('Not a positive whole number.');
}
