/** What looks like contact data on the invented sites and is none: each must be left alone. */
import type { Language } from './languages.ts';

export interface Decoy {
  name: string;
  html: string;
  /** Whoever reports one of these was taken in. */
  mustNotContain: string[];
}

const numbersOf = (text: string): string[] => {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= 6 ? [digits] : [];
};

/** Decoys for any page; `host` is the site's own. */
export function decoysFor(language: Language, host: string): Decoy[] {
  const decoy = (name: string, html: string, mustNotContain: string[]): Decoy => ({
    name,
    html,
    mustNotContain,
  });
  const { hours, price, date, ids, placeholder, credit } = language;
  return [
    decoy(
      'retina images',
      '<img src="/img/logo@2x.png" srcset="/img/hero@3x.webp 3x, team@2x.jpg 2x">',
      ['logo@2x.png', 'hero@3x.webp'],
    ),
    decoy(
      'package versions',
      '<script src="https://cdn.invalid/npm/swiper@8.4.5/swiper.min.js"></script><link href="https://cdn.invalid/bootstrap-icons@1.11.3/x.css" rel="stylesheet">',
      ['swiper@8.4.5'],
    ),
    decoy(
      'a form',
      `<form action="/send"><input type="email" placeholder="${placeholder}"><input name="phone" placeholder="+1 234 567 890"><textarea>name@domain.com</textarea></form>`,
      [placeholder, 'name@domain.com'],
    ),
    decoy(
      'a theme',
      '<p>Lorem ipsum <a href="mailto:info@example.com">info@example.com</a>, <a href="mailto:yourname@yourdomain.com">yourname@yourdomain.com</a> <a href="tel:1234567890">123-456-7890</a></p>',
      ['info@example.com', 'yourname@yourdomain.com', '1234567890'],
    ),
    decoy(
      'theme authors',
      '<p>Theme: support@qodeinteractive.com</p><!-- hello@bootstrapmade.com --><a href="https://www.facebook.com/QodeInteractive/">f</a>',
      ['support@qodeinteractive.com', 'facebook.com/qodeinteractive'],
    ),
    decoy(
      'error tracking',
      '<script>Sentry.init({dsn:"https://0f3a9c77b1e24d5f8a6b@o450.ingest.sentry.io/4505"})</script><script>var a="admin@wixpress.com"</script>',
      ['admin@wixpress.com'],
    ),
    decoy(
      'share buttons',
      `<a href="mailto:?subject=Look&body=https://${host}/">Mail</a><a href="https://www.facebook.com/sharer/sharer.php?u=https://${host}/">F</a><a href="https://twitter.com/intent/tweet?url=https://${host}/">T</a><a href="https://www.linkedin.com/shareArticle?mini=true&url=x">L</a><a href="https://pinterest.com/pin/create/button/?url=x">P</a><a href="https://vk.com/share.php?url=x">V</a>`,
      [
        'facebook.com/sharer',
        'twitter.com/intent',
        'x.com/intent',
        'linkedin.com/sharearticle',
        'pinterest.com/pin',
        'vk.com/share.php',
      ],
    ),
    decoy(
      'pixels and plugins',
      '<noscript><img src="https://www.facebook.com/tr?id=279674990141102&ev=PageView"></noscript><a href="https://www.facebook.com/policy.php">policy</a><a href="https://www.instagram.com/about/legal/privacy">p</a>',
      ['facebook.com/tr', 'facebook.com/policy.php', 'instagram.com/about/legal'],
    ),
    decoy(
      'posts and videos',
      '<a href="https://www.instagram.com/p/B9aEaKmF8cY/">post</a><a href="https://www.youtube.com/watch?v=mX8lJ_RVNXA">video</a><iframe src="https://www.youtube.com/embed/58jr_5SlHXA"></iframe><a href="https://www.tiktok.com/@someone.else/video/7123456789012345678">v</a><a href="https://x.com/someoneelse/status/1234567890">s</a>',
      [
        'instagram.com/p',
        'youtube.com/watch',
        'youtube.com/embed',
        'tiktok.com/@someone.else',
        'x.com/someoneelse',
      ],
    ),
    decoy('opening hours', `<p>${hours}</p>`, []),
    decoy('prices', `<p>${price}</p>`, ['30000', '124900']),
    decoy('dates', `<p>${date}</p><p>&copy; 2012-2026</p>`, ['12042023', '20122026']),
    decoy('tax and register numbers', `<p>${ids.join('<br>')}</p>`, ids.flatMap(numbersOf)),
    decoy(
      'coordinates',
      '<p>52.520008, 13.404954</p><a href="https://maps.invalid/@52.520008,13.404954,17z">map</a>',
      ['52520008', '13404954'],
    ),
    decoy('an order', '<p>#4815162342 - SKU 978-3-16-148410-0, ISBN 9783161484100</p>', [
      '4815162342',
      '9783161484100',
    ]),
    decoy('addresses of the net', '<p>192.168.100.200 and 2001:db8::1, build 20230412.1432</p>', [
      '192168100200',
      '202304121432',
    ]),
    decoy(
      'a web designer',
      `<footer><p>${credit} <a href="https://pixelschmiede.invalid">Pixelschmiede</a>, studio@pixelschmiede-web.com</p></footer>`,
      ['studio@pixelschmiede-web.com'],
    ),
    decoy(
      'unfilled profiles',
      '<a href="https://www.facebook.com/">F</a><a href="https://twitter.com/#">T</a><a href="https://www.instagram.com/yourusername">I</a><a href="https://www.linkedin.com/company/yourcompany">L</a><a href="https://www.youtube.com/">Y</a>',
      ['yourusername', 'yourcompany'],
    ),
    decoy(
      'a list of dialling codes',
      '<select><option>Deutschland +49 30 12345678</option><option>France +33 1 23 45 67 89</option></select>',
      ['493012345678', '33123456789'],
    ),
    decoy(
      'data of scripts',
      '<script>window.cfg={id:"4930123456789",tel:"0301234567",mail:"dev@internal-tools.com"}</script><style>.a::after{content:"x@y.com"}</style>',
      ['dev@internal-tools.com', 'x@y.com', '0301234567'],
    ),
    decoy(
      'vector paths',
      '<svg viewBox="0 0 24 24"><path d="M0645 15.158 1.10218 15 030 123 4567"/></svg>',
      [],
    ),
    decoy(
      'a session',
      '<a href="/cart?sid=0301234567890&t=1681302720">cart</a><input type="hidden" name="token" value="2125550199">',
      ['0301234567890', '2125550199'],
    ),
  ];
}

/** The section of a legal text that names somebody else. */
export function thirdParty({ third }: Language): Decoy {
  const mail = 'poststelle@aufsicht-beispielamt.org';
  const html = `<h2>${third.heading}</h2><p>${third.text.replace('{mail}', mail).replace('{phone}', third.phone)}</p>`;
  return { name: 'a third party', html, mustNotContain: [mail] };
}
