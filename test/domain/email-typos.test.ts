/** Which domains are taken for slips, and which never. */
import { describe, expect, it } from 'vitest';
import {
  editDistance,
  suggestAddress,
  suggestDomain,
} from '../../src/domain/email-validation/email-typos.ts';

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.cmo', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.om', 'gmail.com'],
    ['gmail.comm', 'gmail.com'],
    ['gmail.fr', 'gmail.com'],
    ['gmail.co.uk', 'gmail.com'],
    ['gmial.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmal.com', 'hotmail.com'],
    ['homtail.com', 'hotmail.com'],
    ['hotmal.fr', 'hotmail.fr'],
    ['outlok.com', 'outlook.com'],
    ['outllook.de', 'outlook.de'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.co.uk', 'yahoo.co.uk'],
    ['yahoo.co', 'yahoo.com'],
    ['iclould.com', 'icloud.com'],
    ['icoud.com', 'icloud.com'],
    ['googelmail.com', 'googlemail.com'],
    ['protonmial.com', 'protonmail.com'],
    ['comcats.net', 'comcast.net'],
    ['comcast.nte', 'comcast.net'],
    ['t-onlne.de', 't-online.de'],
    ['btintrenet.com', 'btinternet.com'],
    ['acme.con', 'acme.com'],
    ['acme.cmo', 'acme.com'],
    ['acme.ogr', 'acme.org'],
  ])('%s -> %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each(
    [
      'gmail.com googlemail.com hotmail.com hotmail.fr hotmail.co.uk outlook.com outlook.com.br',
      'yahoo.com yahoo.fr yahoo.co.uk yahoo.com.au live.com live.nl msn.com aol.com icloud.com me.com',
      'mac.com mail.com email.com ymail.com gmx.de gmx.net gmx.at gmx.com web.de t-online.de',
      'freenet.de mail.ru yandex.ru yandex.com bk.ru orange.fr free.fr sfr.fr laposte.net libero.it',
      'alice.it virgilio.it wp.pl o2.pl onet.pl seznam.cz qq.com 163.com naver.com proton.me pm.me',
      'protonmail.com fastmail.com fastmail.fm zoho.com att.net cox.net comcast.net verizon.net',
      'cloud.com never.com orange.com acme.com acme.co acme.cm acme.de bluewin.ch telnet.be',
      'gmelin.com mailbox.org posteo.de rocketmail.com hey.com xn--bcher-kva.de a.co',
    ]
      .join(' ')
      .split(' '),
  )('leaves %s alone', (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  it('answers the whole address as it was meant', () => {
    expect(suggestAddress({ local: 'Ann.Lee', domain: 'gmial.com' })).toBe('Ann.Lee@gmail.com');
    expect(suggestAddress({ local: 'ann', domain: 'gmail.com' })).toBeNull();
  });
});

describe('editDistance', () => {
  it.each([
    ['gmail', 'gmail', 0],
    ['gmail', 'gmial', 1],
    ['gmail', 'gail', 1],
    ['gmail', 'ggmail', 1],
    ['gmail', 'gnail', 1],
    ['gmail', 'nmial', 2],
    ['gmail', 'outlook', 3],
    ['', 'ab', 2],
  ])('%s, %s: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});
