/** Finnish. */
import type { Phrases } from './phrases.ts';

export const finnish: Phrases = {
  isSpaced: true,
  subjects: [
    'automaattinen (?:vastaus|viesti)|poissa(?:olo)?|lomalla|lomailmoitus|vahvistus|kiitos (?:yhteydenotosta|viestist)',
  ],
  away: [
    'lomalla|en(?:kä)? lue (?:sähköposti|viest)\\w*',
    '(?:olen|olemme|on|tulen olemaan)\\b~(?:lomalla|poissa|matkoilla|vapaalla|virkavapaalla|sairaana|sairauslomalla|' +
      'vanhempainvapaalla|äitiyslomalla|työmatkalla|suljettu|kiinni|opintovapaalla)\\w*',
    '(?:en|emme) ole (?:\\w+ )?(?:tavoitettavissa|paikalla|toimistolla|töissä)|palaan~(?:töihin|toimistolle|\\d|maanantai|tiistai)\\w*',
    '(?:toimisto|liike|myymälä|yritys|konttori)\\w*~(?:suljettu|kiinni)|lomani aikana|poissaoloni aikana|sijaise?ni\\b',
    '(?:luen|lue|vastaan|vastaa)~(?:sähköposti|viesteihin|posti)\\w*~(?:vain|harvoin|palattuani|satunnais)\\w*|rajoitetu',
  ],
  left: [
    '(?:postilaatikko|osoite|tili)\\b~(?:on )?(?:lakkautettu|suljettu|poistettu)',
    'lukematta (?:poist|hävit)\\p{L}+|poistetaan lukematta',
    '(?:en|ei|emme) (?:ole enää |enää )?(?:työskentele|työskentelee)~|(?:en|ei) ole enää~(?:töissä|palveluksessa|yrityk)\\w*',
    'ei ole enää~|ei enää (?:työskentele|ole)|(?:jäänyt|siirtynyt)~(?:eläkkeelle|palvelukses|muihin|toisiin)\\w*|(?:osoite|sähköposti|tili)\\w*~(?:ei ole|ei enää|poistettu|ei seurata|ei lueta)',
  ],
  received: [
    '(?:tiket|pyyntö|palvelupyyn|viesti|yhteydenot)\\p{L}*\\b~(?:otettu käsittelyyn|kirjattu|vastaanotettu|avattu|rekisteröity)',
    '(?:keskimääräinen|arvioitu) (?:vastaus|käsittely)aika[^.!?]{0,25}\\d',
    '(?:viestisi|viestinne|palvelupyynt|pyyntö|yhteydenotto|tiketti)\\w*~(?:kirjattu|vastaanotettu|on (?:saapunut|rekisteröity)|numero)\\w*',
    '(?:vastaamme|palaamme|otamme yhteyttä)~(?:mahdollisimman|pian|kuluessa|arkipäiv|tunnin|asiaan)\\w*|kiitos~(?:yhteydenotosta|viestist)\\w*[.!,]? (?:vastaamme|palaamme|olemme|viestisi)',
  ],
  automatic: [
    '(?:tämä on|kyseessä on)~automaat\\w*|automaattinen (?:vastaus|viesti)|älä vastaa tähän|älkää vastatko',
  ],
  stop: [
    'stop|lopeta(?:kaa)?|peru(?:uta)?(?: tilaus)?|peruuta(?:kaa)?|poista(?:kaa)?(?: minut| meidät)?(?: listalta\\w*)?|riittää|' +
      'älkää lähettäkö|ei enää viestejä',
  ],
  optOut: [
    '(?:huoleht|varmist)\\p{L}*~ettei~(?:enää|mitään)',
    'pois~(?:listal|postituslist|rekister|jakelu)\\w*',
    '(?:ei|ei enää|älkää|älä)~(?:postia|viestejä|sähköposteja|mainoksia|markkinointia|yhteydenottoja)|(?:poistattehan|poistakaa|poista|poistaisitteko|poistatteko)\\b~',
    '(?:kiellän|kiellämme|vastustan)~(?:markkino|käsittely|tietojeni|viest)\\w*|(?:pyydän|pyydämme)~(?:poist|lopet|ettette|olemaan)\\w*',
    '(?:pyydän|pyydämme)~(?:poistamaan|lopettamaan|olemaan lähettämättä)\\w*',
    '(?:poista|poistakaa|poistattehan|poistaisitteko)\\b~(?:minut|meidät|tieto|osoite|sähköposti|yhteystieto|listal|rekister)\\w*',
    '(?:älkää|älä)~(?:lähettäkö|lähetä|ottako|ota|kirjoittako|kirjoita|häiritkö|häiritse)~(?:minulle|meille|enää|yhteyttä|viesti|sähköposti|mainos)\\w*',
    '(?:en|emme) (?:halua|toivo|halua enää)~(?:enää|enempää|viest|sähköposti|mainos|yhteyden|vastaanot)\\w*',
    '(?:lopeta|lopettakaa|lakatkaa)~(?:viest|lähettä|späm|roskaposti|sähköposti|häirint|kirjoit)\\w*|tietosuojavaltuutet\\w*|suoramarkkinointikiel\\w*|jättäkää minut rauhaan',
  ],
  personal: [
    '(?:emme|en) ole kiinnostu\\w*|kiinnosta\\w*|kiinnostu\\w*|mitä~maksa\\w*|paljonko|hinta\\w*|tarjou\\w*|soita\\w*|meillä on jo|' +
      '(?:maanantai|tiistai|keskiviikko|torstai|perjantai|huomenna)\\w*~(?:sopii|käy|\\d)\\w*|voisitteko|voitko|lähetä~(?:tarjous|hinna|lisätie)\\w*',
  ],
  talk: ['(?:me|minä|meillä|minulla|olemme|olen|voimme|kyllä|ei|kiitos)\\b'],
  keeps: [
    'soita\\w*|(?:mieluummin|parempi|parhaiten)\\b|lähetä~(?:tarjous|hinna|tieto)\\w*|kiinnosta(?:a|isi)|kiinnostunut|palataan',
  ],
  polite: [
    '(?:hei|moi|terve|hyvää päivää)(?: \\w+){0,2}|kiitos|ystävällisesti|terveisin|ei kiitos|ei|heti|pyydän',
  ],
  urgent: ['kiireel|kiireis|tarvittaessa|jos (?:asia|sinulla|tarvitset)|poissaoloni aikana|hätä'],
};
