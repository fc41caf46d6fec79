/** What the answers of DNS blocklists mean (RFC 5782), and what they do not. */
import { describe, expect, it } from 'vitest';
import { blocklistOf, queryName, readAnswer } from '../../src/domain/clusters/blocklists.ts';

describe('an answer of a blocklist', () => {
  it.each([
    [[], { state: 'clean' }],
    [['127.0.0.2'], { state: 'listed', codes: ['127.0.0.2'] }],
    [['127.0.0.10', '127.0.0.3'], { state: 'listed', codes: ['127.0.0.10', '127.0.0.3'] }],
    // Spamhaus: a mistyped zone, a public resolver, too many queries.
    [['127.255.255.252'], { state: 'unanswered' }],
    [['127.255.255.254'], { state: 'unanswered' }],
    [['127.255.255.255'], { state: 'unanswered' }],
    // A domain dealer's page.
    [['203.0.113.7'], { state: 'unanswered' }],
  ])('%j is %j', (addresses, meaning) => {
    expect(readAnswer(addresses)).toEqual(meaning);
  });

  it('is asked for by the address backwards', () => {
    expect(queryName('192.0.2.7', 'bl.test')).toBe('7.2.0.192.bl.test');
  });

  it('shows the list without the key in its zone', () => {
    const { name, zone } = blocklistOf('abc123secret.zen.dq.spamhaus.net');
    expect(name).toBe('zen.spamhaus.org');
    expect(zone).toContain('abc123secret');
    expect(blocklistOf('bl.spamcop.net').name).toBe('bl.spamcop.net');
  });
});
