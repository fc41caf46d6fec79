/** Functions and people told apart. Choice 29. */
import { describe, expect, it } from 'vitest';
import { isRoleAddress } from '../../src/domain/email-validation/email-roles.ts';

describe('isRoleAddress', () => {
  it.each(
    [
      'info Info SALES support admin postmaster webmaster no-reply hr jobs',
      'kontakt büro vertrieb buchhaltung accueil ventes contacto ventas contato vendas segreteria',
      'amministrazione biuro kontor verkoop iletisim objednavky',
      'info-de info.uk sales+web info1 support2 contact_fr',
    ]
      .join(' ')
      .split(' '),
  )('%s is a function', (local) => {
    expect(isRoleAddress(local)).toBe(true);
  });

  it.each(
    'ann ann.lee inga infosys salesman adminova j.post hrvoje team.lead.ann max1 itai'.split(' '),
  )('%s is a person', (local) => {
    expect(isRoleAddress(local)).toBe(false);
  });
});
