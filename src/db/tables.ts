/** Every table of the product, one interface per noun; the shapes live beside their queries. */
import type { AccountTables } from './accounts/accounts.ts';
import type { CampaignTables } from './campaigns/campaign-tables.ts';
import type { DiscoveryTables } from './discovery/discovery-tables.ts';
import type { EmailValidationTables } from './email-validation/email-validation-tables.ts';
import type { EventTables } from './webhooks/event-tables.ts';
import type { FindingTables } from './operations/findings.ts';
import type { HttpTables } from './accounts/http-stores.ts';
import type { InboxTables } from './inbox/inbox-tables.ts';
import type { LeadImportTables } from './leads/lead-import-tables.ts';
import type { LeadTables } from './leads/lead-tables.ts';
import type { MapsTables } from './maps/maps-tables.ts';
import type { ProvisioningTables } from './clusters/provisioning-tables.ts';
import type { WalletTables } from './wallet/wallet-tables.ts';
import type { WarmupTables } from './warmup/warmup-tables.ts';

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
