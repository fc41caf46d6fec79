/** The words of the pages by which a recipient takes an unsubscription back, by the language of a campaign. */
import { pageLanguageOf, type PageLanguage } from './page-words.ts';

export interface ResubscriptionWords {
  /** The button. */
  mistake: string;
  /** The page that says it is done, and the one that says it is not. */
  doneTitle: string;
  done: string;
  keptTitle: string;
  kept: string;
}

/** The words of a language; English for those that have none here. */
export const resubscriptionWordsOf = (tag: string | null | undefined): ResubscriptionWords =>
  WORDS[pageLanguageOf(tag)];

const WORDS: Readonly<Record<PageLanguage, ResubscriptionWords>> = {
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
    doneTitle: 'Réabonnement confirmé',
    done: 'Cet expéditeur peut de nouveau vous écrire. Vous pouvez fermer cette page.',
    keptTitle: 'Désabonnement maintenu',
    kept: 'Cette page ne peut plus l’annuler. Si vous souhaitez de nouveau recevoir des messages de cet expéditeur, veuillez lui écrire.',
  },
  es: {
    mistake: 'Fue un error: volver a suscribirme',
    doneTitle: 'Se ha suscrito de nuevo',
    done: 'Este remitente puede volver a escribirle. Puede cerrar esta página.',
    keptTitle: 'Su baja se mantiene',
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
  sv: {
    mistake: 'Det var ett misstag: prenumerera igen',
    doneTitle: 'Du prenumererar igen',
    done: 'Avsändaren får skriva till dig igen. Du kan stänga sidan.',
    keptTitle: 'Du är fortfarande avregistrerad',
    kept: 'Det kan inte längre ångras på den här sidan. Vill du ha e-post från avsändaren igen, skriv till dem.',
  },
  da: {
    mistake: 'Det var en fejl: tilmeld mig igen',
    doneTitle: 'Du er tilmeldt igen',
    done: 'Afsenderen må skrive til dig igen. Du kan lukke siden.',
    keptTitle: 'Du er stadig afmeldt',
    kept: 'Det kan ikke længere fortrydes på denne side. Vil du have mail fra afsenderen igen, så skriv til dem.',
  },
  nb: {
    mistake: 'Dette var en feil: meld meg på igjen',
    doneTitle: 'Du er påmeldt igjen',
    done: 'Avsenderen kan skrive til deg igjen. Du kan lukke siden.',
    keptTitle: 'Du er fortsatt avmeldt',
    kept: 'Dette kan ikke lenger angres på denne siden. Vil du ha e-post fra avsenderen igjen, kan du skrive til dem.',
  },
  fi: {
    mistake: 'Tämä oli virhe: tilaa uudelleen',
    doneTitle: 'Tilaus on taas voimassa',
    done: 'Lähettäjä saa taas kirjoittaa sinulle. Voit sulkea tämän sivun.',
    keptTitle: 'Tilaus on edelleen peruttu',
    kept: 'Tällä sivulla sitä ei voi enää peruuttaa. Jos haluat taas viestejä lähettäjältä, kirjoita hänelle.',
  },
  cs: {
    mistake: 'Byl to omyl: znovu přihlásit k odběru',
    doneTitle: 'Odběr je znovu aktivní',
    done: 'Tento odesílatel vám může znovu psát. Stránku můžete zavřít.',
    keptTitle: 'Odběr zůstává zrušen',
    kept: 'Na této stránce to už nelze vrátit. Chcete-li od odesílatele znovu dostávat zprávy, napište mu prosím.',
  },
  hu: {
    mistake: 'Tévedés volt: újra feliratkozom',
    doneTitle: 'Újra feliratkozott',
    done: 'A feladó ismét írhat Önnek. Az oldalt bezárhatja.',
    keptTitle: 'A leiratkozása érvényben marad',
    kept: 'Ezen az oldalon ez már nem vonható vissza. Ha ismét szeretne leveleket kapni ettől a feladótól, kérjük, írjon neki.',
  },
  ro: {
    mistake: 'A fost o greșeală: abonează-mă din nou',
    doneTitle: 'Abonarea este din nou activă',
    done: 'Acest expeditor vă poate scrie din nou. Puteți închide pagina.',
    keptTitle: 'Dezabonarea rămâne valabilă',
    kept: 'Această pagină nu mai poate anula dezabonarea. Dacă doriți din nou mesaje de la acest expeditor, vă rugăm să îi scrieți.',
  },
  tr: {
    mistake: 'Yanlışlıkla oldu: beni yeniden abone yap',
    doneTitle: 'Yeniden abone oldunuz',
    done: 'Bu gönderici size yeniden yazabilir. Bu sayfayı kapatabilirsiniz.',
    keptTitle: 'Aboneliğiniz iptal edilmiş durumda',
    kept: 'Bu sayfadan artık geri alınamaz. Bu göndericiden yeniden e-posta almak isterseniz lütfen kendisine yazın.',
  },
  el: {
    mistake: 'Ήταν λάθος: εγγράψτε με ξανά',
    doneTitle: 'Εγγραφήκατε ξανά',
    done: 'Ο αποστολέας μπορεί να σας γράψει ξανά. Μπορείτε να κλείσετε τη σελίδα.',
    keptTitle: 'Η διαγραφή σας παραμένει',
    kept: 'Από αυτή τη σελίδα δεν μπορεί πια να ανακληθεί. Αν θέλετε πάλι μηνύματα από αυτόν τον αποστολέα, γράψτε του.',
  },
  ru: {
    mistake: 'Это была ошибка: подписать меня снова',
    doneTitle: 'Вы снова подписаны',
    done: 'Этот отправитель снова может вам писать. Страницу можно закрыть.',
    keptTitle: 'Подписка остаётся отменённой',
    kept: 'На этой странице это уже нельзя отменить. Если вы снова хотите получать письма от этого отправителя, напишите ему.',
  },
  uk: {
    mistake: 'Це була помилка: підписати мене знову',
    doneTitle: 'Вас знову підписано',
    done: 'Цей відправник знову може вам писати. Сторінку можна закрити.',
    keptTitle: 'Ви залишаєтеся відписаними',
    kept: 'На цій сторінці цього вже не можна скасувати. Якщо ви знову хочете отримувати листи від цього відправника, напишіть йому.',
  },
  ja: {
    mistake: '間違いでした：配信を再開する',
    doneTitle: '配信を再開しました',
    done: 'この送信者から再びメールが届くことがあります。このページは閉じてかまいません。',
    keptTitle: '配信は停止されたままです',
    kept: 'このページではもう取り消せません。この送信者からのメールを再び希望される場合は、送信者にご連絡ください。',
  },
  zh: {
    mistake: '这是误操作：重新订阅',
    doneTitle: '您已重新订阅',
    done: '该发件人可以再次给您发送邮件。您可以关闭此页面。',
    keptTitle: '您仍处于退订状态',
    kept: '此页面已无法撤销退订。如果您希望再次收到该发件人的邮件，请与其联系。',
  },
  'zh-Hant': {
    mistake: '這是誤操作：重新訂閱',
    doneTitle: '您已重新訂閱',
    done: '此寄件者可以再次寄信給您。您可以關閉此頁面。',
    keptTitle: '您仍為取消訂閱狀態',
    kept: '此頁面已無法復原。如果您希望再次收到此寄件者的郵件，請與其聯絡。',
  },
  ar: {
    mistake: 'كان هذا خطأ: أعد اشتراكي',
    doneTitle: 'تم تجديد اشتراكك',
    done: 'يمكن لهذا المرسل أن يراسلك من جديد. يمكنك إغلاق هذه الصفحة.',
    keptTitle: 'ما زال اشتراكك ملغى',
    kept: 'لم يعد بإمكان هذه الصفحة التراجع عن ذلك. إذا أردت تلقي رسائل من هذا المرسل مجددًا فيرجى مراسلته.',
  },
  he: {
    mistake: 'זו הייתה טעות: רשמו אותי שוב',
    doneTitle: 'נרשמתם מחדש',
    done: 'השולח הזה רשאי לכתוב לכם שוב. אפשר לסגור את הדף.',
    keptTitle: 'ההרשמה נשארת מבוטלת',
    kept: 'הדף הזה כבר אינו יכול לבטל את ההסרה. אם תרצו לקבל שוב דואר מהשולח הזה, אנא כתבו אליו.',
  },
};
