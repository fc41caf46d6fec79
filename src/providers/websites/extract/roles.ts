/** Names of mailboxes that belong to a role and to no person. */

const ROLES = new Set(
  (
    // International and English
    'info infos information office mail email post postmaster webmaster hostmaster admin ' +
    'administrator administration contact contactus contacts hello hi hey team support help ' +
    'helpdesk service services customerservice customercare customer customers care sales sale ' +
    'marketing press media pr jobs job career careers hr recruiting recruitment work billing ' +
    'invoice invoices accounting accounts accountant finance booking bookings reservation ' +
    'reservations reserve order orders shop store enquiries enquiry inquiry inquiries general ' +
    'feedback reception frontdesk desk events event catering privacy legal compliance gdpr dpo ' +
    'dataprotection security abuse noreply no-reply donotreply newsletter news web website online ' +
    'secretary secretariat secretarial management manager studio clinic practice dental dentist ' +
    'hotel restaurant salon school company business main home all partners partner ' +
    'volunteers volunteer sponsorship donations membership members export import purchasing ' +
    'procurement logistics dispatch workshop warehouse tickets travel appointments appointment ' +
    'communications communication commerce ' +
    // German
    'kontakt anfrage anfragen buero büro kanzlei praxis zentrale verwaltung sekretariat empfang ' +
    'rezeption bestellung bestellungen vertrieb verkauf einkauf buchhaltung rechnung rechnungen ' +
    'bewerbung bewerbungen karriere personal datenschutz dsb presse redaktion werkstatt ' +
    'kundenservice kundendienst termin termine reservierung reservierungen buchung buchungen ' +
    'veranstaltungen geschaeftsstelle geschäftsstelle gemeinde schule verein vorstand laden ' +
    'architekt hausverwaltung notar steuerberatung willkommen moin servus ' +
    // French
    'accueil bonjour bienvenue secretariat secrétariat commercial commande commandes direction ' +
    'comptabilite recrutement emploi rdv devis sav boutique agence cabinet mairie ecole magasin ' +
    // Spanish, Portuguese, Catalan
    'contacto contacte contato informacion informacao informacio administracion administracio ' +
    'administracao ventas vendas vendes pedidos reservas reserves atencion atencioncliente ' +
    'atendimento comercial clientes cliente correo hola ola oi recepcion recepcao recepcio ' +
    'oficina soporte suporte secretaria empleo rrhh prensa comunicacion comunicaciones facturacion ' +
    'contabilidad contabilidade financeiro compras taller gerencia direccion tienda loja ' +
    // Italian
    'contatti contatto informazioni amministrazione segreteria prenotazioni prenotazione ' +
    'commerciale vendite ordini acquisti assistenza clienti direzione negozio ufficio stampa ' +
    'lavoraconnoi studiolegale ciao pec fatturazione ' +
    // Dutch
    'klantenservice bestellingen verkoop inkoop administratie afspraak afspraken reserveren ' +
    'reserveringen receptie boekhouding facturen vacatures winkel praktijk welkom ' +
    // Polish, Czech, Slovak, Croatian, Slovene, Hungarian, Romanian
    'biuro sekretariat sprzedaz zamowienia rezerwacja rezerwacje recepcja sklep kontakty obchod ' +
    'objednavky rezervace recepce podpora prodej kancelar ordinace uctarna predaj objednavka ' +
    'rezervacije prodaja narudzbe ured ordinacija ugyfelszolgalat iroda rendeles recepcio titkarsag ' +
    'ertekesites vanzari comenzi rezervari birou secretariat programari ' +
    // Nordic, Baltic
    'post kundeservice kundservice kundtjanst salg order bokning booking faktura asiakaspalvelu ' +
    'myynti toimisto tilaukset tarjoukset laskutus varaukset ajanvaraus bestilling kontor klinik ' +
    'info-fi parduotuve uzsakymai muuk klient ' +
    // Turkish, Russian and Ukrainian in Latin letters, Japanese
    'iletisim bilgi satis destek muhasebe randevu rezervasyon siparis zakaz zakazy pochta ' +
    'sekretar priemnaya buh bron otdel snab toiawase otoiawase yoyaku eigyo soumu'
  ).split(' '),
);

/** Whether `local` (of `local@domain`) names a role: whole, or with a place or number beside it. */
export function isRole(local: string): boolean {
  const name = local.toLowerCase();
  if (ROLES.has(name)) return true;
  if (name.includes('service') || name.includes('reservation') || name.includes('kontakt')) return true;
  const parts = name.split(/[._+-]/);
  return parts.length > 1
    ? parts.some((part) => part.length > 2 && ROLES.has(part.replace(/\d+$/, '')))
    : ROLES.has(name.replace(/\d+$/, ''));
}
