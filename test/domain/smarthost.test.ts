/** SMARTHOST_URL: what is read from it, and what is refused. */
import { describe, expect, it } from 'vitest';
import { parseRelay, parseSmarthost } from '../../src/domain/clusters/smarthost.ts';

describe('a smarthost', () => {
  it('has a host, a port, a user and a password', () => {
    expect(parseSmarthost('smtp://ours:p4ss@Relay.Acme.com:2587')).toEqual({
      host: 'relay.acme.com',
      port: 2587,
      user: 'ours',
      password: 'p4ss',
    });
  });

  it('is asked on 587 where no port is named', () => {
    expect(parseSmarthost('smtp://ours:p4ss@relay.acme.com')?.port).toBe(587);
  });

  it('may have any character in user and password, as %xx', () => {
    const user = 'ann@acme.com';
    const password = `:/?#[]@ %"$'ü`;
    const [one, other] = [encodeURIComponent(user), encodeURIComponent(password)];
    expect(parseSmarthost(`smtp://${one}:${other}@relay.acme.com:587/`)).toMatchObject({
      user,
      password,
    });
  });

  it.each([
    '',
    'relay.acme.com:587',
    'http://ours:p4ss@relay.acme.com:587',
    'smtps://ours:p4ss@relay.acme.com:465',
    'smtp://relay.acme.com:587',
    'smtp://ours@relay.acme.com:587',
    'smtp://:p4ss@relay.acme.com:587',
    'smtp://ours:p4/ss@relay.acme.com:587',
    'smtp://ours:%zz@relay.acme.com:587',
    'smtp://ours:p4ss%0Arelayhost@relay.acme.com:587',
    'smtp://ours:p4ss%20@relay.acme.com:587',
    'smtp://ou%3Ars:p4ss@relay.acme.com:587',
    'smtp://ours:p4ss@relay:587',
    'smtp://ours:p4ss@192.0.2.1:587',
    'smtp://ours:p4ss@[2001:db8::1]:587',
    'smtp://ours:p4ss@relay.acme.com:0',
    'smtp://ours:p4ss@relay.acme.com:587/path',
    'smtp://ours:p4ss@relay.acme.com:587?tls=off',
    'smtp://ours:p4ss@re;reboot.acme.com:587',
  ])('is not read from %j', (text) => {
    expect(parseSmarthost(text)).toBeUndefined();
  });
});

describe('a relay of the service', () => {
  it.each([
    ['smtps://ours:s%40cret@relay.acme.com', 465, true],
    ['smtps://ours:s%40cret@relay.acme.com:2465', 2465, true],
    ['smtp://ours:s%40cret@relay.acme.com', 587, false],
  ])('is read from %s', (text, port, isTls) => {
    const login = { user: 'ours', password: 's@cret' };
    expect(parseRelay(text)).toEqual({ host: 'relay.acme.com', port, ...login, isTls });
  });

  it.each(['https://ours:x@relay.acme.com', 'smtps://relay.acme.com', 'relay.acme.com:465', ''])(
    'is not read from %j',
    (text) => expect(parseRelay(text)).toBeUndefined(),
  );

  it('in the clear is none that mail hosts may use over TLS at once', () => {
    expect(parseSmarthost('smtps://ours:x@relay.acme.com')).toBeUndefined();
  });
});
