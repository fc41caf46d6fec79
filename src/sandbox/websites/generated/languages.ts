/** The texts of the generated businesses' pages, by language. */

export const TRADES = ['cafe', 'dentist', 'roofer'] as const;
export type Trade = (typeof TRADES)[number];

export interface Language {
  /** `{x}` is the owner's last name. */
  names: Record<Trade, string>;
  offers: Record<Trade, string>;
  /** `{name}` and `{city}`. */
  welcome: string;
  words: Record<
    'home' | 'contact' | 'about' | 'phone' | 'fax' | 'email' | 'hours' | 'owner',
    string
  >;
  paths: { contact: string; about: string; legal?: { path: string; title: string } };
}

export const LANGUAGES = {
  de: {
    names: { cafe: 'Kaffeehaus {x}', dentist: 'Zahnarztpraxis {x}', roofer: 'Dachdeckerei {x}' },
    offers: {
      cafe: 'Frisch gerösteter Kaffee und hausgemachter Kuchen, jeden Tag ab 2,80 €.',
      dentist: 'Zahnmedizin für die ganze Familie: Vorsorge, Implantate, Prophylaxe.',
      roofer: 'Steildach, Flachdach, Gauben und Dachfenster: fair und termingerecht.',
    },
    welcome: 'Herzlich willkommen bei {name} in {city}.',
    words: {
      home: 'Start',
      contact: 'Kontakt',
      about: 'Über uns',
      phone: 'Telefon',
      fax: 'Fax',
      email: 'E-Mail',
      hours: 'Öffnungszeiten',
      owner: 'Inhaber',
    },
    paths: {
      contact: '/kontakt',
      about: '/ueber-uns',
      legal: { path: '/impressum', title: 'Impressum' },
    },
  },
  fr: {
    names: { cafe: 'Café {x}', dentist: 'Cabinet dentaire {x}', roofer: 'Couverture {x}' },
    offers: {
      cafe: 'Un café torréfié sur place et des pâtisseries maison, dès 2,80 €.',
      dentist: 'Soins dentaires pour toute la famille : prévention, implants, détartrage.',
      roofer: 'Toitures, zinguerie et fenêtres de toit : un travail soigné et garanti.',
    },
    welcome: 'Bienvenue chez {name}, à {city}.',
    words: {
      home: 'Accueil',
      contact: 'Contact',
      about: 'À propos',
      phone: 'Téléphone',
      fax: 'Fax',
      email: 'Courriel',
      hours: 'Horaires',
      owner: 'Gérant',
    },
    paths: {
      contact: '/contact',
      about: '/a-propos',
      legal: { path: '/mentions-legales', title: 'Mentions légales' },
    },
  },
  es: {
    names: { cafe: 'Cafetería {x}', dentist: 'Clínica dental {x}', roofer: 'Tejados {x}' },
    offers: {
      cafe: 'Café recién tostado y repostería casera, desde 2,80 €.',
      dentist: 'Odontología para toda la familia: prevención, implantes y ortodoncia.',
      roofer: 'Reparación de tejados, canalones y ventanas de cubierta, con garantía.',
    },
    welcome: 'Bienvenidos a {name}, en {city}.',
    words: {
      home: 'Inicio',
      contact: 'Contacto',
      about: 'Quiénes somos',
      phone: 'Teléfono',
      fax: 'Fax',
      email: 'Correo electrónico',
      hours: 'Horario',
      owner: 'Propietario',
    },
    paths: {
      contact: '/contacto',
      about: '/quienes-somos',
      legal: { path: '/aviso-legal', title: 'Aviso legal' },
    },
  },
  it: {
    names: { cafe: 'Caffè {x}', dentist: 'Studio dentistico {x}', roofer: 'Coperture {x}' },
    offers: {
      cafe: 'Caffè tostato ogni mattina e dolci fatti in casa, da 1,30 €.',
      dentist: 'Cure dentali per tutta la famiglia: prevenzione, impianti, igiene.',
      roofer: 'Tetti, lattoneria e finestre da tetto: preventivi gratuiti.',
    },
    welcome: 'Benvenuti da {name}, a {city}.',
    words: {
      home: 'Home',
      contact: 'Contatti',
      about: 'Chi siamo',
      phone: 'Telefono',
      fax: 'Fax',
      email: 'E-mail',
      hours: 'Orari',
      owner: 'Titolare',
    },
    paths: { contact: '/contatti', about: '/chi-siamo' },
  },
  nl: {
    names: { cafe: 'Koffiehuis {x}', dentist: 'Tandartspraktijk {x}', roofer: 'Dakdekkers {x}' },
    offers: {
      cafe: 'Versgebrande koffie en zelfgemaakte taart, vanaf € 2,80.',
      dentist: 'Tandheelkunde voor het hele gezin: controle, implantaten, mondhygiëne.',
      roofer: 'Platte daken, pannendaken en dakramen: snel en met garantie.',
    },
    welcome: 'Welkom bij {name} in {city}.',
    words: {
      home: 'Home',
      contact: 'Contact',
      about: 'Over ons',
      phone: 'Telefoon',
      fax: 'Fax',
      email: 'E-mail',
      hours: 'Openingstijden',
      owner: 'Eigenaar',
    },
    paths: { contact: '/contact', about: '/over-ons' },
  },
  pt: {
    names: { cafe: 'Café {x}', dentist: 'Clínica dentária {x}', roofer: 'Telhados {x}' },
    offers: {
      cafe: 'Café torrado na casa e bolos caseiros, desde 1,20 €.',
      dentist: 'Medicina dentária para toda a família: prevenção, implantes, ortodontia.',
      roofer: 'Reparação de telhados e caleiras, orçamentos gratuitos.',
    },
    welcome: 'Bem-vindos à {name}, em {city}.',
    words: {
      home: 'Início',
      contact: 'Contactos',
      about: 'Sobre nós',
      phone: 'Telefone',
      fax: 'Fax',
      email: 'E-mail',
      hours: 'Horário',
      owner: 'Proprietário',
    },
    paths: { contact: '/contactos', about: '/sobre-nos' },
  },
  pl: {
    names: { cafe: 'Kawiarnia {x}', dentist: 'Dentysta {x}', roofer: 'Dachy {x}' },
    offers: {
      cafe: 'Świeżo palona kawa i domowe ciasta, od 12,50 zł.',
      dentist: 'Stomatologia dla całej rodziny: profilaktyka, implanty, leczenie.',
      roofer: 'Pokrycia dachowe, rynny i okna dachowe z gwarancją.',
    },
    welcome: 'Witamy w {name}, {city}.',
    words: {
      home: 'Start',
      contact: 'Kontakt',
      about: 'O nas',
      phone: 'Telefon',
      fax: 'Faks',
      email: 'E-mail',
      hours: 'Godziny otwarcia',
      owner: 'Właściciel',
    },
    paths: { contact: '/kontakt', about: '/o-nas' },
  },
  sv: {
    names: { cafe: 'Kaffestugan {x}', dentist: 'Tandläkare {x}', roofer: 'Takläggare {x}' },
    offers: {
      cafe: 'Nyrostat kaffe och hembakat, från 35 kr.',
      dentist: 'Tandvård för hela familjen: undersökning, implantat, tandhygien.',
      roofer: 'Tak, plåt och takfönster med garanti.',
    },
    welcome: 'Välkommen till {name} i {city}.',
    words: {
      home: 'Hem',
      contact: 'Kontakt',
      about: 'Om oss',
      phone: 'Telefon',
      fax: 'Fax',
      email: 'E-post',
      hours: 'Öppettider',
      owner: 'Ägare',
    },
    paths: { contact: '/kontakt', about: '/om-oss' },
  },
  cs: {
    names: { cafe: 'Kavárna {x}', dentist: 'Zubní ordinace {x}', roofer: 'Střechy {x}' },
    offers: {
      cafe: 'Čerstvě pražená káva a domácí koláče, od 65 Kč.',
      dentist: 'Stomatologie pro celou rodinu: prevence, implantáty, hygiena.',
      roofer: 'Střechy, okapy a střešní okna se zárukou.',
    },
    welcome: 'Vítejte v {name}, {city}.',
    words: {
      home: 'Domů',
      contact: 'Kontakt',
      about: 'O nás',
      phone: 'Telefon',
      fax: 'Fax',
      email: 'E-mail',
      hours: 'Otevírací doba',
      owner: 'Majitel',
    },
    paths: { contact: '/kontakt', about: '/o-nas' },
  },
  en: {
    names: { cafe: '{x} Coffee', dentist: '{x} Dental', roofer: '{x} Roofing' },
    offers: {
      cafe: 'Freshly roasted coffee and home-made cakes, from 3.20.',
      dentist: 'Dental care for the whole family: check-ups, implants, whitening.',
      roofer: 'Roof repairs, gutters and skylights, with a ten-year warranty.',
    },
    welcome: 'Welcome to {name} in {city}.',
    words: {
      home: 'Home',
      contact: 'Contact',
      about: 'About us',
      phone: 'Phone',
      fax: 'Fax',
      email: 'Email',
      hours: 'Opening hours',
      owner: 'Owner',
    },
    paths: { contact: '/contact', about: '/about' },
  },
} as const satisfies Record<string, Language>;

export type LanguageCode = keyof typeof LANGUAGES;
