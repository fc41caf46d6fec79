/** A whole name in one cell: whom one greets, without titles and degrees. */
import { describe, expect, it } from 'vitest';
import { splitFullName } from '../../src/domain/leads/person-name.ts';
import { cpuMs } from '../support/cpu-time.ts';

describe('the name of a cell', () => {
  it.each([
    ['Dr. med. Hans Maier', 'Hans', 'Maier'],
    ['Dr. med. dent. Eva Klein', 'Eva', 'Klein'],
    ['Prof. Dr. rer. nat. Max Born', 'Max', 'Born'],
    ['Prof. Dr. Dr. h.c. mult. Max Born', 'Max', 'Born'],
    ['Dr. rer.nat. Max Born', 'Max', 'Born'],
    ['Dr. h.c. Karl Otto', 'Karl', 'Otto'],
    ['Dr. h. c. Karl Otto', 'Karl', 'Otto'],
    ['Dipl.-Kfm. Uwe Alt', 'Uwe', 'Alt'],
    ['Dipl.-Ing. (FH) Uwe Alt', 'Uwe', 'Alt'],
    ['Dipl.-Betriebsw. (BA) Uwe Alt', 'Uwe', 'Alt'],
    ['Dipl. Inf. Uwe Alt', 'Uwe', 'Alt'],
    ['Univ.-Prof. Dr. Max Born', 'Max', 'Born'],
    ['Herrn Hans Maier', 'Hans', 'Maier'],
    ['Herrn Dr. Hans Maier', 'Hans', 'Maier'],
    ['MUDr. Jan Novák', 'Jan', 'Novák'],
    ['Hans Maier M.A.', 'Hans', 'Maier'],
    ['Hans Maier, B. A.', 'Hans', 'Maier'],
    ['Hans Maier, M.Eng.', 'Hans', 'Maier'],
    ['Dr. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Dr.-Ing. Hans Maier', 'Hans', 'Maier'],
    ['Mag. Eva Klein', 'Eva', 'Klein'],
    ['Lovelace, Dr. med. Ada', 'Ada', 'Lovelace'],
    // People, whatever it looks like.
    ['Suresh M.A.', 'Suresh', 'M.A.'],
    ['Phil Collins', 'Phil', 'Collins'],
    ['Nat King Cole', 'Nat King', 'Cole'],
    ['Med Hondo', 'Med', 'Hondo'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ])('%s', (name, firstName, lastName) => {
    expect(splitFullName(name)).toEqual({ firstName, lastName });
  });

  it('takes no time that grows faster than the cell', async () => {
    const parts = ['Dipl.-Ing. ', 'Dr. med. ', 'Dipl. Mag. ', 'h. c. ', 'Dipl.-', ' ', ' M.A.'];
    const split = () => {
      for (const part of parts) {
        splitFullName(`Dr. ${part.repeat(5_000)}`);
        splitFullName(`${part.repeat(5_000)}-`);
        splitFullName(`A${part.repeat(5_000)}!`);
      }
    };
    expect(await cpuMs(split)).toBeLessThan(1_000);
  });
});
