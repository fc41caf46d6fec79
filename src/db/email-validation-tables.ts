/** Row shapes of e-mail validation. */

export interface EmailValidationTables {}
