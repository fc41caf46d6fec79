/** The product's own words in footers and on the pages that end the mails, by the language of a campaign. */

export const PAGE_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'hu',
  'ro',
  'tr',
  'el',
  'ru',
  'uk',
  'ja',
  'zh',
  'zh-Hant',
  'ar',
  'he',
] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export interface PageWords {
  /** The link in the footer, and the button of the page. */
  unsubscribe: string;
  /** The page that asks, and the one that says it is done. */
  title: string;
  question: string;
  doneTitle: string;
  done: string;
}

/** The words of a language; English for those that have none here. */
export const wordsOf = (language: string | null | undefined): PageWords =>
  WORDS[pageLanguageOf(language)];

/** Tags that are written otherwise. RFC 5646. */
const SAME: Readonly<Record<string, PageLanguage>> = { no: 'nb', nn: 'nb', iw: 'he' };
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/;

/** `de` for `de-AT`, `zh-Hant` for `zh-TW`, `en` for what has no words here. RFC 5646. */
export function pageLanguageOf(tag: string | null | undefined): PageLanguage {
  const lower = (tag ?? '').toLowerCase();
  if (TRADITIONAL.test(lower)) return 'zh-Hant';
  const primary = lower.split('-')[0]!;
  return SAME[primary] ?? PAGE_LANGUAGES.find((each) => each === primary) ?? 'en';
}

export const isRightToLeft = (language: string): boolean =>
  ['ar', 'he'].includes(pageLanguageOf(language));

const WORDS: Readonly<Record<PageLanguage, PageWords>> = {
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
    doneTitle: 'Désabonnement confirmé',
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
    doneTitle: 'Iscrizione annullata',
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
  sv: {
    unsubscribe: 'Avsluta utskick',
    title: 'Avsluta utskick',
    question: 'Vill du inte få fler mejl från den här avsändaren?',
    doneTitle: 'Du får inga fler utskick',
    done: 'Du får inga fler mejl från den här avsändaren. Du kan stänga den här sidan.',
  },
  da: {
    unsubscribe: 'Afmeld',
    title: 'Afmeld',
    question: 'Vil du ikke have flere e-mails fra denne afsender?',
    doneTitle: 'Du er afmeldt',
    done: 'Du får ikke flere e-mails fra denne afsender. Du kan lukke denne side.',
  },
  nb: {
    unsubscribe: 'Meld deg av',
    title: 'Meld deg av',
    question: 'Vil du ikke ha flere e-poster fra denne avsenderen?',
    doneTitle: 'Du er meldt av',
    done: 'Du får ikke flere e-poster fra denne avsenderen. Du kan lukke denne siden.',
  },
  fi: {
    unsubscribe: 'Peruuta viestit',
    title: 'Peruuta viestit',
    question: 'Etkö halua enää sähköpostia tältä lähettäjältä?',
    doneTitle: 'Viestit on peruutettu',
    done: 'Et saa enää sähköpostia tältä lähettäjältä. Voit sulkea tämän sivun.',
  },
  cs: {
    unsubscribe: 'Odhlásit se',
    title: 'Odhlásit se',
    question: 'Nechcete už od tohoto odesílatele dostávat další e-maily?',
    doneTitle: 'Odhlášení proběhlo',
    done: 'Od tohoto odesílatele už nedostanete žádné další e-maily. Tuto stránku můžete zavřít.',
  },
  hu: {
    unsubscribe: 'Leiratkozás',
    title: 'Leiratkozás',
    question: 'Nem szeretne több e-mailt kapni ettől a feladótól?',
    doneTitle: 'Sikeresen leiratkozott',
    done: 'Ettől a feladótól nem kap több e-mailt. Ezt az oldalt bezárhatja.',
  },
  ro: {
    unsubscribe: 'Dezabonare',
    title: 'Dezabonare',
    question: 'Nu mai doriți să primiți e-mailuri de la acest expeditor?',
    doneTitle: 'V-ați dezabonat',
    done: 'Nu veți mai primi e-mailuri de la acest expeditor. Puteți închide această pagină.',
  },
  tr: {
    unsubscribe: 'Abonelikten çık',
    title: 'Abonelikten çık',
    question: 'Bu göndericiden artık e-posta almak istemiyor musunuz?',
    doneTitle: 'Abonelikten çıktınız',
    done: 'Bu göndericiden artık e-posta almayacaksınız. Bu sayfayı kapatabilirsiniz.',
  },
  el: {
    unsubscribe: 'Διαγραφή από τη λίστα',
    title: 'Διαγραφή από τη λίστα',
    question: 'Δεν θέλετε να λαμβάνετε άλλα email από αυτόν τον αποστολέα;',
    doneTitle: 'Η διαγραφή σας ολοκληρώθηκε',
    done: 'Δεν θα λαμβάνετε άλλα email από αυτόν τον αποστολέα. Μπορείτε να κλείσετε αυτή τη σελίδα.',
  },
  ru: {
    unsubscribe: 'Отписаться',
    title: 'Отписаться',
    question: 'Вы больше не хотите получать письма от этого отправителя?',
    doneTitle: 'Вы отписались',
    done: 'Вы больше не будете получать письма от этого отправителя. Эту страницу можно закрыть.',
  },
  uk: {
    unsubscribe: 'Відписатися',
    title: 'Відписатися',
    question: 'Ви більше не хочете отримувати листи від цього відправника?',
    doneTitle: 'Ви відписалися',
    done: 'Ви більше не отримуватимете листів від цього відправника. Цю сторінку можна закрити.',
  },
  ja: {
    unsubscribe: '配信停止',
    title: '配信停止',
    question: 'この送信者からのメールの受信を停止しますか？',
    doneTitle: '配信を停止しました',
    done: '今後、この送信者からメールは届きません。このページは閉じていただいてかまいません。',
  },
  zh: {
    unsubscribe: '退订',
    title: '退订',
    question: '您不想再收到该发件人的邮件吗？',
    doneTitle: '您已退订',
    done: '您将不会再收到该发件人的邮件。您可以关闭此页面。',
  },
  'zh-Hant': {
    unsubscribe: '取消訂閱',
    title: '取消訂閱',
    question: '您不想再收到此寄件者的郵件嗎？',
    doneTitle: '您已取消訂閱',
    done: '您將不會再收到此寄件者的郵件。您可以關閉此頁面。',
  },
  ar: {
    unsubscribe: 'إلغاء الاشتراك',
    title: 'إلغاء الاشتراك',
    question: 'هل تريد التوقف عن تلقي الرسائل من هذا المرسل؟',
    doneTitle: 'تم إلغاء اشتراكك',
    done: 'لن تتلقى أي رسائل أخرى من هذا المرسل. يمكنك إغلاق هذه الصفحة.',
  },
  he: {
    unsubscribe: 'להסרה מרשימת התפוצה',
    title: 'הסרה מרשימת התפוצה',
    question: 'האם להפסיק לקבל הודעות מהשולח הזה?',
    doneTitle: 'הוסרתם מרשימת התפוצה',
    done: 'לא תקבלו עוד הודעות מהשולח הזה. אפשר לסגור את הדף.',
  },
};
