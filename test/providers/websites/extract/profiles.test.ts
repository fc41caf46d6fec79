/** Links to profiles come out in one form each; other links to the networks are left alone. */
import { describe, expect, it } from 'vitest';
import { combine, extractPage } from '../../../../src/providers/websites/extract/index.ts';

const url = 'https://www.acme.de/';
const page = (html: string) => extractPage({ html, url, countryCode: 'DE' });
const found = (html: string): string[] => page(html).profiles.map((profile) => profile.url);
const link = (href: string): string => `<a href="${href}">x</a>`;

describe('a profile', () => {
  it.each([
    [
      'https://www.facebook.com/AcmeBerlin/?ref=page_internal',
      'https://www.facebook.com/AcmeBerlin',
    ],
    ['http://de-de.facebook.com/acme/about', 'https://www.facebook.com/acme'],
    ['https://m.facebook.com/pg/acme/reviews/', 'https://www.facebook.com/acme'],
    [
      'https://www.facebook.com/profile.php?id=100077792115501&sk=about',
      'https://www.facebook.com/profile.php?id=100077792115501',
    ],
    [
      'https://www.facebook.com/p/Acme-100066676513815/',
      'https://www.facebook.com/p/Acme-100066676513815',
    ],
    [
      'https://www.facebook.com/pages/Acme/172296847881',
      'https://www.facebook.com/pages/Acme/172296847881',
    ],
    [
      'https://www.facebook.com/pages/category/Bakery/Acme-172296847881/',
      'https://www.facebook.com/Acme-172296847881',
    ],
    ['//instagram.com/acme.berlin?igshid=x', 'https://www.instagram.com/acme.berlin'],
    ['https://twitter.com/@acme', 'https://x.com/acme'],
    ['http://twitter.com/#!/acme', 'https://x.com/acme'],
    [
      'https://de.linkedin.com/company/acme-gmbh/mycompany',
      'https://www.linkedin.com/company/acme-gmbh',
    ],
    [
      'https://www.linkedin.com/in/anna-berg-123?trk=x',
      'https://www.linkedin.com/in/anna-berg-123',
    ],
    [
      'https://www.youtube.com/channel/UCYMMsGmlE6YXjeaJmdiFgjQ?view_as=x',
      'https://www.youtube.com/channel/UCYMMsGmlE6YXjeaJmdiFgjQ',
    ],
    ['https://youtube.com/@acme/videos', 'https://www.youtube.com/@acme'],
    ['https://www.youtube.com/user/acme', 'https://www.youtube.com/user/acme'],
    ['https://www.tiktok.com/@acme?lang=de', 'https://www.tiktok.com/@acme'],
    ['https://www.pinterest.de/acme/', 'https://www.pinterest.com/acme'],
    ['https://m.vk.com/acme_club', 'https://vk.com/acme_club'],
    [
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.instagram.com%2Facme%2F%3Fhl%3Dde',
      'https://www.instagram.com/acme',
    ],
    ['[instagram.com](https://www.instagram.com/acme?igsh=x)', 'https://www.instagram.com/acme'],
  ])('%s is %s', (href, expected) => {
    expect(found(link(href))).toEqual([expected]);
  });

  it.each([
    [
      'in sameAs',
      '<script type="application/ld+json">{"@type":"Store","sameAs":["https://www.facebook.com/acme"]}</script>',
    ],
    [
      'in a page plugin',
      '<iframe src="https://www.facebook.com/plugins/page.php?href=https%3A%2F%2Fwww.facebook.com%2Facme&tabs"></iframe>',
    ],
    ['in an fb-page', '<div class="fb-page" data-href="https://www.facebook.com/acme/"></div>'],
  ])('is found %s', (_, html) => {
    expect(found(html)).toEqual(['https://www.facebook.com/acme']);
  });

  it('of JSON-LD is not believed where it contradicts what visitors see', () => {
    const html = `<script type="application/ld+json">{"sameAs":["https://www.facebook.com/hotelelsewhere","https://www.instagram.com/hotelelsewhere"]}</script>${link('https://www.facebook.com/acme')}`;
    const { profiles } = combine([page(html)], { website: url, countryCode: 'DE' });
    expect(profiles.map((profile) => profile.url)).toEqual(['https://www.facebook.com/acme']);
  });
});

describe('what is no profile', () => {
  it.each([
    'https://www.facebook.com/sharer/sharer.php?u=x',
    'https://www.facebook.com/dialog/share?x=1',
    'https://www.facebook.com/tr?id=1',
    'https://www.facebook.com/policy.php',
    'https://www.facebook.com/',
    'https://www.facebook.com/groups/123456',
    'https://www.facebook.com/acme/posts/123456',
    'https://www.facebook.com/share/18gdawD6VW/',
    'https://developers.facebook.com/docs/plugins/',
    'https://twitter.com/intent/tweet?url=x',
    'https://twitter.com/acme/status/1234567890',
    'https://x.com/home',
    'https://www.instagram.com/p/B9aEaKmF8cY/',
    'https://www.instagram.com/reel/abc/',
    'https://www.instagram.com/explore/tags/x',
    'https://www.linkedin.com/shareArticle?url=x',
    'https://www.linkedin.com/feed/',
    'https://www.youtube.com/watch?v=mX8lJ_RVNXA',
    'https://www.youtube.com/embed/x',
    'https://youtu.be/mX8lJ_RVNXA',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.tiktok.com/@acme/video/7123456789012345678',
    'https://www.pinterest.com/pin/create/button/?url=x',
    'https://vk.com/share.php?url=x',
    'https://vk.com/wall-123_456',
    'https://www.facebook.com/yourpage',
    'https://www.instagram.com/username',
    'https://twitter.com/wix',
    'https://www.facebook.com/QodeInteractive',
    'https://notfacebook.com/acme',
    'https://facebook.com.evil.de/acme',
  ])('%s', (href) => {
    expect(found(link(href))).toEqual([]);
  });
});
