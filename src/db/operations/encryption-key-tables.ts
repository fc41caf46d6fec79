/** Row shape of the encryption keys that were once the first. */
import type { ColumnType } from 'kysely';

export interface EncryptionKeysTable {
  key_id: string;
  first_at: ColumnType<Date, never, never>;
}

export interface EncryptionKeyTables {
  encryption_keys: EncryptionKeysTable;
}
