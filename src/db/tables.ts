/** Every table of the product, one interface per noun; the shapes live beside their queries. */
import type { AccountTables } from './accounts.ts';
import type { CampaignTables } from './campaign-tables.ts';
import type { DiscoveryTables } from './discovery-tables.ts';
import type { EmailValidationTables } from './email-validation-tables.ts';
import type { EventTables } from './event-tables.ts';
import type { FindingTables } from './findings.ts';
import type { HttpTables } from './http-stores.ts';
import type { InboxTables } from './inbox-tables.ts';
import type { LeadImportTables } from './lead-import-tables.ts';
import type { LeadTables } from './lead-tables.ts';
import type { MapsTables } from './maps-tables.ts';
import type { ProvisioningTables } from './provisioning-tables.ts';
import type { WalletTables } from './wallet-tables.ts';
import type { WarmupTables } from './warmup-tables.ts';

export interface Database
  extends
    AccountTables,
    HttpTables,
    WalletTables,
    ProvisioningTables,
    LeadTables,
    LeadImportTables,
    DiscoveryTables,
    MapsTables,
    EmailValidationTables,
    CampaignTables,
    InboxTables,
    WarmupTables,
    EventTables,
    FindingTables {}
