import type { Vocabulary } from './concepts.ts';

export const portuguese: Vocabulary = {
  words:
    'o|a|os|as|de|que|e|em|um|uma|por|com|para|nao|se|me|nos|do|da|no|na|ao|mas|mais|obrigado|obrigada|sim|estamos|temos|nossa|nosso|seu|sua|vos|ja|muito|ola|voce|isso|pelo|cumprimentos|atenciosamente',
  not: 'nao|nem.|nunca|nada|nenhum|tampouco|sem.|infelizmente|lamento|ninguem|jamais',
  interest: 'interess|curios|atencao',
  like: 'perfeito|otimo|optimo|boa ideia|gosto do|gostei|gostamos|adorou|excelente|util.|parece bom|boa hora|exatamente|mesmo a calhar|jeito|nos sirva|muito bom|convenc|legal.|bacana|show.|beneficiar|parece solido|convencid|dor de cabeca|gostou',
  want: 'gostaria|gostariamos|com prazer|quero|queremos|quer\\.|todo gosto|desejo|a procura|procurando|procuramos~novo|abertos|avaliar|comparar|por que nao|contem comigo|teriamos|aguardo|no aguardo|dispost|escolher|ver a proposta|ficaria feliz|dispostos|pede algo|participe|gostava',
  yes: 'sim.|claro|com certeza|de acordo|ok.|certamente|sem duvida|vamos.|concordo|de fato|beleza|pode ser',
  send: 'envi|mand|encaminhe o|passe as|passe-me|conte-me|conte mais|saber mais|conhecer|receber|faca-me|facam-nos|olhada|partilh|compartilh|informe|mostre|remet',
  material:
    'informac|info.|folheto|detalhe|documentac|apresentac|catalogo|referencia|exemplo|amostra|material|portfolio|auditoria|condic|contrato|teste|piloto|pdf|caso',
  offer: 'oferta|orcamento|proposta|cotac|propoem|propoe',
  price:
    'preco|custa|custo|quanto|tarifa|iva.|assinatura|pagamento|caro.|por mes|cobram|mensal|valor|valores|ficaria',
  need: 'necess|precis|falta|utilidade|beneficio|uso.|sentido|demanda|requer|nos traga',
  have: 'temos|tenho|usamos|utiliz|trabalhamos|ha.|contamos|dispomos',
  already: 'ja.|ha anos|atual|acabamos de|ha pouco|acabámos|recentemente|faz tempo',
  supplier:
    'fornecedor|agencia|parceiro|alguem|contabilista|contador|sistema|solucao|concorrenc|extern|terceir|outra|outro|empresas locais',
  content:
    'satisfeit|content|servid|atendid|tudo o que|ficamos com|bem assim|cobert|suficiente|felizes com|bem servid|supridos|equipados|parceiro de confianca|resolvid|com os mesmos',
  own: 'internamente|nos mesmos|proprio|propria|em casa|por conta propria|interno|sozinhos|nossa propria ferramenta|sempre fizemos|propria ferramenta',
  fit: 'encaixa|relevante|corresponde|adequa|para nos|nosso negocio|gama|procuramos|procurando|aplica|perfil|serve|alinhad|enquadra|setor|padaria|onde isso encaixa',
  switch:
    'mudar|trocar|outro fornecedor|outra empresa|escolhemos|optamos|decidimos|substituir|alterar',
  refuse:
    'declin|recus|nao, obrigad|nao obrigad|obrigado mas nao|nao tenho interesse|nao temos interesse|nao nos interessa|nao me interessa|nao estamos interessad|nao estou interessad|passo.|nao vamos|fora de questao|sucesso|boa sorte|nao precis|nao procuramos|de jeito|nao prosseguir|sem interesse|dispens|nao ha necessidade|nao ha interesse|nao se encaixa|nao queremos|ficamos por aqui|nao e para|nao faz sentido|nao avanc|nao desejamos|abrir mao|agradeco~mas|nao aceitamos|preferimos trabalhar|nao vamos usar|nao vemos necessidade|nao tem a ver|nao esta nos nossos planos|nao e para mim|um nao|nunca usar|deitado fora|nao compramos|paro-o',
  start:
    'comec|experimentar|testar|teste|avancar|passos|assino|contratar|implementar|vamos em frente|vamos seguir|aceitamos|inscrev|piloto|encomendar|fechar|seguir.|fazer o pedido|proximo passo|comecar|arranca um projeto|vamos fazer|o que preciso fazer|projeto onde',
  later:
    'mais tarde|futur|um dia|outra ocasiao|quando chegar|se surgir|ainda nao|e cedo|muito cedo|depois|por agora|por enquanto|de momento|mais para a frente|quem sabe|oportunamente|quando acabar|se precisarmos|caso surja|posteriormente|mais adiante|quando for|deixe-me pensar',
  period:
    'mes|semana|ano|trimestre|primavera|verao|outono|inverno|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|ferias|natal|pascoa|festas|epoca|semestre|exercicio|20\\d\\d|carnaval',
  now: 'agora|neste momento|no momento|atualmente|de momento|por enquanto|este ano|neste trimestre|hoje|por agora|presentemente|nesse momento|actualmente|altura',
  again:
    'de novo|novamente|volt|retom|lembre|recontact|outra vez|falamos daqui|revemos|voltamos|tente|torn',
  contact:
    'contact|contat|dirij|escrev|fale com|falar com|pergunt|procure|consulte|tente o|dirigir|entre em',
  budget: 'orcamento.|gastos|dinheiro|verba|congelad|financ|fundos',
  busy: 'sobrecarreg|prioridade|momento certo|capacidade|recursos|mudanca|reestrutur|obras|epoca alta|atolad|ocupad|tempo para|em plena|correria|cheios|assoberb|nao e o momento|falta de pessoal|estrategia|parad|pessoal|fusao|muita coisa',
  contract: 'contrato|fidelizac|renovar|assinamos|assinámos|comprometid|acordo|vigencia|vigente',
  wait: 'esper|aguard|ate.|adi|pausa|depois|congelad|fechad|em espera|apos|postergad|suspens|esperar|ano novo|prematur|quinze dias|passado o verao',
  keep: 'guard|em mente|contato para|em contato|em contacto|informad|a par|manter|mantenh|anotad|arquiv',
  talk: 'ligue|liga.|me liga|ligo|ligar|ligac|chamada|reuniao|reunir|falar.|falamos|falemos|conversar|videochamada|demonstrac|telefon|cafe|zoom|teams|visita|encontro|encontramo|apresentar|call|pessoalmente|minutos|bate-papo|passe no|ao vivo|demo',
  weekday:
    'segunda|terca|quarta|quinta|sexta|sabado|domingo|amanha|proxima semana|semana que vem|esta semana|a tarde|de manha|de tarde|meio-dia',
  clock: '\\d{1,2} ?h\\d{0,2}|\\d{1,2}[:.]\\d\\d|as \\d|meia hora|dia \\d',
  calendar:
    'agenda|calendario|horario|disponib|convite|serve|fica bem|data.|quando.|livre|que hora|que dia|reserv|marcar|marcada|agend|combinar|bom para|prefere',
  colleague:
    'colega|chefe|diretor|director|responsavel|gerente|socio|substitut|sucessor|assistente|filho|gestor|dono|proprietario|encarregad|patrao|supervisor',
  department:
    'departamento|sede|compras|direcao|recursos humanos|administracao|contabilidade|empresa-mae|informatica|filial|setor|grupo|area|camara municipal|equipa tecnica|equipe tecnica|diretoria|central|matriz|agencia|ti.|rececao|recepcao|da tecnica|das operacoes|caixa geral|imoveis',
  charge:
    'trata|responsavel por|cuida|gere|decid|decis|pessoa certa|pessoa indicada|interlocutor|competencia|minha area|autorizad|poder|acompanha|encarreg|pessoa adequada|toma conta|gerencia|depende da',
  wrong:
    'enganou|nao sou|errad|outra pessoa|nada a ver|so faco|engano|nao e a minha|nao e comigo|equivoc|nao cuido|nao de mim|outros .{0,20} filhos|nao participo',
  passedOn:
    'encaminhei|encaminhad|encaminho|em copia|repassei|passei|passar a|reencaminh|copio|transmiti|repasso|direcionei|quem de direito|darei a mensagem|pedi a minha colega|pedi ao|junto a',
  left: 'nao trabalha|nao trabalho|saiu da|aposentad|mudei de|nao faco parte|ja nao esta|deixou|reformad|nao esta mais|nao faz mais|ja nao ocupo|esse cargo|ja nao esta empregad|vendi a empresa|cargo',
  somebody: 'senhor|sr.|sra.|dona.|dr.|ele.|ela.|@|eng.',
  ask: 'que.|como.|quanto|quando.|onde|qual|quais|quem|por que|duvida|pergunta|entendi|explic|o que',
  youDo:
    'tem.|oferecem|fazem|trabalham|pode.|poderia|ha.|e um|inclui|funciona|da para|integra|sao.|existe|cumprem|voces|entregam|e preciso',
  thanks: 'obrigad|agradec|grat|gentil',
  but: 'mas.|porem|no entanto|contudo|embora|talvez|melhor',
  we: 'nos.|noss|empresa|estamos|temos|somos|trabalhamos',
  me: 'eu.|me.|meu|minha|sou.|tenho|estou|mim',
};
