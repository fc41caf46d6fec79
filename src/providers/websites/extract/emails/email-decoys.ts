/**
 * Addresses that belong to no business: examples of forms and themes, files, tracking, vendors' own.
 */

/** Names that forms and themes use for "your address here", in many languages. */
const EXAMPLE_LOCALS = new RegExp(
  `^(?:${[
    'you|your|your-?_?\\.?(?:e-?)?(?:mail|name|address)|yours|(?:my|your)?[._-]?(?:user)?name|user|users|username|myuser|me|my-?(?:e-?)?mail|mymail',
    '(?:e-?)?mail(?:address|adresse|adres)?|someone|somebody|anyone|nobody|first[._-]?(?:name)?[._-]?last(?:name)?|first[._]last|firstname|lastname|fname',
    'john[._-]?(?:doe|smith)?|jane[._-]?(?:doe|smith)?|jdoe|joe[._-]?(?:bloggs|doe|user)|foo|bar|foobar|test|tests|tester|testing|test-?(?:e-?)?mail|demo|sample|example|exemple|ejemplo|placeholder|xxx+|abc|aaa|asdf|lorem|ipsum|filler|dummy',
    'max[._-]?(?:mustermann)?|maxmustermann|mustermann|erika[._-]?mustermann|muster|ihr(?:e|en)?[._-]?(?:name|e?-?mail|adresse)?|dein(?:e)?[._-]?(?:name|e?-?mail)?|vorname[._-]?(?:nachname|name)?|beispiel',
    'votre[._-]?(?:e?-?mail|nom|adresse)?|vous|nom|prenom(?:[._-]?nom)?|jean[._-]?dupont|dupont|moi',
    'tu|tu[._-]?(?:nombre|correo|e?-?mail)|su[._-]?(?:correo|e?-?mail)|nombre|correo|usuario|juan[._-]?perez|ejemplo|alguien',
    'tuo|tua|tuo[._-]?(?:nome|indirizzo)|tua[._-]?e?-?mail|nome(?:[._-]?cognome)?|mario[._-]?rossi|esempio|utente',
    'seu|seu[._-]?(?:nome|e?-?mail)|teu[._-]?e?-?mail|usuario|fulano|exemplo',
    'naam|jouw?[._-]?(?:naam|e?-?mail|adres)|uw[._-]?(?:naam|e?-?mail)|voorbeeld|jan[._-]?jansen|gebruiker',
    'imie|imie[._-]?nazwisko|twoj(?:e)?[._-]?(?:e?-?mail|imie)?|jan[._-]?kowalski|przyklad|nazwa',
    'jmeno|vas[._-]?e?-?mail|jan[._-]?novak|priklad|pelda|nev|valaki|minta|nimi|etunimi[._-]?sukunimi|sinun|din|namn|navn|fornavn',
    'ad(?:iniz)?|isim|ornek|eposta(?:niz)?|kullanici|adsoyad|imya|vash|pochta|primer|taro[._-]?yamada|yamada|yamada[._-]?taro|tanaka|hanako|zure',
  ].join('|')})\\d{0,4}$`,
);

/** Domains that stand for "your domain here". RFC 2606 reserves `example` in three endings. */
const EXAMPLE_DOMAINS = new RegExp(
  `^(?:${[
    'example\\d?|exemple|ejemplo|ejemplos|esempio|exemplo|beispiel|voorbeeld|przyklad|priklad|pelda|esimerkki|eksempel|exempel|ornek|primer|muster|musterfirma|mustermann|musterseite',
    '(?:your|my|our|some|the|a)-?(?:own)?-?(?:domain|domainname|site|website|websitename|company|business|company-?name|email|mail|server|host|store|shop|blog|agency|brand|name|restaurant|hotel)',
    'domain|domainname|domaine|dominio|tudominio|miodominio|ihredomain|deinedomain|meinedomain|ihre-domain|deine-domain|votredomaine|votre-domaine|votresite|votre-site|jouwdomein|uwdomein|twojadomena|domena|domain-name|domein|dominiodelsito|iltuosito|tusitio|tuempresa|miempresa|suaempresa|seudominio|seusite|firma|firmaadi|sitename|siteadi|siteniz|alanadi|yoursitename',
    'website|websitename|awebsite|mywebsite|site|test|testing|tester|sample|samplesite|demo|demosite|placeholder|localhost|foo|bar|foobar|xyz|xxx+|abc|dummy|nowhere|anywhere|somewhere|acme-?corp|companyname|company|mail|gmailcom|untitled|lorem|loremipsum|theme|template|mysitename|address|provider|hoster|anbieter',
    'nome-?(?:attivita|azienda|dominio|sito)|nombre-?(?:dominio|empresa|sitio|negocio)|nom-?(?:de-?)?(?:domaine|entreprise|site)|(?:la-?)?tua-?azienda|(?:il-?)?tuo-?(?:dominio|sito)|tu-?(?:dominio|empresa|sitio|negocio|web)|votre-?(?:entreprise|societe|boutique)|(?:deine|ihre)-?(?:firma|seite|webseite|website)|(?:jouw|uw)-?(?:bedrijf|website)|(?:twoja|twoj)-?(?:firma|strona|sklep)|(?:sua|seu)-?(?:empresa|negocio)|firmen-?name',
  ].join('|')})$`,
);

/** Domains called `email` or `mail`: a placeholder in most countries, a free provider in a few. */
const MAIL_NAMED = /^(?:e-?mail|emaila|mail|correo|eposta|emailaddress|e-mail)$/;
const REAL_MAIL_NAMED = /^(?:email\.(?:cz|it|ua|ee)|mail\.(?:ru|ee|bg|de|com|kz|ua|be|dk|by|fr))$/;

/** Builders, hosts, trackers, theme shops and libraries: their addresses come with their code. */
const VENDOR_DOMAINS = new Set(
  (
    'sentry.io wixpress.com wix.com godaddy.com secureserver.net squarespace.com wordpress.org ' +
    'wordpress.com automattic.com elementor.com themeforest.net envato.com envato.market ' +
    'themeisle.com elegantthemes.com qodeinteractive.com select-themes.com mikado-themes.com ' +
    'edge-themes.com elated-themes.com thememove.com themenectar.com woothemes.com woocommerce.com ' +
    'templatemonster.com templatemo.com radiustheme.com pixelarity.com tooplate.com themefisher.com creative-tim.com bootstrapmade.com colorlib.com html5up.net html5webtemplates.co.uk ' +
    'freehtml5.co freewebtemplates.com os-templates.com w3layouts.com styleshout.com htmlcodex.com ' +
    'themewagon.com untree.co getbootstrap.com jquery.com jquery.org fontawesome.com fontawesome.io ' +
    'google.com googlemail.google.com googleapis.com gstatic.com schema.org w3.org mozilla.org ' +
    'cloudflare.com facebook.com facebookmail.com instagram.com twitter.com linkedin.com youtube.com ' +
    'apple.com microsoft.com adobe.com typekit.com github.com gitlab.com npmjs.com jsdelivr.net ' +
    'weebly.com jimdo.com webflow.com webflow.io shopify.com myshopify.com bigcartel.com strikingly.com ' +
    'site123.com duda.co demolink.org mobirise.com mobirise.site joomla.org drupal.org typo3.org prestashop.com ' +
    'magento.com opencart.com matomo.org hotjar.com mailchimp.com hubspot.com intercom.io zendesk.com ' +
    'tawk.to cookiebot.com usercentrics.com iubenda.com onetrust.com complianz.io borlabs.io ' +
    'stripe.com paypal.com klarna.com recaptcha.net unsplash.com pexels.com freepik.com flaticon.com ' +
    'shutterstock.com istockphoto.com pixabay.com fotolia.com latofonts.com indiantypefoundry.com ' +
    'opentable.com tripadvisor.com yelp.com booking.com airbnb.com ' +
    'domain.tld email.tld'
  ).split(' '),
);

const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|js|mjs|cjs|jsx|tsx?|json|map|woff2?|ttf|eot|otf|php|html?|xml|pdf|zip|mp[34]|webm|scss|less|min|vue)$/;

/** Whether an address cannot be the business's own, whatever stands around it. */
export function isDecoyEmail(email: string): boolean {
  const at = email.lastIndexOf('@');
  const [local, host] = [email.slice(0, at), email.slice(at + 1)];
  if (FILE_ENDING.test(host)) return true;
  // Keys of error trackers, hashes and message ids look like `32 hex digits@`.
  if (/^[0-9a-f]{16,}$/.test(local) || /^u00[0-9a-f]{2}/.test(local)) return true;
  return isVendor(host) || isExample(local, host);
}

function isVendor(host: string): boolean {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
    if (VENDOR_DOMAINS.has(name)) return true;
  return /(?:^|\.)sentry(?:-next)?\./.test(host);
}

const FREE_EXAMPLES =
  /^(?:your|you|ihre?|deine?|votre|tu|tuo|tua|seu|jouw|uw|twoj|my)[._-]?(?:e?-?mail|name|nombre|correo|nome|nom|naam|adresse|address)|^(?:john|jane)[._]?(?:doe|smith)\d*$|^(?:max|erika)[._]?mustermann|^(?:name|user|username|e-?mail|someone|example|exemple|ejemplo|test|demo|abc|xyz)\d{0,4}$/;

/** "Company" and the like: an example only together with an example's local part. */
const EXAMPLE_COMPANIES =
  /^(?:ceg|cegnev|empresa|entreprise|societe|azienda|unternehmen|firmenname|bedrijf|yritys|spolka|sirket|kompaniya|kompanija|poduzece|podjetje|uzleti)$/;

function isExample(local: string, host: string): boolean {
  const labels = host.split('.');
  // `example.co.uk` and `mail.example.com` alike.
  if (labels.slice(0, -1).some((label) => /^example\d*$/.test(label))) return true;
  const name =
    labels.length > 2 && /^(?:co|com|org|net|or|ne|ac)$/.test(labels.at(-2)!)
      ? labels.at(-3)!
      : labels.at(-2)!;
  if (MAIL_NAMED.test(name)) return !REAL_MAIL_NAMED.test(host) || EXAMPLE_LOCALS.test(local);
  if (EXAMPLE_DOMAINS.test(name)) return true;
  if (EXAMPLE_COMPANIES.test(name) && EXAMPLE_LOCALS.test(local)) return true;
  return FREE_EXAMPLES.test(local) && (isFreeHost(host) || EXAMPLE_LOCALS.test(local));
}

const isFreeHost = (host: string): boolean =>
  /^(?:gmail|googlemail|yahoo|hotmail|outlook|live|gmx|web|mail|aol|icloud)\./.test(host);
