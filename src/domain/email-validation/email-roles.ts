/** Addresses of a function instead of a person: `info@`, `kontakt@`, `ventes@`. Choice 29. */

/** Local parts in the languages our users write to. */
const ROLES = new Set(
  [
    // RFC 2142 and what every mail server has.
    'abuse admin administrator hostmaster webmaster postmaster root noc security mailer-daemon',
    'noreply no-reply donotreply do-not-reply mailmaster usenet news ftp www',
    // English.
    'info information contact contactus hello hi office mail email enquiries enquiry inquiries',
    'inquiry sales marketing support help helpdesk service services customerservice',
    'customerservices customer-service customercare care billing accounts accounting finance',
    'invoice invoices orders order shop store press media pr jobs job careers career hr',
    'recruiting recruitment team staff legal privacy gdpr dpo compliance feedback newsletter',
    'subscribe unsubscribe bookings booking reservations reservation reception frontdesk events',
    'partners partnerships partner vendors suppliers purchasing procurement everyone all it tech',
    'webteam ceo management board welcome ask general web',
    // German.
    'kontakt buero büro post verwaltung vertrieb verkauf kundenservice kundendienst buchhaltung',
    'rechnung rechnungen bewerbung bewerbungen karriere presse empfang sekretariat anfrage',
    'anfragen bestellung bestellungen datenschutz zentrale praxis kanzlei rezeption termine',
    'geschaeftsfuehrung impressum',
    // French.
    'accueil bonjour contactez commercial ventes vente secretariat secrétariat direction',
    'comptabilite comptabilité facturation recrutement emploi rh service-client serviceclient',
    'renseignements commande commandes reservation',
    // Spanish and Portuguese.
    'contacto informacion información hola ventas administracion administración comercial',
    'atencion atencionalcliente facturacion facturación recepcion recepción reservas empleo',
    'rrhh pedidos prensa contato contacto geral vendas atendimento financeiro administrativo',
    'comercial faleconosco sac secretaria recepcao',
    // Italian.
    'contatti contatto informazioni amministrazione commerciale vendite segreteria assistenza',
    'ordini prenotazioni ufficio direzione fatturazione lavoraconnoi',
    // Dutch, Danish, Swedish, Norwegian, Finnish.
    'algemeen verkoop administratie klantenservice boekhouding receptie vacatures kontor salg',
    'post salj forsaljning kundservice kundeservice ekonomi faktura bokhaldning asiakaspalvelu',
    'myynti toimisto laskutus',
    // Polish, Czech, Hungarian, Turkish.
    'biuro sekretariat sprzedaz handlowy ksiegowosc zamowienia rekrutacja obchod prodej',
    'objednavky iroda ertekesites ugyfelszolgalat iletisim bilgi satis destek muhasebe',
  ]
    .join(' ')
    .split(' '),
);

/** Separators and suffixes after a plus do not tell who reads it: `sales+web`, `info-de`, `info1`. */
const TAIL = /([+].*|[-._]?\d{1,3}|[-._](?:de|at|ch|uk|us|eu|fr|es|it|nl|int|intl))$/;

/** Whether the local part is a function's, not a person's. */
export function isRoleAddress(local: string): boolean {
  const name = local.toLowerCase();
  return ROLES.has(name) || ROLES.has(name.replace(TAIL, ''));
}
