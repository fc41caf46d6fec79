/** Free-mail domains, open to everyone: an address there does not identify its owner's company. */

/** Providers whose name is the same in many countries: `yahoo.de`, `yahoo.co.uk`. */
const FAMILIES =
  /^(?:gmail|googlemail|yahoo|ymail|rocketmail|hotmail|outlook|live|msn|aol|icloud|gmx|mail|email|inbox|yandex|proton|protonmail|tutanota|zoho|fastmail|hushmail)\.(?:[a-z]{2,4}|co\.[a-z]{2}|com\.[a-z]{2})$/;

/** Free providers and internet providers whose customers get an address with their line. */
const DOMAINS: ReadonlySet<string> = new Set(
  [
    'me.com mac.com pm.me duck.com tuta.io tutamail.com mail.com usa.com',
    'web.de t-online.de freenet.de arcor.de online.de posteo.de mailbox.org vodafone.de kabelmail.de',
    'unitybox.de o2online.de 1und1.de ewetel.net ewe.net htp-tel.de netcologne.de alice-dsl.net',
    'versanet.de aon.at chello.at kabsi.at a1.net drei.at gmx.net utanet.at bluewin.ch hispeed.ch',
    'sunrise.ch swissonline.ch',
    'orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr club-internet.fr',
    'aliceadsl.fr skynet.be telenet.be proximus.be pandora.be scarlet.be videotron.ca sympatico.ca',
    'bell.net rogers.com shaw.ca telus.net cogeco.ca',
    'libero.it virgilio.it tin.it alice.it tiscali.it fastwebnet.it tim.it teletu.it inwind.it',
    'iol.it pec.it legalmail.it arubapec.it poste.it',
    'telefonica.net movistar.es terra.es ono.com euskaltel.net euskalnet.net sapo.pt netcabo.pt clix.pt',
    'uol.com.br bol.com.br terra.com.br ig.com.br globo.com prodigy.net.mx speedy.com.ar',
    'ziggo.nl kpnmail.nl planet.nl hetnet.nl home.nl xs4all.nl upcmail.nl casema.nl chello.nl quicknet.nl',
    'tele2.nl solcon.nl online.nl zonnet.nl',
    'wp.pl o2.pl onet.pl onet.eu op.pl interia.pl interia.eu poczta.fm poczta.onet.pl tlen.pl gazeta.pl',
    'vp.pl autograf.pl neostrada.pl',
    'seznam.cz centrum.cz volny.cz atlas.cz post.cz azet.sk zoznam.sk centrum.sk pobox.sk post.sk stonline.sk',
    'freemail.hu citromail.hu t-online.hu indamail.hu upcmail.hu invitel.hu',
    'abv.bg dir.bg mail.bg net.hr inet.hr t-com.hr vip.hr hi.t-com.hr hi.htnet.hr zg.t-com.hr siol.net',
    'eunet.rs sbb.rs ptt.rs mts.rs otenet.gr forthnet.gr hol.gr cytanet.com.cy primehome.com',
    'rambler.ru bk.ru list.ru inbox.ru ya.ru mail.ru internet.ru ukr.net i.ua bigmir.net meta.ua tut.by',
    'mynet.com superonline.com ttmail.com',
    'kolumbus.fi phpoint.fi luukku.com saunalahti.fi elisanet.fi suomi24.fi pp.inet.fi dnainternet.net',
    'netti.fi surffi.fi telia.com tele2.se bredband.net comhem.se spray.se online.no broadpark.no',
    'getmail.no frisurf.no mail.dk tdcadsl.dk jubii.dk stofanet.dk simnet.is inbox.lv apollo.lv delfi.lt',
    'btinternet.com btconnect.com btopenworld.com sky.com talktalk.net virginmedia.com ntlworld.com',
    'blueyonder.co.uk tiscali.co.uk plus.com eircom.net',
    'comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net',
    'optonline.net frontier.com windstream.net juno.com netzero.net roadrunner.com pacbell.net q.com',
    'embarqmail.com centurylink.net bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au',
    'xtra.co.nz slingshot.co.nz qq.com 163.com 126.com sina.com foxmail.com naver.com daum.net hanmail.net',
    'nate.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp',
    'rediffmail.com telkomsa.net mweb.co.za vodamail.co.za walla.co.il walla.com netvision.net.il',
    'bezeqint.net 012.net.il pacific.net.sg singnet.com.sg',
  ]
    .join(' ')
    .split(' '),
);

/** Whether anybody may have an address at `domain` (lower case). */
export function isFreeMail(domain: string): boolean {
  return FAMILIES.test(domain) || DOMAINS.has(domain);
}
