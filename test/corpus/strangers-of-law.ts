/** Chambers, authorities and boards that legal and privacy texts name. */
import {
  IMPRESSUM,
  DATENSCHUTZ,
  KONTAKT,
  OESTERREICH,
  LEGAL,
  PRIVACY,
  MENTIONS,
  CONFIDENTIALITE,
  AVISO,
  PRIVACIDAD,
  NOTE,
  INFORMATIVA,
  COLOFON,
  PRIVACYVERKLARING,
  PRYWATNOSC,
  PRIVACIDADE,
  OCHRANA,
  KVKK,
  POLITIKA,
  TIETOSUOJA,
  TOKUSHOHO,
  IMPRESSZUM,
  ADATVEDELEM,
  INTEGRITET,
  PERSONDATA,
  IMPRESUM,
  stranger,
  type Stranger,
} from './stranger-pages.ts';

export const OF_LAW: Stranger[] = [
  // Chambers.
  stranger(
    IMPRESSUM,
    'a chamber under its heading',
    '<h3>Zuständige Kammer</h3><p>Landeskammer Mitte, Ringweg 1<br>Telefon: {tel}<br>E-Mail: {mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'a chamber behind a label',
    '<p>Zuständige Kammer: Kammer der Fachleute Mitte, Ringweg 1, 04109 Leipzig, Tel.: {tel}, E-Mail: {mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'a chamber by its name only',
    '<p>Mitglied der Architektenkammer Mitte<br>Ringweg 1<br>Tel. {tel}<br>{web}<br>{mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'a chamber with a profession',
    '<h3>Berufsbezeichnung und berufsrechtliche Regelungen</h3><p>Berufsbezeichnung: Tierarzt, verliehen in Deutschland<br>Zuständig ist die Landestierärztekammer Mitte<br>Ringweg 1<br>04109 Leipzig<br>Telefon {tel}<br>{mail}</p>',
  ),
  stranger(
    OESTERREICH,
    'a chamber of trade',
    '<p>Mitglied der WKO, Fachgruppe Gastronomie, Tel. {tel}, {mail}</p><p>Gewerbebehörde: Magistrat</p>',
  ),
  stranger(
    OESTERREICH,
    'an authority of trade',
    '<h4>Aufsichtsbehörde / Gewerbebehörde</h4><p>Bezirksamt Mitte<br>Tel: {tel}<br>{mail}</p>',
  ),
  stranger(
    MENTIONS,
    'an order',
    "<h2>Profession réglementée</h2><p>Ordre professionnel : Conseil de l'Ordre de la région<br>Tél. {tel}<br>{mail}</p>",
  ),
  stranger(
    AVISO,
    'a college',
    '<p>Colegiado n.º 1234 del Ilustre Colegio de la Región. Tel. {tel}, correo {mail}</p>',
  ),
  stranger(
    NOTE,
    'an order',
    '<h3>Ordine professionale di appartenenza</h3><p>Ordine della Provincia<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    LEGAL,
    'a professional body',
    '<h2>Professional body</h2><p>We are members of the Guild of the North. Phone {tel}, email {mail}</p>',
  ),
  stranger(
    COLOFON,
    'a register',
    '<p>Beroepsvereniging: Bond van het Noorden, telefoon {tel}, e-mail {mail}</p>',
  ),
  stranger(
    IMPRESUM,
    'a chamber',
    '<h3>Nadležna komora</h3><p>Komora Sjever<br>Tel. {tel}<br>{mail}</p>',
  ),
  // Supervisory and data-protection authorities.
  stranger(
    IMPRESSUM,
    'an authority under its heading',
    '<h3>Aufsichtsbehörde</h3><p>Amt Mitte<br>Ringweg 1<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'an authority in a table',
    '<table><tr><td>Aufsichtsbehörde</td><td>Amt Mitte, Ringweg 1, {tel}, {mail}</td></tr></table>',
  ),
  stranger(
    IMPRESSUM,
    'an authority in a list',
    '<dl><dt>Zulassungsbehörde</dt><dd>Amt Mitte<br>{tel}<br>{mail}</dd></dl>',
  ),
  stranger(
    KONTAKT,
    'an authority on a contact page',
    '<p>Aufsichtsbehörde: Amt Mitte, Tel. {tel}, {mail}</p>',
  ),
  stranger(
    DATENSCHUTZ,
    'an authority to complain to',
    '<h3>Beschwerderecht</h3><p>Sie können sich bei der Behörde für den Datenschutz beschweren:<br>Amt Mitte, Ringweg 1<br>Telefon: {tel}<br>E-Mail: {mail}</p>',
  ),
  stranger(
    PRIVACY,
    'an authority',
    '<h2>Your right to complain</h2><p>You can complain to the supervisory authority: Office of the North, {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACY,
    'a regulator',
    '<h2>Complaints</h2><p>Our regulator is the Authority of the North.</p><p>Helpline: {tel}</p><p>Email: {mail}</p>',
  ),
  stranger(
    CONFIDENTIALITE,
    'an authority',
    '<h2>Réclamation</h2><p>Vous pouvez saisir l’autorité de contrôle : Commission du Nord, tél. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDAD,
    'an authority',
    '<p>Puede reclamar ante la autoridad de control: Agencia del Norte, teléfono {tel}, correo {mail}</p>',
  ),
  stranger(
    PRIVACIDAD,
    'an authority of protection',
    '<p>Autoridad de protección de datos: Agencia del Norte, teléfono {tel}, correo {mail}</p>',
  ),
  stranger(
    INFORMATIVA,
    'an authority',
    "<p>Può proporre reclamo all'autorità di controllo: Ufficio del Nord, tel. {tel}, {mail}</p>",
  ),
  stranger(
    PRIVACYVERKLARING,
    'an authority',
    '<h2>Klacht</h2><p>U kunt een klacht indienen bij de toezichthouder: Bureau Noord, telefoon {tel}, {mail}</p>',
  ),
  stranger(
    PRYWATNOSC,
    'an authority',
    '<p>Przysługuje Państwu skarga do organu nadzorczego: Biuro Północ, tel. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDADE,
    'an authority',
    '<p>Pode reclamar junto da autoridade de controlo: Comissão do Norte, telefone {tel}, {mail}</p>',
  ),
  stranger(
    OCHRANA,
    'an authority',
    '<p>Stížnost můžete podat u dozorového úřadu: Kancelář Sever, tel. {tel}, {mail}</p>',
  ),
  stranger(
    KVKK,
    'an authority',
    '<p>Şikâyet için denetim makamı: Kuzey Kurumu, telefon {tel}, {mail}</p>',
  ),
  stranger(
    POLITIKA,
    'an authority',
    '<p>Жалобу можно подать в надзорный орган: Управление Север, тел. {tel}, {mail}</p>',
  ),
  stranger(
    TIETOSUOJA,
    'an authority',
    '<p>Voit tehdä valituksen valvontaviranomaiselle: Pohjoinen virasto, puh. {tel}, {mail}</p>',
  ),
  stranger(TOKUSHOHO, 'an authority', '<h2>監督官庁</h2><p>北部局 電話 {tel} メール {mail}</p>'),
  stranger(
    ADATVEDELEM,
    'an authority',
    '<p>Panaszt tehet a felügyeleti hatóságnál: Északi Hivatal, telefon {tel}, {mail}</p>',
  ),
  stranger(
    INTEGRITET,
    'an authority',
    '<p>Du kan klaga hos tillsynsmyndigheten: Norra byrån, telefon {tel}, {mail}</p>',
  ),
  stranger(
    PERSONDATA,
    'an authority',
    '<p>Du kan klage til tilsynsmyndigheden: Nordens kontor, telefon {tel}, {mail}</p>',
  ),
  stranger(IMPRESUM, 'an authority', '<p>Nadzorno tijelo: Ured Sjever, tel. {tel}, {mail}</p>'),
  // Boards for disputes.
  stranger(
    IMPRESSUM,
    'a board under its heading',
    '<h3>Verbraucherstreitbeilegung</h3><p>Zentrale Stelle, Ringweg 1<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'a platform for disputes',
    '<h3>EU-Streitschlichtung</h3><p>Plattform der Kommission: https://{web}/odr<br>E-Mail der Plattform: {mail}, {tel}</p>',
  ),
  stranger(
    LEGAL,
    'a board',
    '<h2>Alternative dispute resolution</h2><p>Board of the North, phone {tel}, email {mail}</p>',
  ),
  stranger(
    LEGAL,
    'an arbiter in a sentence',
    '<p>Unresolved complaints may be referred to the arbitration board of the North on {tel} or {mail}.</p>',
  ),
  stranger(
    MENTIONS,
    'a mediator',
    '<h2>Médiation de la consommation</h2><p>Centre du Nord<br>Tél. : {tel}<br>{mail}</p>',
  ),
  stranger(
    AVISO,
    'arbitration',
    '<h2>Resolución de litigios</h2><p>Junta Arbitral del Norte, tel. {tel}, {mail}</p>',
  ),
  stranger(
    NOTE,
    'mediation',
    '<h2>Risoluzione delle controversie</h2><p>Organismo di mediazione del Nord, tel. {tel}, {mail}</p>',
  ),
  stranger(
    COLOFON,
    'a committee',
    '<h2>Klachten en geschillen</h2><p>Commissie Noord, telefoon {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDADE,
    'arbitration',
    '<h2>Resolução alternativa de litígios</h2><p>Centro do Norte, telefone {tel}, {mail}</p>',
  ),
  stranger(OCHRANA, 'disputes', '<h2>Mimosoudní řešení sporů</h2><p>Sever, tel. {tel}, {mail}</p>'),
  stranger(IMPRESSZUM, 'a board', '<h2>Békéltető testület</h2><p>Észak, telefon {tel}, {mail}</p>'),
  stranger(
    TIETOSUOJA,
    'a board',
    '<h2>Kuluttajariitalautakunta</h2><p>Pohjoinen, puh. {tel}, {mail}</p>',
  ),
];
