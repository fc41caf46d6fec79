/** The built-in follow-ups of campaigns, in the languages of their footers. Choice 10. */
import type { MessageLanguage } from './message-languages.ts';

/**
 * The n-th reminder, from 0 on, in rotation. Each has a few wordings, so that recipients do not get identical
 * texts, and none mentions sender or recipient beyond their names.
 */
export function reminderText(language: MessageLanguage, n: number): string {
  const { greeting, closing, texts } = REMINDERS[language];
  return `${greeting}\n\n${texts[n % texts.length]!}\n\n${closing}\n{{senderName}}`;
}

interface Reminders {
  greeting: string;
  closing: string;
  /** After the greeting's comma; as many in each language. */
  texts: readonly [string, string, string, string];
}

const REMINDERS: Record<MessageLanguage, Reminders> = {
  en: {
    greeting: '{Hi|Hello} {{firstName}},',
    closing: '{Best regards|Kind regards}',
    texts: [
      '{did you have a chance to read my last message?|I wanted to make sure that you saw my last message.} {I would be glad to hear what you think.|A short answer is enough.}',
      '{I am coming back to my message below.|a short note on my message below.} {If somebody else is the right person for this, a name would help me a lot.|Is this something for you, or should I ask somebody else?}',
      '{if now is not a good time, tell me when to ask again.|is there a better time to come back to this?} {I am happy to wait.|Any hint helps.}',
      '{I do not want to fill your inbox.|I will keep this short.} {If this is of no interest, just tell me and I will not ask again.|A "no" is a good answer too.}',
    ],
  },
  de: {
    greeting: '{Guten Tag|Hallo} {{firstName}},',
    closing: '{Beste Grüße|Freundliche Grüße}',
    texts: [
      '{konnten Sie meine letzte Nachricht schon lesen?|ich wollte sichergehen, dass meine letzte Nachricht angekommen ist.} {Ich freue mich zu hören, was Sie denken.|Eine kurze Antwort genügt.}',
      '{ich komme auf meine Nachricht unten zurück.|eine kurze Notiz zu meiner Nachricht unten.} {Falls dafür jemand anderes zuständig ist, würde mir ein Name sehr helfen.|Ist das etwas für Sie, oder soll ich jemand anderen fragen?}',
      '{falls es gerade nicht passt: Wann darf ich noch einmal fragen?|gibt es einen besseren Zeitpunkt dafür?} {Ich warte gern.|Jeder Hinweis hilft.}',
      '{ich möchte Ihr Postfach nicht füllen.|ich fasse mich kurz.} {Wenn kein Interesse besteht, sagen Sie es mir einfach, dann frage ich nicht mehr.|Auch ein „Nein“ ist eine gute Antwort.}',
    ],
  },
  fr: {
    greeting: 'Bonjour {{firstName}},',
    closing: '{Bien cordialement|Cordialement}',
    texts: [
      '{Avez-vous eu l’occasion de lire mon dernier message ?|Je voulais m’assurer que mon dernier message vous est bien parvenu.} {Votre avis m’intéresse.|Une courte réponse suffit.}',
      '{Je reviens vers vous au sujet de mon message ci-dessous.|Un petit mot au sujet de mon message ci-dessous.} {Si quelqu’un d’autre s’en occupe, un nom m’aiderait beaucoup.|Est-ce un sujet pour vous, ou dois-je m’adresser à quelqu’un d’autre ?}',
      '{Si ce n’est pas le bon moment, dites-moi quand vous recontacter.|Y a-t-il un meilleur moment pour en parler ?} {J’attendrai volontiers.|La moindre indication m’aide.}',
      '{Je ne veux pas encombrer votre messagerie.|Juste quelques mots.} {Si cela ne vous intéresse pas, dites-le-moi et je n’insisterai pas.|Un « non » est aussi une bonne réponse.}',
    ],
  },
  es: {
    greeting: 'Hola {{firstName}}:',
    closing: '{Un saludo|Saludos cordiales}',
    texts: [
      '{¿Ha podido leer mi último mensaje?|Quería asegurarme de que le llegó mi último mensaje.} {Me gustaría saber qué opina.|Basta con una respuesta breve.}',
      '{Le escribo de nuevo por el mensaje de abajo.|Una breve nota sobre el mensaje de abajo.} {Si otra persona se encarga de esto, un nombre me ayudaría mucho.|¿Es algo para usted o debo preguntar a otra persona?}',
      '{Si ahora no es buen momento, dígame cuándo puedo volver a preguntar.|¿Hay un momento mejor para hablar de esto?} {No hay prisa.|Cualquier indicación ayuda.}',
      '{No quiero llenar su bandeja de entrada.|Seré breve.} {Si no le interesa, dígamelo y no volveré a preguntar.|Un «no» también es una buena respuesta.}',
    ],
  },
  it: {
    greeting: 'Buongiorno {{firstName}},',
    closing: '{Un cordiale saluto|Cordiali saluti}',
    texts: [
      '{ha avuto modo di leggere il mio ultimo messaggio?|volevo verificare che il mio ultimo messaggio sia arrivato.} {Mi farebbe piacere sapere che cosa ne pensa.|Basta una breve risposta.}',
      '{torno sul mio messaggio qui sotto.|una breve nota sul mio messaggio qui sotto.} {Se se ne occupa qualcun altro, un nome mi aiuterebbe molto.|È un tema per Lei, o devo chiedere a qualcun altro?}',
      '{se non è il momento giusto, mi dica quando posso risentirLa.|c’è un momento migliore per parlarne?} {Aspetto volentieri.|Ogni indicazione è utile.}',
      '{non voglio riempire la Sua casella.|mi limito a poche righe.} {Se non Le interessa, me lo dica e non chiederò più.|Anche un «no» è una buona risposta.}',
    ],
  },
  pt: {
    greeting: 'Olá {{firstName}},',
    closing: '{Cumprimentos|Com os melhores cumprimentos}',
    texts: [
      '{conseguiu ler a minha última mensagem?|queria confirmar que recebeu a minha última mensagem.} {Gostaria de saber o que pensa.|Basta uma resposta breve.}',
      '{volto à minha mensagem abaixo.|uma breve nota sobre a minha mensagem abaixo.} {Se outra pessoa tratar deste assunto, um nome ajudaria muito.|É um assunto para si, ou devo perguntar a outra pessoa?}',
      '{se agora não for boa altura, diga-me quando posso voltar a perguntar.|há uma altura melhor para falar disto?} {Espero com gosto.|Qualquer indicação ajuda.}',
      '{não quero encher a sua caixa de correio.|serei breve.} {Se não tiver interesse, diga-me e não volto a perguntar.|Um «não» também é uma boa resposta.}',
    ],
  },
  nl: {
    greeting: '{Goedendag|Hallo} {{firstName}},',
    closing: '{Met vriendelijke groet|Vriendelijke groeten}',
    texts: [
      '{heeft u mijn laatste bericht kunnen lezen?|ik wilde zeker weten dat mijn laatste bericht is aangekomen.} {Ik hoor graag wat u ervan vindt.|Een kort antwoord is genoeg.}',
      '{ik kom terug op mijn bericht hieronder.|een korte notitie bij mijn bericht hieronder.} {Als iemand anders hierover gaat, zou een naam mij erg helpen.|Is dit iets voor u, of kan ik beter iemand anders vragen?}',
      '{als het nu niet uitkomt: wanneer mag ik het nog eens vragen?|is er een beter moment om hierop terug te komen?} {Ik wacht graag.|Elke aanwijzing helpt.}',
      '{ik wil uw inbox niet vullen.|ik houd het kort.} {Als u geen interesse heeft, laat het mij weten en ik vraag het niet meer.|Een ‘nee’ is ook een goed antwoord.}',
    ],
  },
  // Without the name: a Polish greeting would inflect it.
  pl: {
    greeting: 'Dzień dobry,',
    closing: '{Z poważaniem|Pozdrawiam}',
    texts: [
      '{czy moja ostatnia wiadomość dotarła?|wracam do mojej ostatniej wiadomości.} {Chętnie poznam Państwa zdanie.|Wystarczy krótka odpowiedź.}',
      '{nawiązuję do mojej wiadomości poniżej.|krótka notatka do mojej wiadomości poniżej.} {Jeśli zajmuje się tym ktoś inny, bardzo pomogłoby mi nazwisko.|Czy to temat dla Państwa, czy mam zapytać kogoś innego?}',
      '{jeśli to nie jest dobry moment, proszę o informację, kiedy zapytać ponownie.|czy jest lepszy moment, aby do tego wrócić?} {Chętnie poczekam.|Każda wskazówka pomoże.}',
      '{nie chcę zapełniać Państwa skrzynki.|piszę krótko.} {Jeśli temat nie jest interesujący, proszę o znak, a nie będę więcej pytać.|Odpowiedź „nie” też jest dobra.}',
    ],
  },
};
