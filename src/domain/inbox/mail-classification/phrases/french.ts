/** French. */
import type { Phrases } from './phrases.ts';

export const french: Phrases = {
  isSpaced: true,
  subjects: [
    'réponse automatique|message automatique|absence\\b|absent(?:e|s|es)?\\b',
    "message d'absence|en (?:congés?|vacances)\\b|hors du bureau",
    "(?:accusé|confirmation) de réception|notification d'absence|retour automatique",
    "avis d'absence|nous avons bien reçu|votre (?:demande|message|ticket) (?:a |n)",
  ],
  away: [
    '^(?:\\S+ ){0,3}absente?s? (?:pour|jusqu|du|ce|cette|aujourd|en|le|toute|actuellement)',
    '(?:ne )?(?:lis|consulte|relève)~(?:mails|messages|e-?mails|messagerie)~que(?!\\p{L})',
    '(?:magasin|agence|bureau|cabinet|atelier|société)~(?:est|sera)~(?:en inventaire|en travaux|fermé)|(?:traiterons|répondrons|répondrai|traiterai|lirons|lirai)~(?:lundi|mardi|mercredi|jeudi|vendredi|retour|à partir|dès|réouverture|prochain)',
    '(?:entreprise|société|agence|bureau|bureaux|boutique|cabinet|magasin|atelier|mairie|secrétariat|hôtel|restaurant|établissement|locaux)\\b~(?:est|sont|sera|seront|reste|restera|resteront)~(?:fermée?s?|clos)',
    '(?:sera|seront) (?:lus?|lue|traitée?s?|consultée?s?)~(?:à notre|à mon|au|dès|retour|reprise)',
    '(?:à|dès) (?:notre|mon|son) retour|(?:à|dès) la (?:réouverture|reprise)',
    'ne travaille pas (?:le|les)(?!\\p{L})|(?:travaille|suis)~(?:temps partiel|mi-temps)',
    '(?:en|actuellement) (?:arrêt(?: maladie)?|congé (?:maternité|parental|sabbatique))|fermeture (?:annuelle|estivale|hivernale|exceptionnelle)|rouvr\\w+',
    '(?:réponse|répondre)~(?:tard|délai|lent)\\w*~',
    '(?:je suis|je serai|nous sommes|nous serons|je me trouve|suis|notre bureau est|' +
      'nos bureaux sont|étant|actuellement|je reste)\\b~(?:absente?s?\\b|en (?:congés?|' +
      'vacances|déplacement|formation|arrêt|voyage|télétravail sans|repos|mission)|' +
      'hors (?:du|de mon|de nos) bureaux?|pas (?:au|à mon) bureau|indisponibles?|' +
      'fermés?\\b|injoignables?|pas (?:disponible|joignable))',
    '(?:actuellement|en ce moment) (?:en (?:congés?|vacances|déplacement|formation)|' + 'absente?)',
    '(?:de retour|reviendrai|je reviens|serai de retour)~(?:le(?!\\p{L})|au bureau|' +
      'à partir|lundi|mardi|mercredi|jeudi|vendredi|dès(?!\\p{L}))',
    '(?:je (?:prendrai connaissance|(?:vous )?répondrai|reviendrai vers vous|' +
      'traiterai))~(?:à(?!\\p{L})|dès(?!\\p{L})) mon retour',
    '(?:à|dès) mon retour|(?:en|pendant|durant) mon absence',
    '(?:accès|consulte)~(?:limité|restreint|irrégul|pas(?!\\p{L}))~(?:messagerie|' +
      'mails?|e-?mails?|courriels?|messages)',
    'ne (?:consulte|consulterai|lirai|relève)~(?:pas(?!\\p{L})|plus)~(?:mails?|' +
      'e-?mails?|messages|messagerie|courriels?)',
    'bureaux? (?:est|sont|seront|sera) fermés?',
  ],
  left: [
    '(?:boîte|adresse|messagerie|compte)\\b~(?:a été|est|sera) (?:\\w+ )?(?:fermé|supprimé|désactivé|clôturé|close|abandonné)e?',
    'messages?~(?:supprimés|effacés|détruits)~sans',
    "ne travaille plus\\b(?! avec)|n'est plus (?:parmi|dans|chez|en poste|salarié)|j'ai quitté|a quitté~(?:société|entreprise|maison|structure|[.,]|$)",
    "(?:boîte|adresse|messagerie|compte)~(?:n'est (?:pas|plus)|ne sont|plus) (?:consultée?|relevée?|lue?|utilisée?|surveillée?|active?|suivie?)",
    'ne (?:sont|seront) (?:pas|plus) (?:lus|consultés|relevés)',
    "(?:ne (?:travaille|fait|fais|travaillons)|n'est|n'appartient|n'exerce|ne suis|" +
      'ne fait)\\b~plus\\b~(?:partie|chez|dans|pour|société|entreprise|en poste|' +
      'collaborateur|au sein|effectif)',
    '(?:a|ai) (?:définitivement )?quitté~(?:société|entreprise|fonctions|groupe|' +
      'poste|établissement|ses(?!\\p{L})|mes(?!\\p{L})|équipe)',
    "(?:cette|l') ?(?:adresse|boîte|messagerie)~(?:n'est plus|n'est pas|" +
      'plus (?:utilisée|consultée|active))',
    '(?:mon|son) adresse~(?:a changé|change)',
    '(?:pris|parti[e]?) (?:sa|ma|à la|en) retraite',
  ],
  received: [
    'délai (?:moyen|estimé|habituel) de (?:réponse|traitement)[^.!?]{0,25}\\d',
    '(?:répondre|réponse|réponse|revenir vers vous|traiter|recontacter)~(?:sous|dans les|dans un délai)~(?:\\d|plus brefs|meilleurs|jours|heures)|mettons tout en œuvre',
    '(?:conseill|collabor|collègue|membre|équipe)\\w*~(?:vous (?:contactera|répondra|rappellera|recontactera))',
    '(?:nous (?:le|la|les) trait\\w+|(?:sera|est) traité\\w*|lirons|répondrons|répondrai|traiterons|traiterai)~(?:délais?|possible|rapidement|brefs|heures|jours|ordre)',
    '(?:message|courriel|mail|demande)~(?:transmis|transmise|redirigé)~(?:service|équipe|personne)',
    '(?:revient|revenons|reviendra|répondons|répond|répondra) vers vous|(?:vous|nous) (?:répondrons|recontacterons|répondons|recontactons)|(?:vous serez|serez) (?:recontacté|contacté)',
    '(?:votre|ta) (?:message|demande|mail|e-?mail|courriel|sollicitation)~(?:sous (?:le|la) (?:numéro|référence)|est entre|bien arriv|nous est)',
    "accusons réception|accusé de réception|(?:s'efforce|efforcer)\\w*~répondre",
    "(?:du )?lundi au (?:vendredi|samedi)|horaires d'ouverture",
    'nous (?:avons bien|accusons|vous confirmons)~(?:reçu|réception|enregistr)',
    '(?:bien |)(?:reçu|enregistré) (?:votre|ta) (?:message|demande|e-?mail|mail|' +
      'courriel|ticket|requête)',
    'votre (?:message|demande|e-?mail|mail|courriel|requête|ticket)~(?:a (?:bien )' +
      '?été|est (?:bien )?(?:enregistré|parvenu|en cours|pris)|nous est|sera trait|' +
      'porte le)',
    '(?:votre )?(?:numéro|n°|référence)~(?:de |)(?:ticket|demande|dossier)',
    '(?:ticket|demande)~(?:n°|numéro|#)~(?:créé|ouvert|enregistré)',
    '(?:notre équipe|un (?:conseiller|membre|agent|collaborateur)|nos équipes|nous)' +
      '\\b~(?:reviendr(?:a|ons)|répondr(?:a|ons)|recontacter(?:a|ons)|' +
      'vous contacter(?:a|ons)|traiter(?:a|ons))~(?:délai|heures|jours|brefs délais|' +
      'meilleurs délais|rapidement|sous|plus vite|dès que)',
    "merci (?:de nous avoir contact|d'avoir contact|pour votre prise de contact)",
  ],
  automatic: [
    'envoi automatique',
    '(?:merci de |veuillez |prière de )?ne pas répondre (?:directement )?à (?:ce|cet)' +
      ' (?:message|e-?mail|courriel|mail)',

    "(?:ceci est|il s'agit d')~(?:une? )?(?:réponse|message|courriel|e-?mail|mail)" +
      ' automatique',
    '(?:message|réponse|e-?mail|courriel|mail) (?:a été |est |)(?:généré|envoyé|' +
      'expédié)e? automatiquement',
  ],
  stop: [
    "stop(?: pub| s'il vous plaît| merci| svp| mails?| spam)*",
    '(?:me |nous )?(?:désabonner|désinscrire)(?:[- ]moi)?|désinscription',
    'désabonnement|désinscri(?:vez|s)[- ]moi|désabonnez[- ]moi|retirez[- ]moi',
    'supprimez[- ]moi|(?:je )?me désabonne|plus de (?:mails?|messages|e-?mails?)',
    "arrêtez(?: ça| svp| de m'écrire)?",
    'ne plus (?:me |nous )?(?:contacter|écrire|recevoir)',
    'laissez[- ](?:moi|nous) tranquille|supprime[rz] mes données',
    'fichez[- ]moi la paix|pas intéressée?,? (?:désinscription|retirez[- ]moi)',
  ],
  optOut: [
    '(?:faire en sorte|faites en sorte|veille[rz]|assure[rz][- ]vous)\\b~(?:plus rien|rien|plus aucun|aucun)',
    "arrête[rz](?:[.! ]|$)|(?:ça|ca|cela) suffit|inutile de (?:ré|re|me |nous |m'|ré-)?(?:écrire|relancer|insister|contacter|recontacter|solliciter)|(?:comment|où)~(?:me désinscrire|me désabonner|sortir de)|(?:souhait|veu|voudr|aimer|désir)\\w*~(?:être (?:retirée?|désinscrite?|supprimée?|rayée?)|me (?:désabonner|désinscrire)|sortir de)",
    "(?:inutile|pas la peine|merci|prière|veuillez) (?:de |d')~(?:ne (?:plus|pas|jamais)|me relancer|nous relancer|insister|me recontacter|m'écrire|supprimer (?:mon|notre|cette|l')|effacer (?:mon|notre|cette)|retirer (?:mon|notre|cette)|me (?:désinscrire|retirer|supprimer|rayer|désabonner))",
    "ne (?:plus|pas|jamais) (?:me |nous |m')?(?:\\S+ )?(?:relancer|écrire|contacter|solliciter|utiliser (?:cette|mon|notre)|envoyer|démarcher|déranger|importuner|spammer|adresser|recevoir|être)",
    "ne (?:me|nous|m') ?(?:relancez|écrivez|contactez|envoyez|sollicitez|dérangez|recontactez|écris|envoie|relance|contacte)~(?:plus|pas|jamais)",
    '(?:veux|voulons|souhaite|souhaitons|désire|désirons)~(?:plus|pas)~(?:mails?|e-?mails?|courriels?|messages|publicité|recevoir|contact|sollicit|démarch|prospection)\\w*',
    '(?:stop|assez|marre|halte)~(?:aux?|de|des|avec|vos|ces)~(?:mails?|e-?mails?|courriels?|messages|spams?|publicités?|pubs?)',
    '(?:apprécierai|reconnaissant|gré|gentil|aimable|mieux)\\w*~(?:ne (?:plus|pas)|cess|arrêt|retir|supprim)\\w*',
    "(?:cesse|arrête)\\w*~(?:toute?s?|vos|ces|cette|immédiatement|avec|de (?:m'|me|nous))~(?:mails?|e-?mails?|messages|envois?|sollicitation|prospection|démarchage|communication|écrire|contacter|relance)\\w*",
    '(?:art(?:icle|\\.)? ?(?:17|21))\\b~(?:rgpd|règlement)|(?:exerce|exercer)~droit|(?:blacklist|bloqu|exclu)\\w*~(?:mon|notre|nos|domaine|adresse|moi|nous)',
    "(?:mise en demeure|mettons en demeure|met en demeure)|(?:n'est pas|pas) (?:destinée?|faite?) (?:à|pour|aux)~(?:prospection|publicit|démarchage|sollicitation)\\w*",
    "(?:ne )?(?:souhait|veu|désir)\\w*~(?:pas|plus)~(?:être )?(?:relanc|contact|sollicit|démarch|recevoir)\\w*|(?:m'|nous )(?:ôter|enlever|retirer|exclure)|(?:supprim|retir|effac|enlev)\\w*~(?:l'adresse|cette adresse|notre adresse|mon adresse|\\S+@)",
    '(?:foutez|fichez|foutre|laissez)[- ]?(?:moi|nous)~(?:paix|tranquille)',
    "m'oppose~|(?:je )?refuse~(?:démarch|prospect|sollicit|mail|public)\\w*",
    "(?:aucun|plus (?:de|d'|aucun))~(?:démarchage|prospection|sollicitation|pub)\\w*",
    '(?:saisirai|saisir|plainte|signaler)~(?:cnil|plainte|spam|avocat|justice)?',
    '(?:ôtez|rayez|enlevez|sortez|effacez|virez)[- ]?(?:moi|nous|mon|notre)',
    "n'(?:ai|avons|avais) (?:jamais|pas)~(?:consenti|donné|demandé|inscrit|autorisé|abonné)\\w*~",
    "(?:jamais|plus) de vos (?:mails?|nouvelles|messages)|ne plus (?:jamais )?(?:m'|me |nous )",
    '(?:désinscri(?:re|vez|s)|désabonne[rz]?|retire[rz]?|supprime[rz]?|radie[rz]?|' +
      'enleve[rz]?|enlève|efface[rz]?|ôte[rz]?|exclu(?:re|ez))[- ]?(?:moi|nous|mon|mes|' +
      'notre|nos|toutes)?\\b~(?:listes?\\b|base|fichiers?|adresse|coordonnées|mailing|' +
      'diffusion|envois?|contacts|données|newsletter|moi\\b|nous\\b)',
    '(?:me|nous) (?:désinscrire|désabonner|retirer|supprimer|radier|rayer|enlever)',
    '(?:désinscrivez|désabonnez|retirez|supprimez|rayez|enlevez)[- ](?:moi|nous|mon|' +
      'mes|notre)',
    "plus (?:de |aucun |d')(?:mails?|e-?mails?|envois?|messages?|courriels?|" +
      'publicité|sollicitations?)',
    "(?:ne |)(?:plus|pas) (?:m'|me |nous |être )(?:contacter|recontacter|écrire|" +
      'envoyer|solliciter|démarcher|importuner|contactée?s?|sollicitée?s?|relancer|' +
      'spammer)',
    "ne (?:m'|me |nous )(?:envoyez|écrivez|contactez|sollicitez|recontactez|adressez)" +
      ' (?:plus|pas|aucun)',
    '(?:ne )?(?:souhait|veu|voul|désir)\\w*~(?:plus|pas(?!\\p{L}))~(?:recevoir|' +
      'être contact|être sollicit|être démarch)',
    "(?:cesse[rz]|arrête[rz])(?: (?:de|immédiatement|tout|vos|d'))*~(?:écrire|" +
      'envoyer|contact|envois?|mails?|e-?mails?|messages|spam|sollicit|prospect|' +
      'courriels?|harcel)',
    'mise en demeure|rgpd~(?:supprim|effac|oppos)|(?:supprim|effac|oppos)\\w*~rgpd',
    "(?:droit|demande) (?:à l'oubli|d'opposition|d'effacement|de suppression)",
    "m'oppose~(?:traitement|prospection|utilisation)",
    '(?:effacer|supprimer|suppression|effacement)~(?:mes(?!\\p{L})|nos(?!\\p{L})|' +
      'toutes mes|de mes) (?:données|coordonnées|informations)',
    '(?:signal|report)\\w*~(?:cnil|spam)',
  ],
  personal: [
    "parlons-en|on en parle|(?:pas|ne|n')~(?:pour l'instant|pour le moment|cette année)|(?:aujourd'hui|actuellement|merci)~(?:pas (?:de besoin|d'actualité|une priorité)|n'avons pas)",
    "(?:m'|nous |nous a |m'a )intéress|intéressée?s? (?:par|!)",
    'pas (?:intéressée?s?|le bon (?:interlocuteur|moment|contact)|de besoin|besoin)',
    '(?:appelez|rappelez|téléphonez|joignez)[- ](?:moi|nous)',
    "plutôt (?:par|m'appeler|au téléphone)|par téléphone",
    'envoyez[- ](?:moi|nous|le|la)',
    '(?:pouvez|pourriez|pourrais|peux|peut)[- ](?:vous|tu|on)',
    'votre (?:offre|proposition|solution|produit|tarif|démo|plaquette)',
    'vos (?:tarifs|prix|conditions|produits)',
    '(?:quel|quels|quelle)\\w*~(?:prix|tarifs?|coût|délai|conditions)|combien',
    '(?:rendez[- ]vous|réunion|échange|appel|visio|créneau)\\b~(?:le(?!\\p{L})|lundi|' +
      'mardi|mercredi|jeudi|vendredi|semaine|demain|prochaine?)',
    '(?:lundi|mardi|mercredi|jeudi|vendredi|demain)~(?:convient|disponible|me va|' + 'possible)',
    'nous (?:avons|travaillons|utilisons) déjà',
    '(?:déjà|sommes) (?:équipés|satisfaits|un prestataire|un fournisseur|engagés)',
    '(?:recontactez|revenez vers|relancez|contactez)[- ]?(?:moi|nous)?~' +
      '(?:en(?!\\p{L})|après|dans|prochain|rentrée|janvier|septembre)',
    "(?:j'ai|je) (?:transm|transf|fais suivre|mets en copie)",
    "pas pour (?:le moment|l'instant|nous)|avec plaisir|volontiers|merci mais",
    "d'où (?:avez|tenez)",
  ],
  talk: [
    '(?:je|nous) (?:vais|vous|pense|crois|suis|ne|peux|pouvons|avons|cherche|souhait|' +
      'regarde|propose|préfère)\\w*\\b',
    "j'(?:ai|aimerais|attends|espère)|(?:avez|êtes|faites|proposez|pourriez)[- ]vous",
    "(?:oui|non|merci|parfait|d'accord|super|ok)\\b[,.!]|malheureusement|mon collègue",
    'ma collègue|ci-joint|comme convenu',
  ],
  keeps: [
    'ça (?:marche|me va|ira)|(?:lundi|mardi|mercredi|jeudi|vendredi)~(?:marche|va bien|possible)',
    'parlons-en|on en parle|reparlons',
    'plus de mails?,? appelez|(?:jeudi|lundi|mardi|mercredi|vendredi|demain)~(?:\\d+ ?h|convient|ok)|on en parle|rappelez',
    '(?:appelez|rappelez|téléphonez)[- ](?:moi|nous)',
    '(?:plutôt|mieux|préfère|juste|seulement|simplement)~(?:téléphone|appel\\w*|mail|' +
      'e-?mail|courriel)',
    'par (?:téléphone|mail|e-?mail|courriel|écrit)',
    '(?:mail|e-?mail|courriel)~(?:convient|mieux|suffit|pratique)|intéress\\w+',
    'envoyez[- ](?:moi|nous)~(?:offre|devis|tarif\\w*|plaquette|documentation|' +
      'détails|infos?|informations)',
    'combien|avec plaisir|volontiers|ravie? de|rendez[- ]vous',
    "(?:recontactez|revenez|écrivez)\\w*~(?:en(?!\\p{L})|dans|après|l'année|" + 'plus tard)',
    'votre offre~(?:intéress|bien|étudi)',
  ],
  polite: [
    'non,?(?: merci)?|pas intéressée?',
    '(?:bonjour|bonsoir|salut|cher|chère|madame|monsieur)(?: (?:madame|monsieur|' +
      'à tous|\\w+)){0,2}',
    "s'il vous plaît|s'il te plaît|svp|merci(?: (?:de|beaucoup|d'avance|par avance))?",
    'veuillez|cordialement|bien à vous|salutations|bonne journée|immédiatement',
  ],
  urgent: [
    "urgen|en cas|pour toute (?:question|demande|urgence)|si votre|si vous|d'ici là",
    'en mon absence|pendant mon|durant mon',
  ],
};
