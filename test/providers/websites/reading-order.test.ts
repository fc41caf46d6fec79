/** Which pages of a site are read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { startWebWorld, type Pages, type WebWorld } from '../../support/websites/web-world.ts';

let world: WebWorld;
let websites: Websites;
let sites = 0;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  websites = createCrawler(world.options);
  world.requests.length = 0;
});

async function visitPages(pages: Pages, countryCode: string | null = null) {
  sites += 1;
  const host = `order-${sites}.com`;
  world.site(host, pages);
  const answer = await websites.visit({ website: `http://${host}`, countryCode });
  const asked = world.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
  return { ...answer, paths: answer.pages.map((page) => new URL(page).pathname), asked };
}

const mail = '<a href="mailto:info@acme.com">Mail</a> <a href="tel:+4930123456">030 123456</a>';
const link = (path: string, text: string) => `<a href="${path}">${text}</a>`;

describe('a site is read', () => {
  test('at its home page and its contact page and Impressum, though all is known already', async () => {
    const { paths } = await visitPages({
      '/': mail + link('/impressum', 'Impressum') + link('/kontakt', 'Kontakt'),
      '/kontakt': 'x',
      '/impressum': 'x',
    });
    expect(paths).toEqual(['/', '/kontakt', '/impressum']);
  });

  test('at six pages at most', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `/contact/branch-${at}`);
    const pages = Object.fromEntries(names.map((name) => [name, 'x']));
    const { asked } = await visitPages({
      ...pages,
      '/': names.map((name) => link(name, 'Contact us')).join(''),
    });
    expect(asked).toHaveLength(6);
  });

  test('at pages that only may help, as long as no e-mail is known', async () => {
    const pages = { '/privacy': 'x', '/contact': 'x' };
    const links = link('/privacy', 'Privacy policy') + link('/contact', 'Contact');
    expect((await visitPages({ ...pages, '/': links })).paths).toContain('/privacy');
    expect((await visitPages({ ...pages, '/': links + mail })).paths).not.toContain('/privacy');
  });

  test('at one page about its people, where only addresses of roles are known', async () => {
    const pages = {
      '/': mail + link('/team', 'Team') + link('/ueber-uns', 'Über uns'),
      '/team': '<a href="mailto:anna.berg@acme.com">Anna Berg</a>',
      '/ueber-uns': 'x',
    };
    const { paths, contacts } = await visitPages(pages);
    expect(paths).toEqual(['/', '/team']);
    expect(contacts.emails.map(({ email }) => email)).toContain('anna.berg@acme.com');
    const personal = { ...pages, '/': pages['/'].replace('info@', 'carl.lind@') };
    expect((await visitPages(personal)).paths).toEqual(['/']);
  });

  test('not at its other pages, nor at other sites', async () => {
    const { asked } = await visitPages({
      '/': `${mail}${link('/products', 'Products')}${link('https://other-site.com/contact', 'Contact')}
        ${link('/contact.pdf', 'Contact')}${link('/kontakt', 'Kontakt')}`,
      '/kontakt': 'x',
    });
    expect(asked).toEqual(['/', '/kontakt']);
    expect(world.requests.some(({ host }) => host === 'other-site.com')).toBe(false);
  });

  test('each page once, whatever it is called', async () => {
    const { asked } = await visitPages({
      '/': ['/contact', '/contact/', '/contact#form', '/contact/index.html']
        .map((path) => link(path, 'Contact'))
        .join(''),
      '/contact': link('/', 'Home') + link('/index.html', 'Contact'),
      '/contact/': 'x',
    });
    expect(asked.filter((path) => path.startsWith('/contact'))).toHaveLength(1);
    expect(asked.filter((path) => path === '/' || path === '/index.html')).toHaveLength(1);
  });

  test('where a refresh, frames or a splash page lead on', async () => {
    const refresh = await visitPages({
      '/': '<meta http-equiv="refresh" content="0; url=/start.html">',
      '/start.html': mail,
    });
    expect(refresh.contacts.emails[0]?.email).toBe('info@acme.com');
    const frames = await visitPages({
      '/': '<frameset><frame src="menu.htm"><frame src="main.htm"></frameset>',
      '/menu.htm': link('/kontakt.htm', 'Kontakt'),
      '/main.htm': 'x',
      '/kontakt.htm': mail,
    });
    expect(frames.contacts.emails[0]?.email).toBe('info@acme.com');
    const splash = await visitPages({
      '/': link('/de/', 'Deutsch') + link('/en/', 'English'),
      '/de/': link('/de/kontakt', 'Kontakt'),
      '/de/kontakt': mail,
    });
    expect(splash.contacts.emails[0]?.email).toBe('info@acme.com');
  });

  test('on after a page that never answers', async () => {
    const { state, paths, contacts } = await visitPages({
      '/': link('/kontakt', 'Kontakt') + link('/impressum', 'Impressum'),
      '/kontakt': () => undefined,
      '/impressum': mail,
    });
    expect({ state, paths }).toEqual({ state: 'found', paths: ['/', '/impressum'] });
    expect(contacts.emails).toHaveLength(1);
  }, 180_000);

  test('on after a page that cannot be had', async () => {
    const { state, paths } = await visitPages({
      '/': link('/contact', 'Contact') + link('/impressum', 'Impressum'),
      '/contact': (_request, response) => void response.socket?.destroy(),
      '/impressum': mail,
    });
    expect(state).toBe('found');
    expect(paths).toEqual(['/', '/impressum']);
  });
});

describe('a home page that links no contact page', () => {
  const sitemap =
    (...paths: string[]): NonNullable<Pages[string]> =>
    (request, response) => {
      const locations = paths.map(
        (path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`,
      );
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><urlset>${locations.join('\n')}</urlset>`);
    };

  test('has the sitemap asked', async () => {
    const { paths } = await visitPages({
      '/': 'x',
      '/sitemap.xml': sitemap('/products', '/about-us/contact-us', 'https://10.0.0.1/contact'),
      '/about-us/contact-us': mail,
    });
    expect(paths).toEqual(['/', '/about-us/contact-us']);
  });

  test('has the sitemap asked that robots.txt names, through its index', async () => {
    const { paths } = await visitPages({
      '/': 'x',
      '/robots.txt': 'User-agent: *\nAllow: /\nSitemap: /maps/index.xml',
      '/maps/index.xml': (request, response) => {
        const at = `http://${request.headers.host}/maps`;
        const maps = ['post', 'page'].map(
          (name) => `<sitemap><loc>${at}/${name}.xml</loc></sitemap>`,
        );
        response.end(`<sitemapindex>${maps.join('')}</sitemapindex>`);
      },
      '/maps/page.xml': sitemap('/kontakt'),
      '/kontakt': mail,
    });
    expect(paths).toEqual(['/', '/kontakt']);
  });

  test('has no sitemap asked when it links one', async () => {
    const { asked } = await visitPages({ '/': link('/contact', 'Contact'), '/contact': 'x' });
    expect(asked).not.toContain('/sitemap.xml');
  });

  test('has the two usual paths of its language tried while no e-mail is known', async () => {
    const german = await visitPages({
      '/': '<html lang="de"><body>Willkommen</body></html>',
      '/impressum': mail,
    });
    expect(german.asked).toEqual(['/', '/sitemap.xml', '/kontakt', '/impressum']);
    expect(german.contacts.emails[0]?.email).toBe('info@acme.com');
    const known = await visitPages({ '/': mail });
    expect(known.asked.slice(german.asked.length)).toEqual(['/', '/sitemap.xml']);
  });

  test('is not troubled by a hostile sitemap', async () => {
    const { state } = await visitPages({
      '/': 'x',
      '/sitemap.xml': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/xml' });
        response.end(`<urlset>${'<loc>http://x.com/contact</loc>'.repeat(100_000)}`);
      },
    });
    expect(state).toBe('found');
  });
});
