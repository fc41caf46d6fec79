/** What is believed of reports that nobody signs. Choice 78. */
import { describe, expect, it } from 'vitest';
import { judgeAlignment } from '../../src/domain/mail-reports/alignment.ts';
import { isRoleAddress } from '../../src/domain/mail-reports/role-mailboxes.ts';

describe('the alignment of our own server', () => {
  it.each([
    ['unknown', 'nobody reports', { messages: 0, failed: 0, reporters: 0 }],
    ['ok', 'nothing fails', { messages: 9, failed: 0, reporters: 0 }],
    ['warning', 'one reporter says so of a few', { messages: 40, failed: 40, reporters: 1 }],
    ['failing', 'one reporter says so of many', { messages: 50, failed: 50, reporters: 1 }],
    ['failing', 'two reporters say so', { messages: 2, failed: 2, reporters: 2 }],
    ['warning', 'few of many fail', { messages: 10_000, failed: 499, reporters: 9 }],
    ['failing', 'a twentieth fails', { messages: 10_000, failed: 500, reporters: 9 }],
  ] as const)('is %s where %s', (state, _why, facts) => {
    expect(judgeAlignment(facts)).toBe(state);
  });
});

describe('a role address', () => {
  it.each([
    ['postmaster@acme.com', true],
    ['Abuse@acme.com', true],
    ['postmasters@acme.com', false],
    ['ann@abuse.com', false],
  ])('%s: %s', (address, isRole) => {
    expect(isRoleAddress(address)).toBe(isRole);
  });
});
