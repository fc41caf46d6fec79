/** Every table of the product, one interface per noun; the shapes live beside their queries. */
import type { AccountTables } from './accounts.ts';
import type { HttpTables } from './http-stores.ts';
import type { ProvisioningTables } from './provisioning-tables.ts';
import type { WalletTables } from './wallet-tables.ts';

export interface Database extends AccountTables, HttpTables, WalletTables, ProvisioningTables {}
