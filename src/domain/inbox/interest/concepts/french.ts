import type { Vocabulary } from './concepts.ts';

export const french: Vocabulary = {
  words:
    "le|la|les|de|des|et|je|nous|vous|pas|est|pour|avec|un|une|du|en|que|qui|ce|merci|votre|vos|notre|mais|plus|sur|au|ne|me|mon|sommes|bonjour|j'ai|c'est",
  not: "pas.|ne.|n'|non.|aucun|rien|jamais|sans.|malheureusement|personne ne|ni.|regret",
  interest: 'interess|curieu|interet|seduit|intrigu|partant|preneu|emball',
  like: "bonne idee|parfait|super|genial|tombe bien|bon moment|me plait|excellent|convient|utile|ca a l'air|exactement ce|me parle|prometteu|tres bien|pourrait nous|convaincu|me va|tirer profit|irait|convain|epine du pied",
  want: "volontiers|avec plaisir|j'aimerais|souhait|voudrais|aimerions|veux bien|cherchons|recherche|ouvert|a votre ecoute|comparons|au plaisir|serions|desire|on y va|pourquoi pas|envie|train de choisir|partants|serais heureux|voir l’offre|reclame|participez|faire un essai",
  yes: "oui.|bien sur|d'accord|ok.|tout a fait|entendu|certainement|absolument|bien entendu|banco|allez-y|avec joie",
  send: "envoy|transmet|adresse|faire parvenir|communiqu|faire suivre|dites-m'en|en savoir|en apprendre|recevoir|jetterai|regarde|montrez|faites-moi|faites-nous|partag|attends|mailez",
  material:
    'information|info.|infos|detail|documentation|plaquette|brochure|presentation|catalogue|reference|exemple|echantillon|dossier|portfolio|audit|demo video|conditions|contrat|modalites|essai|pilote|pdf|elements|support',
  offer: 'offre|devis|proposition|propos|cotation|chiffrage',
  price:
    'prix|tarif|cout|coute|combien|abonnement|ht.|ttc|frais|cher.|par mois|facture|payant|budget a prevoir',
  need: 'besoin|necessaire|utilit|usage|inutile|sens.|apporter|il nous faut|il me faut|exigence|demande.',
  have: "avons|ai.|j'ai|a deja|dispos|utilis|travaill|possed",
  already: 'deja|depuis des annees|depuis longtemps|actuel|existant|recemment|venons de',
  supplier:
    "prestataire|fournisseur|agence|partenaire|quelqu'un|comptable|logiciel|solution|systeme|concurrent|externe|outil|groupe|equipe par|entreprises locales",
  content:
    "satisfait|content|equipe|pourvu|bien servi|tout ce qu'il|ce qu'il faut|couvert|restons avec|nous convient|comble|bien accompagn|suffi|bien entoure|ravi de notre|entierement equipe|partenaire de confiance|deja gere|avec les memes",
  own: "en interne|nous-memes|moi-meme|propre|faisons deja|a l'interne|internalis|seuls|nous-memes|notre propre|toujours fait",
  fit: 'correspond|convient pas|concerne|adapte|pour nous|notre metier|pertinent|notre activite|notre gamme|recherchons|cadre|hors sujet|en phase|cible|secteur|boulangerie|activite',
  switch:
    'changer|chang|autre fournisseur|autre prestataire|autre solution|remplac|choisi|opte|retenu|engages',
  refuse:
    "declin|refus|non merci|pas interess|pas donner suite|ne donnerons|passe mon tour|pas besoin|sans interet|pas pour nous|hors de question|sans facon|bonne continuation|ne souhait|pas suite|aucun besoin|aucun interet|pas l'utilite|en reste la|pas plus loin|ne pas poursuivre|bon courage|bonne chance|pas concern|n'avons pas besoin|ne cherchons pas|sans suite|sans objet|ne correspond|ecart|n’acceptons pas|preferons travailler|n’utiliserons|pas la necessite|rien a voir avec notre|pas dans nos projets|pas pour moi|jamais ca|c’est non|jete par|n’achetons pas|vous arrete",
  start:
    'commenc|demarr|tester|essayer|etapes|avancer|signer|signe.|command|on continue|mettre en place|y va|lancer|acceptons|inscriv|pilote|adopter|passer commande|la suite|commencer|prochaine etape|on se lance|j’ai un projet|pour un essai',
  later:
    "plus tard|avenir|futur|un jour|une autre fois|le moment venu|en cas de besoin|si le besoin|si besoin|trop tot|pas encore|pas tout de suite|une fois|quand nous|des que|ulterieur|prochainement|pour l'instant|pour le moment|dans l'immediat|a terme|eventuel|lorsque|pas avant",
  period:
    'mois|semaine|annee|an.|ans.|trimestre|printemps|ete.|automne|hiver|janvier|fevrier|mars|avril|mai.|juin|juillet|aout|septembre|octobre|novembre|decembre|rentree|vacances|noel|paques|saison|semestre|exercice|fetes|20\\d\\d',
  now: "en ce moment|actuellement|pour le moment|pour l'instant|maintenant|cette annee|ce trimestre|a ce stade|a ce jour|a l'heure|aujourd'hui|immediat|actualite|ordre du jour",
  again:
    'recontact|relanc|revenez|reviens|reviendr|a nouveau|de nouveau|reparl|rappelez dans|revoy|reessay|reecri|reprend|reprenons|revoir|retour vers|rappeler dans|revenir',
  contact:
    'contact|adress|ecrivez|ecrire|voyez|parlez|parler a|tourn|rapproch|joindre|demandez|essayez|sollicit|orienter|tourner vers',
  budget: 'budget|depense|gele|financ|moyens|tresorerie|argent',
  busy: 'debord|priorit|bon moment|capacite|ressources|demenag|reorganis|travaux|pleine saison|croule|charge de travail|surcharg|occup|temps de|le temps|restructur|en plein|sous-effectif|strategie|a l’arret|personnel|fusionner|fort a faire|fusion',
  contract: 'contrat|engage|renouvel|signe recemment|court jusqu|echeance|avons signe',
  wait: 'attend|jusqu|report|decal|apres|stand-by|suspens|patient|cote.|de cote|differ|gele|cloture|boucl|attendre|nouvelle annee|prematur|laisse murir|quinze jours',
  keep: 'garde|conserv|en tete|coordonnees|restons en contact|gardons|sous le coude|note.|au courant|informe',
  talk: "appel|telephon|rendez-vous|rdv|reunion|echange|visio|discut|demo.|demonstration|rencontr|cafe|parler|parlons|zoom|teams|passez|call|de vive voix|coup de fil|s'appelle|voyons-nous|voir au|minutes|entretien|presenter",
  weekday:
    'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|semaine prochaine|cette semaine|matin|apres-midi|midi|soir',
  clock:
    "\\d{1,2} ?h\\d{0,2}|\\d{1,2}:\\d\\d|\\d{1,2} heures|demi-heure|quart d'heure|le \\d{1,2}.",
  calendar:
    'agenda|calendrier|creneau|disponib|invitation|convient|date.|dates|horaire|quand.|libre|quelle heure|quel jour|plage|reserv|arrange|convenons|fixons|organis',
  colleague:
    'collegue|chef|patron|directeur|directrice|responsable|gerant|associe|remplac|successeur|assistant|fils|manager|proprietaire|pdg|dirigeant|superieur|confrere',
  department:
    "service|siege|achats|direction.|ressources humaines|administration|comptab|maison mere|informatique|agence|centrale|groupe|conseil d'administration|mairie|syndic|equipe technique|departement|filiale|accueil|la technique|aux operations|boite generale|au siege",
  charge:
    "s'en occupe|s'en charge|en charge|gere|decide|decision|bonne personne|interlocut|competent|de mon ressort|mon domaine|releve|habilit|suit ce|suit le|bon contact|s'occupe|pouvoir|pilote ce|responsable de|la personne",
  wrong:
    "trompe|mauvais|pas la bonne|pas le bon|erreur|quelqu'un d'autre|rien a voir|ne suis que|pas moi|pas mon|pas de mon|fausse|pas a la bonne|pas en charge|pas moi|autre .{0,20} fils|ne participe pas",
  passedOn:
    "transmis|transfer|copie|relaye|fais suivre|faire suivre|fait suivre|mets en|passe le|j'ai passe|achemin|oriente|redirig|remettrai|a qui de droit|ajoute|demande a ma collegue|demande a mon",
  left: "ne travaille plus|plus partie|quitte|retraite|change de service|plus chez|n'est plus|ne suis plus|plus dans|parti.|partie.|n’occupe plus|ce poste|plus employe|vendu l’entreprise|plus en poste",
  somebody: 'm\\.|mme|monsieur|madame|il.|elle.|lui.|@|mr.',
  ask: "quel|comment|combien|pourquoi|ou.|qui.|que.|qu'est|d'ou|quoi|question|expliqu|comprend|entendez|peut-on|est-ce|savoir si|quand.",
  youDo:
    'avez-vous|etes-vous|proposez-vous|travaillez-vous|pouvez-vous|y a-t-il|est-ce|livrez|faites-vous|peut-on|faut-il|est-il|est-elle|votre logiciel|votre produit|offrez|pourriez-vous|assurez',
  thanks: 'merci|remerci|gentil|aimable',
  but: 'mais.|cependant|toutefois|neanmoins|en revanche|plutot|par contre',
  we: 'nous.|notre|nos.|entreprise|societe',
  me: "je.|j'|moi.|mon.|ma.|mes.|m'",
};
