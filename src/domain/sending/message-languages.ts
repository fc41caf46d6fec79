/** The product's own texts in messages and pages, by the language of a campaign. */

export const MESSAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];

export interface MessageWords {
  /** The link in the footer, and the button of the page. */
  unsubscribe: string;
  /** The page that asks, and the one that says it is done. */
  title: string;
  question: string;
  doneTitle: string;
  done: string;
}

/** The words of a language; English for those that have none here. */
export const wordsOf = (language: string | null | undefined): MessageWords =>
  WORDS[messageLanguageOf(language)];

/** `de` for `de-AT`, `en` for what has no words here. RFC 5646. */
export function messageLanguageOf(tag: string | null | undefined): MessageLanguage {
  const primary = (tag ?? '').toLowerCase().split('-')[0];
  return MESSAGE_LANGUAGES.find((each) => each === primary) ?? 'en';
}

/** The language of a campaign: what was set, else what its first message is written in. */
export const languageOf = (
  language: string | null,
  first: { subjectTemplate?: string | null | undefined; bodyTemplate: string } | undefined,
): string =>
  language ?? guessLanguage(`${first?.subjectTemplate ?? ''} ${first?.bodyTemplate ?? ''}`);

/** With fewer common words, or no clear lead, the language is unknown. */
const LEAST_WORDS = 3;
const LEAST_LEAD = 1.5;

/** The language that most of the common words of a template are of; `en` where none is clear. */
export function guessLanguage(template: string): MessageLanguage {
  const text = template
    .replaceAll(/\{\{[^{}]*\}\}|<[^<>]*>|https?:\/\/\S+/g, ' ')
    .toLowerCase()
    .normalize('NFC');
  const found = new Map<MessageLanguage, number>();
  for (const word of text.match(/\p{L}+/gu) ?? []) {
    for (const language of OWNERS.get(word) ?? []) {
      found.set(language, (found.get(language) ?? 0) + 1);
    }
  }
  const [first, second] = [...found].toSorted(([, a], [, b]) => b - a);
  if (!first || first[1] < LEAST_WORDS) return 'en';
  return second && first[1] < second[1] * LEAST_LEAD ? 'en' : first[0];
}

/** Words that a short business message can hardly do without; some belong to several languages. */
const COMMON: Record<MessageLanguage, string> = {
  en: 'the and you your we our is are for with this that have to of from would can not i it be will',
  de: 'der die das und sie ihr ihre ihnen wir ich ist sind für mit nicht ein eine auf zu von haben den im über guten tag grüße wenn dass',
  fr: 'le la les et vous votre vos nous notre je est sont pour avec pas un une des du que dans sur ce bonjour cordialement en au',
  es: 'el la los las y usted su sus nosotros es son para con no un una de del que en por hola saludos gracias le como',
  it: 'il la i gli e lei suo sua noi è sono per con non un una di del della che in buongiorno saluti grazie le come vi',
  pt: 'o a os as e você seu sua nós é são para com não um uma de do da que em por olá obrigado cumprimentos os lhe como',
  nl: 'de het en u uw wij we ik is zijn voor met niet een van op dat dit hebben bij goedendag groet groeten om naar',
  pl: 'i w na z do się nie to jest są dla czy że państwa pana pani nasz dzień dobry pozdrawiam oraz o jak',
};

const OWNERS: ReadonlyMap<string, MessageLanguage[]> = ownersOf();

function ownersOf(): Map<string, MessageLanguage[]> {
  const owners = new Map<string, MessageLanguage[]>();
  for (const language of MESSAGE_LANGUAGES) {
    for (const word of new Set(COMMON[language].split(' '))) {
      owners.set(word, [...(owners.get(word) ?? []), language]);
    }
  }
  return owners;
}

const WORDS: Record<MessageLanguage, MessageWords> = {
  en: {
    unsubscribe: 'Unsubscribe',
    title: 'Unsubscribe',
    question: 'Do you want no more mail from this sender?',
    doneTitle: 'You are unsubscribed',
    done: 'You will get no more mail from this sender. You can close this page.',
  },
  de: {
    unsubscribe: 'Abmelden',
    title: 'Abmelden',
    question: 'Möchten Sie keine E-Mails mehr von diesem Absender?',
    doneTitle: 'Sie sind abgemeldet',
    done: 'Sie erhalten keine E-Mails mehr von diesem Absender. Sie können diese Seite schließen.',
  },
  fr: {
    unsubscribe: 'Se désabonner',
    title: 'Se désabonner',
    question: 'Ne voulez-vous plus recevoir de messages de cet expéditeur ?',
    doneTitle: 'Vous êtes désabonné(e)',
    done: 'Vous ne recevrez plus de messages de cet expéditeur. Vous pouvez fermer cette page.',
  },
  es: {
    unsubscribe: 'Darse de baja',
    title: 'Darse de baja',
    question: '¿No quiere recibir más correos de este remitente?',
    doneTitle: 'Se ha dado de baja',
    done: 'No recibirá más correos de este remitente. Puede cerrar esta página.',
  },
  it: {
    unsubscribe: 'Annulla l’iscrizione',
    title: 'Annulla l’iscrizione',
    question: 'Non vuole più ricevere messaggi da questo mittente?',
    doneTitle: 'L’iscrizione è annullata',
    done: 'Non riceverà più messaggi da questo mittente. Può chiudere questa pagina.',
  },
  pt: {
    unsubscribe: 'Cancelar a subscrição',
    title: 'Cancelar a subscrição',
    question: 'Não quer receber mais e-mails deste remetente?',
    doneTitle: 'A subscrição foi cancelada',
    done: 'Não receberá mais e-mails deste remetente. Pode fechar esta página.',
  },
  nl: {
    unsubscribe: 'Afmelden',
    title: 'Afmelden',
    question: 'Wilt u geen e-mail meer van deze afzender?',
    doneTitle: 'U bent afgemeld',
    done: 'U krijgt geen e-mail meer van deze afzender. U kunt deze pagina sluiten.',
  },
  pl: {
    unsubscribe: 'Wypisz się',
    title: 'Wypisz się',
    question: 'Czy nie chcą Państwo otrzymywać więcej wiadomości od tego nadawcy?',
    doneTitle: 'Zostali Państwo wypisani',
    done: 'Nie otrzymają Państwo więcej wiadomości od tego nadawcy. Można zamknąć tę stronę.',
  },
};
