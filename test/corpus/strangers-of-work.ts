/** Agencies, hosts, services, officers and insurers that legal and privacy texts name. */
import {
  IMPRESSUM,
  DATENSCHUTZ,
  KONTAKT,
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
  IMPRESSZUM,
  IMPRESUM,
  stranger,
  type Stranger,
} from './stranger-pages.ts';

export const OF_WORK: Stranger[] = [
  // Agencies.
  stranger(
    IMPRESSUM,
    'an agency under its heading',
    '<h3>Umsetzung und Webdesign</h3><p>Weidenbund GmbH<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'an agency behind a label',
    '<p>Konzept, Gestaltung und Programmierung: Weidenbund, Ringweg 1, Tel. {tel}, {web}, {mail}</p>',
  ),
  stranger(IMPRESSUM, 'photographs', '<h3>Bildnachweis</h3><p>A. Weide, {tel}, {mail}</p>'),
  stranger(
    KONTAKT,
    'an agency on a contact page',
    '<p>Website: Weidenbund Webagentur, Tel. {tel}, {mail}</p>',
  ),
  stranger(
    MENTIONS,
    'an agency',
    '<h2>Conception et réalisation</h2><p>Weidenbund SARL<br>Tél. {tel}<br>{mail}</p>',
  ),
  stranger(MENTIONS, 'photographs', '<p>Crédits photographiques : A. Weide, {tel}, {mail}</p>'),
  stranger(AVISO, 'an agency', '<p>Diseño y desarrollo web: Weidenbund SL, tel. {tel}, {mail}</p>'),
  stranger(
    NOTE,
    'an agency',
    '<h3>Realizzazione del sito</h3><p>Weidenbund Srl<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    COLOFON,
    'an agency',
    '<h2>Ontwerp en realisatie</h2><p>Weidenbund BV, telefoon {tel}, {mail}</p>',
  ),
  stranger(
    IMPRESUM,
    'an agency',
    '<p>Izrada web stranice: Weidenbund d.o.o., tel. {tel}, {mail}</p>',
  ),
  stranger(
    IMPRESSZUM,
    'an agency',
    '<p>A honlapot készítette: Weidenbund Kft., telefon {tel}, {mail}</p>',
  ),
  stranger(
    LEGAL,
    'an agency',
    '<h2>Design and development</h2><p>Weidenbund Ltd<br>Phone {tel}<br>{mail}</p>',
  ),
  // Hosts.
  stranger(
    IMPRESSUM,
    'a host',
    '<h3>Hosting</h3><p>Weidenbund AG, Ringweg 1<br>Telefon {tel}<br>{mail}</p>',
  ),
  stranger(
    DATENSCHUTZ,
    'a host',
    '<h3>Externes Hosting</h3><p>Diese Website wird extern gehostet. Wir setzen folgenden Hoster ein:</p><p>Weidenbund AG<br>Ringweg 1<br>Telefon {tel}<br>{mail}</p>',
  ),
  stranger(
    MENTIONS,
    'a host',
    "<p>Hébergeur : Weidenbund SAS, 1 rue de l'Anneau, tél. {tel}, {mail}</p>",
  ),
  stranger(
    MENTIONS,
    'a host in a sentence',
    '<p>Ce site est hébergé par la société Weidenbund SAS, dont le siège est à Lyon. Téléphone : {tel}. Courriel : {mail}</p>',
  ),
  stranger(
    AVISO,
    'a host',
    '<h2>Proveedor de alojamiento</h2><p>Weidenbund SL, tel. {tel}, {mail}</p>',
  ),
  stranger(NOTE, 'a host', '<p>Il sito è ospitato presso Weidenbund Spa, tel. {tel}, {mail}</p>'),
  stranger(LEGAL, 'a host', '<h2>Hosting provider</h2><p>Weidenbund Ltd<br>{tel}<br>{mail}</p>'),
  stranger(
    IMPRESSZUM,
    'a host',
    '<h2>Tárhelyszolgáltató</h2><p>Weidenbund Kft.<br>Telefon: {tel}<br>E-mail: {mail}</p>',
  ),
  // Payment, shops, booking.
  stranger(
    DATENSCHUTZ,
    'payment',
    '<h3>Zahlungsdienstleister</h3><p>Zahlungen wickelt die Weidenbund Pay SA ab, Ringweg 1, {tel}, {mail}.</p>',
  ),
  stranger(
    DATENSCHUTZ,
    'a shop',
    '<h3>Shopsystem</h3><p>Wir nutzen das Shopsystem der Weidenbund Inc., Kontakt: {mail}, {tel}.</p>',
  ),
  stranger(
    DATENSCHUTZ,
    'a processor',
    '<h3>Auftragsverarbeiter</h3><p>Weidenbund GmbH<br>Telefon {tel}<br>{mail}</p>',
  ),
  stranger(
    PRIVACY,
    'payment',
    '<h2>Payment provider</h2><p>Payments are processed by Weidenbund Pay plc, {tel}, {mail}.</p>',
  ),
  stranger(
    CONFIDENTIALITE,
    'payment',
    '<h2>Prestataire de paiement</h2><p>Weidenbund Pay SA, tél. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDAD,
    'payment',
    '<h2>Pasarela de pago</h2><p>Weidenbund Pay SA, tel. {tel}, {mail}</p>',
  ),
  stranger(
    INFORMATIVA,
    'payment',
    '<h2>Servizi di pagamento</h2><p>Weidenbund Pay Spa, tel. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACYVERKLARING,
    'payment',
    '<h2>Betaaldienst</h2><p>Weidenbund Pay BV, telefoon {tel}, {mail}</p>',
  ),
  stranger(
    PRYWATNOSC,
    'payment',
    '<h2>Operator płatności</h2><p>Weidenbund Pay SA, tel. {tel}, {mail}</p>',
  ),
  // Officers for data protection from outside.
  stranger(
    DATENSCHUTZ,
    'an officer from outside',
    '<h3>Datenschutzbeauftragter</h3><p>Unser externer Datenschutzbeauftragter: Weidenbund Datenschutz GmbH, Tel. {tel}, {mail}</p>',
  ),
  stranger(
    IMPRESSUM,
    'an officer from outside',
    '<p>Externer Datenschutzbeauftragter:<br>Weidenbund Datenschutz GmbH<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    PRIVACY,
    'an officer from outside',
    '<h2>Data protection officer</h2><p>Our DPO is Weidenbund Compliance Ltd, {tel}, {mail}</p>',
  ),
  stranger(
    CONFIDENTIALITE,
    'an officer from outside',
    '<h2>Délégué à la protection des données</h2><p>Weidenbund Conseil, tél. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDAD,
    'an officer from outside',
    '<h2>Delegado de Protección de Datos</h2><p>Weidenbund Consultores, tel. {tel}, {mail}</p>',
  ),
  stranger(
    INFORMATIVA,
    'an officer from outside',
    '<h2>Responsabile della protezione dei dati</h2><p>Weidenbund Srl, tel. {tel}, {mail}</p>',
  ),
  stranger(
    PRYWATNOSC,
    'an officer from outside',
    '<h2>Inspektor Ochrony Danych</h2><p>Weidenbund sp. z o.o., tel. {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACIDADE,
    'an officer from outside',
    '<h2>Encarregado da Proteção de Dados</h2><p>Weidenbund Lda, telefone {tel}, {mail}</p>',
  ),
  stranger(
    PRIVACYVERKLARING,
    'an officer from outside',
    '<h2>Functionaris voor gegevensbescherming</h2><p>Weidenbund BV, telefoon {tel}, {mail}</p>',
  ),
  // Insurers.
  stranger(
    IMPRESSUM,
    'an insurer',
    '<h3>Angaben zur Berufshaftpflichtversicherung</h3><p>Weidenbund Versicherung AG<br>Ringweg 1<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    LEGAL,
    'an insurer',
    '<h2>Professional indemnity insurance</h2><p>Weidenbund Mutual<br>{tel}<br>{mail}</p>',
  ),
  stranger(
    MENTIONS,
    'an insurer',
    '<h2>Assurance responsabilité civile professionnelle</h2><p>Weidenbund Mutuelle<br>Tél. {tel}<br>{mail}</p>',
  ),
  stranger(
    AVISO,
    'an insurer',
    '<h2>Seguro de responsabilidad civil</h2><p>Weidenbund Seguros, tel. {tel}, {mail}</p>',
  ),
  stranger(
    NOTE,
    'an insurer',
    '<h2>Polizza di responsabilità civile</h2><p>Weidenbund Assicurazioni, tel. {tel}, {mail}</p>',
  ),
  stranger(
    COLOFON,
    'an insurer',
    '<h2>Beroepsaansprakelijkheidsverzekering</h2><p>Weidenbund NV, telefoon {tel}, {mail}</p>',
  ),
  // By heading within a page for something else.
  stranger(
    KONTAKT,
    'a chamber under an Impressum within the page',
    '<h2>Impressum</h2><p>Ahornhof<br>info@ahornhof.test</p><h3>Kammer</h3><p>Weidenbund<br>Ringweg 1<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    KONTAKT,
    'a processor under a privacy text within the page',
    '<h2>Datenschutzerklärung</h2><p>Verantwortlich ist die Ahornhof GmbH.</p><h3>Auftragsverarbeiter</h3><p>Weidenbund<br>Tel. {tel}<br>{mail}</p>',
  ),
  // By domain only.
  stranger(
    IMPRESSUM,
    'somebody with a mailbox of their own',
    '<h3>Weitere Angaben</h3><p>Weidenbund e.V.<br>Ringweg 1<br>04109 Leipzig<br>Tel. {tel}<br>{mail}</p>',
  ),
  stranger(
    NOTE,
    'somebody with a site of their own',
    '<h3>Altre informazioni</h3><p>Weidenbund<br>Via Anello 1<br>Tel. {tel}<br>{web}</p>',
  ),
];
