/** The caller: what authentication knows and handlers get. */
/** The authenticated caller of a request. */
export interface User {
  userId: string;
  /** A JWT may do everything; of a key its scopes say what it may. */
  token: 'jwt' | 'key';
  /** Set when `token` is `key`. */
  keyId: string | undefined;
  /** The visible beginning of the key, as lists of keys show it. */
  keyPrefix: string | undefined;
  /** As stored: also those that this version does not know. */
  scopes: readonly string[];
}
