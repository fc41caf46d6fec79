/** What people write around an answer, and says nothing about its meaning. */

export interface Around {
  greetings: readonly string[];
  thanks: readonly string[];
  farewells: readonly string[];
}

/** By the name of the file in test/corpus/interest. */
export const AROUND: Readonly<Record<string, Around>> = {
  english: {
    greetings: ['Hi Anna,', 'Hello,', 'Dear Ms Miller,', 'Good morning Anna,', 'Hey,'],
    thanks: [
      'Thanks for your email.',
      'Thank you for reaching out.',
      'Thanks for getting in touch.',
      'I hope you are well.',
      'Sorry for the late reply.',
    ],
    farewells: ['Have a nice day', 'Thanks', 'Have a good week!', 'Tom', 'All the best, Tom'],
  },
  german: {
    greetings: [
      'Hallo Frau Müller,',
      'Guten Tag,',
      'Sehr geehrte Frau Müller,',
      'Hi Anna,',
      'Moin,',
    ],
    thanks: [
      'Vielen Dank für Ihre Nachricht.',
      'Danke für Ihre E-Mail.',
      'Danke, dass Sie sich gemeldet haben.',
      'Entschuldigen Sie die späte Antwort.',
      'Danke für die Info.',
    ],
    farewells: [
      'Schönen Tag noch',
      'Danke',
      'Schönes Wochenende!',
      'Thomas',
      'Viele Grüße, Thomas',
    ],
  },
  french: {
    greetings: ['Bonjour Anne,', 'Bonjour,', 'Madame,', 'Chère Madame,', 'Bonsoir,'],
    thanks: [
      'Merci pour votre message.',
      'Je vous remercie de votre mail.',
      'Merci de nous avoir contactés.',
      'Désolé pour la réponse tardive.',
      "J'ai bien reçu votre courriel.",
    ],
    farewells: ['Bonne journée', 'Merci', 'Bon week-end !', 'Thomas', 'Cordialement, Thomas'],
  },
  spanish: {
    greetings: ['Hola Ana:', 'Buenos días,', 'Estimada Ana:', 'Buenas tardes,', 'Hola,'],
    thanks: [
      'Gracias por su mensaje.',
      'Gracias por escribir.',
      'Le agradezco el correo.',
      'Disculpe la demora.',
      'Gracias por contactarnos.',
    ],
    farewells: ['Que tenga buen día', 'Gracias', 'Buen fin de semana', 'Tomás', 'Saludos, Tomás'],
  },
  italian: {
    greetings: ['Salve Anna,', 'Buongiorno,', 'Gentile Anna,', 'Buonasera,', 'Ciao,'],
    thanks: [
      'Grazie per la sua mail.',
      'La ringrazio del messaggio.',
      'Grazie per averci contattato.',
      'Scusi il ritardo.',
      'Grazie per avermi scritto.',
    ],
    farewells: ['Buona giornata', 'Grazie', 'Buon lavoro', 'Tommaso', 'Saluti, Tommaso'],
  },
  portuguese: {
    greetings: ['Olá Ana,', 'Bom dia,', 'Prezada Ana,', 'Boa tarde,', 'Oi,'],
    thanks: [
      'Obrigado pela mensagem.',
      'Agradeço o seu e-mail.',
      'Obrigada pelo contacto.',
      'Desculpe a demora.',
      'Obrigado por escrever.',
    ],
    farewells: ['Bom dia', 'Obrigado', 'Bom fim de semana', 'Tomás', 'Abraço, Tomás'],
  },
  dutch: {
    greetings: ['Hallo Anna,', 'Goedemorgen,', 'Beste Anna,', 'Geachte mevrouw,', 'Hoi,'],
    thanks: [
      'Bedankt voor uw bericht.',
      'Dank voor uw mail.',
      'Dank dat u contact opneemt.',
      'Excuses voor de late reactie.',
      'Hartelijk dank voor het schrijven.',
    ],
    farewells: ['Fijne dag', 'Bedankt', 'Fijn weekend!', 'Thomas', 'Groet, Thomas'],
  },
  polish: {
    greetings: ['Dzień dobry,', 'Szanowna Pani,', 'Witam,', 'Cześć Anno,', 'Dobry wieczór,'],
    thanks: [
      'Dziękuję za wiadomość.',
      'Dziękuję za maila.',
      'Dziękujemy za kontakt.',
      'Przepraszam za późną odpowiedź.',
      'Dzięki za info.',
    ],
    farewells: ['Miłego dnia', 'Dziękuję', 'Udanego weekendu', 'Tomasz', 'Pozdrawiam, Tomasz'],
  },
  russian: {
    greetings: [
      'Добрый день!',
      'Здравствуйте, Анна!',
      'Анна, добрый день.',
      'Приветствую,',
      'Привет,',
    ],
    thanks: [
      'Спасибо за письмо.',
      'Благодарю за обращение.',
      'Спасибо, что написали.',
      'Извините за поздний ответ.',
      'Спасибо за информацию.',
    ],
    farewells: ['Хорошего дня', 'Спасибо', 'Хороших выходных', 'Томас', 'С уважением, Томас'],
  },
  turkish: {
    greetings: ['Merhaba,', 'Sayın Ayşe Hanım,', 'İyi günler,', 'Selam,', 'Merhaba Ayşe Hanım,'],
    thanks: [
      'Mesajınız için teşekkürler.',
      'Mailiniz için teşekkür ederim.',
      'Bize ulaştığınız için teşekkürler.',
      'Geç cevap için kusura bakmayın.',
      'Yazdığınız için sağ olun.',
    ],
    farewells: ['İyi günler', 'Teşekkürler', 'İyi hafta sonları', 'Tolga', 'Saygılar, Tolga'],
  },
};
