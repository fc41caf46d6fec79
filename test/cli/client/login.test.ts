/** `outreach login`, `logout` and `whoami` against the API: what is stored, what goes before what, what is never shown. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { terminalInput } from '../../../src/cli/client/terminal.ts';
import { describeApi } from '../../support/api/describe-api.ts';
import { makeHome, outreachWith, piping, typing } from '../../support/cli/client.ts';

const { api } = describeApi();
let key: string;
let other: string;
let home: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  const token = await api.jwt('login');
  const made = async (body: object) =>
    (await api.call('POST', '/api/keys', { token, body })).body.data.key as string;
  key = await made({ name: 'Laptop' });
  other = await made({ name: 'Reader', scopes: ['leads:read'] });
});
beforeEach(async () => {
  ({ home, remove } = await makeHome());
});
afterEach(() => remove());

const file = () => join(home, '.config/outreach/credentials.json');
const outreach = (argv: string[], input?: Parameters<typeof outreachWith>[2], environment = {}) =>
  outreachWith({ HOME: home, ...environment }, argv, input);
const login = (...options: string[]) =>
  outreach(['login', '--url', api.url, ...options], piping(key));

describe('outreach login', () => {
  it('checks the key and stores it for its owner alone', async () => {
    const { code, out, err } = await login();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Logged in to ${api.url} by the key "Laptop". Profile default`);
    expect(out).not.toContain('svc_');
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.config/outreach'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({
      profiles: { default: { url: api.url, apiKey: key } },
    });
  });

  it('asks a person for both, and for the key without showing it', async () => {
    const person = typing(api.url, key);
    const { code, out } = await outreach(['login'], person);
    expect([code, out.includes(key)]).toEqual([0, false]);
    expect(person.questions).toEqual([
      ['URL of the API: ', false],
      ['API key: ', true],
    ]);
  });

  it('warns where others could read the key on its way', async () => {
    const url = api.url.replace('127.0.0.1', '0.0.0.0');
    const { code, err } = await login('--url', url);
    expect({ code, err }).toEqual({
      code: 0,
      err: `${url} is not encrypted: whoever is on the way reads the key. Use https.`,
    });
  });

  it('takes the key of a file, and the folder of XDG_CONFIG_HOME', async () => {
    const folder = join(home, 'elsewhere');
    const secret = join(home, 'key.txt');
    await writeFile(secret, `${key}\n`);
    const argv = ['login', '--url', `${api.url}/`, '--api-key', secret, '--json'];
    const { code, out } = await outreach(argv, undefined, { XDG_CONFIG_HOME: folder });
    expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'Laptop' }]);
    expect(await readFile(join(folder, 'outreach/credentials.json'), 'utf8')).toContain(key);
  });

  it.each([
    [
      'a key that is an argument',
      ['--url', 'https://a.test', '--api-key', `svc_${'a'.repeat(64)}`],
    ],
    ['an address with a password', ['--url', 'https://ann:secret@a.test']],
    ['no web address', ['--url', 'ftp://a.test']],
    ['nobody to ask', []],
  ])('refuses %s with 2, and does not repeat it', async (_, options) => {
    const { code, out, err } = await outreach(['login', ...options], piping(key));
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toMatch(/svc_a|secret/);
  });

  it('stores nothing where the key is wrong, or nobody answers', async () => {
    const wrong = `svc_${'b'.repeat(64)}`;
    const refused = await outreach(['login', '--url', api.url], piping(wrong));
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^UNAUTHORIZED: /) });
    expect(refused.err).toMatch(/^Request: \S+$/m);
    const away = await outreach(['login', '--url', 'http://127.0.0.1:9'], piping(wrong));
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('was not answered') });
    expect(`${refused.err}${away.err}`).not.toContain(wrong);
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });
});

describe('a login', () => {
  it('is one of several profiles, each with its own key', async () => {
    await login();
    await outreach(['login', '--url', api.url, '--profile', 'reader'], piping(other));
    const { out } = await outreach(['whoami', '--profile', 'reader']);
    expect(out).toMatch(/^Key: +Reader /m);
    expect(out).toMatch(/^May: +leads:read$/m);
    expect((await outreach(['whoami'])).out).toMatch(/^Key: +Laptop /m);
    for (const name of ['acme', 'constructor']) {
      const missing = await outreach(['whoami', '--profile', name]);
      expect(missing).toMatchObject({
        code: 1,
        err: expect.stringContaining(`no profile ${name}`),
      });
    }
  });

  it('comes after OUTREACH_URL and OUTREACH_API_KEY, which belong together', async () => {
    await login();
    const both = { OUTREACH_URL: api.url, OUTREACH_API_KEY: other };
    expect((await outreach(['whoami'], undefined, both)).out).toMatch(/^Key: +Reader /m);
    const named = await outreach(['whoami', '--profile', 'default'], undefined, both);
    expect(named.out).toMatch(/^Key: +Laptop /m);
    // The stored key is not sent to another place, nor the given one to where the stored key belongs.
    for (const [name, value] of Object.entries(both)) {
      const half = await outreach(['whoami'], undefined, { [name]: value });
      expect(half).toMatchObject({ code: 1, err: expect.stringMatching(/_(URL|KEY) is not set/) });
    }
  });

  it('refuses an address of the environment that holds a password, and does not repeat it', async () => {
    const environment = { OUTREACH_URL: 'https://ann:hidden@a.test', OUTREACH_API_KEY: key };
    const { code, err } = await outreach(['whoami'], undefined, environment);
    expect([code, err]).toEqual([1, expect.stringMatching(/^OUTREACH_URL is no address/)]);
    expect(err).not.toContain('hidden');
  });

  it('is forgotten by logout, and the file with the last one', async () => {
    await login();
    await login('--profile', 'acme');
    expect((await outreach(['logout'])).out).toBe('Forgotten: default');
    expect(await outreach(['whoami'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('You are not logged in'),
    });
    expect((await outreach(['logout', '--all'])).out).toBe('Forgotten: acme');
    await expect(stat(file())).rejects.toThrow('ENOENT');
    expect((await outreach(['logout'])).out).toBe('You were not logged in.');
  });

  it('is told of where others can read it, and not where its file is broken', async () => {
    await login();
    await chmod(file(), 0o644);
    expect((await outreach(['whoami'])).err).toContain(`chmod 600 ${file()}`);
    await mkdir(join(home, '.config/outreach'), { recursive: true });
    await writeFile(file(), `{"profiles": {"default": "${key}"}}`, { mode: 0o600 });
    await chmod(file(), 0o600);
    const broken = await outreach(['whoami']);
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('delete it') });
    expect(broken.err).not.toContain(key);
  });
});

describe('outreach whoami', () => {
  it('gives what the API gives of the key, or of the account of a token', async () => {
    const token = await api.jwt('login');
    const environment = { OUTREACH_URL: api.url, OUTREACH_API_KEY: key };
    const { out } = await outreach(['whoami', '--json'], undefined, environment);
    const { body } = await api.call('GET', '/api/keys/current', { token: key });
    const { lastUsedAt: _, ...shown } = JSON.parse(out);
    expect(body.data).toMatchObject(shown);
    const asToken = await outreach(['whoami'], undefined, {
      ...environment,
      OUTREACH_API_KEY: token,
    });
    expect(asToken.out).toMatch(/^Account: +login@example.test$/m);
  });
});

describe('a terminal', () => {
  it('shows nothing of what is typed at a hidden question', async () => {
    const shown: string[] = [];
    const screen = new Writable({
      write: (chunk, _encoding, done) => {
        shown.push(String(chunk));
        done();
      },
    });
    const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard });
    const input = terminalInput(keyboard as never, screen);
    const asked = input.ask('API key: ', { isHidden: true });
    keyboard.write('svc_typed\r');
    expect(await asked).toBe('svc_typed');
    expect(shown.join('')).toBe('API key: \n');
    const open = input.ask('Go on? ');
    keyboard.write('y\r');
    expect(await open).toBe('y');
    expect(shown.join('')).toContain('y');
    const broken = input.ask('API key: ', { isHidden: true });
    keyboard.write('\u0003');
    await expect(broken).rejects.toThrow('Broken off');
  });
});
