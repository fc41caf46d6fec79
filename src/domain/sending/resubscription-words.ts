/** The words of the pages by which a recipient takes an unsubscription back, in the languages that have them. */
import { messageLanguageOf, type MessageLanguage } from './message-languages.ts';

export interface ResubscriptionWords {
  /** The button. */
  mistake: string;
  /** The page that says it is done, and the one that says it is not. */
  doneTitle: string;
  done: string;
  keptTitle: string;
  kept: string;
}

/** English where a language has none; `language` is the one that the words are in. */
export function resubscriptionWordsOf(
  tag: string | null | undefined,
): ResubscriptionWords & { language: MessageLanguage } {
  const wanted = messageLanguageOf(tag);
  const words = WORDS[wanted];
  return words ? { ...words, language: wanted } : { ...WORDS.en, language: 'en' };
}

const WORDS: Partial<Record<MessageLanguage, ResubscriptionWords>> & { en: ResubscriptionWords } = {
  en: {
    mistake: 'This was a mistake: subscribe me again',
    doneTitle: 'You are subscribed again',
    done: 'This sender may write to you again. You can close this page.',
    keptTitle: 'You stay unsubscribed',
    kept: 'This page cannot take it back any more. If you want mail from this sender again, please write to them.',
  },
  de: {
    mistake: 'Das war ein Versehen: wieder anmelden',
    doneTitle: 'Sie sind wieder angemeldet',
    done: 'Dieser Absender darf Ihnen wieder schreiben. Sie können diese Seite schließen.',
    keptTitle: 'Sie bleiben abgemeldet',
    kept: 'Diese Seite kann das nicht mehr rückgängig machen. Wenn Sie wieder E-Mails von diesem Absender möchten, schreiben Sie ihm bitte.',
  },
  fr: {
    mistake: 'C’était une erreur : me réabonner',
    doneTitle: 'Vous êtes réabonné(e)',
    done: 'Cet expéditeur peut de nouveau vous écrire. Vous pouvez fermer cette page.',
    keptTitle: 'Vous restez désabonné(e)',
    kept: 'Cette page ne peut plus l’annuler. Si vous souhaitez de nouveau recevoir des messages de cet expéditeur, veuillez lui écrire.',
  },
  es: {
    mistake: 'Fue un error: volver a suscribirme',
    doneTitle: 'Se ha suscrito de nuevo',
    done: 'Este remitente puede volver a escribirle. Puede cerrar esta página.',
    keptTitle: 'Sigue dado de baja',
    kept: 'Esta página ya no puede deshacerlo. Si quiere volver a recibir correos de este remitente, escríbale, por favor.',
  },
  it: {
    mistake: 'È stato un errore: iscrivimi di nuovo',
    doneTitle: 'L’iscrizione è di nuovo attiva',
    done: 'Questo mittente può scriverle di nuovo. Può chiudere questa pagina.',
    keptTitle: 'L’iscrizione resta annullata',
    kept: 'Questa pagina non può più ripristinarla. Se vuole ricevere di nuovo messaggi da questo mittente, gli scriva.',
  },
  pt: {
    mistake: 'Foi um engano: subscrever de novo',
    doneTitle: 'A subscrição está de novo ativa',
    done: 'Este remetente pode voltar a escrever-lhe. Pode fechar esta página.',
    keptTitle: 'A subscrição continua cancelada',
    kept: 'Esta página já não pode anular o cancelamento. Se quiser voltar a receber e-mails deste remetente, escreva-lhe, por favor.',
  },
  nl: {
    mistake: 'Dit was een vergissing: meld mij weer aan',
    doneTitle: 'U bent weer aangemeld',
    done: 'Deze afzender mag u weer schrijven. U kunt deze pagina sluiten.',
    keptTitle: 'U blijft afgemeld',
    kept: 'Deze pagina kan dit niet meer ongedaan maken. Wilt u weer e-mail van deze afzender, schrijf hem dan.',
  },
  pl: {
    mistake: 'To była pomyłka: zapisz mnie ponownie',
    doneTitle: 'Zostali Państwo ponownie zapisani',
    done: 'Ten nadawca może znów do Państwa pisać. Można zamknąć tę stronę.',
    keptTitle: 'Pozostają Państwo wypisani',
    kept: 'Ta strona nie może już tego cofnąć. Aby znów otrzymywać wiadomości od tego nadawcy, prosimy do niego napisać.',
  },
};
