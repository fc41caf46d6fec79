/** Every table of the product, one interface per noun; the row shapes are next to their queries. */
import type { AccountTables } from './accounts/account-tables.ts';
import type { CampaignTables } from './campaigns/campaign-tables.ts';
import type { DiscoveryTables } from './discovery/discovery-tables.ts';
import type { EmailValidationTables } from './email-validation/email-validation-tables.ts';
import type { EncryptionKeyTables } from './operations/encryption-key-tables.ts';
import type { EventTables } from './webhooks/event-tables.ts';
import type { FindingTables } from './operations/finding-tables.ts';
import type { InboxTables } from './inbox/inbox-tables.ts';
import type { LeadImportTables } from './leads/lead-import-tables.ts';
import type { LeadTables } from './leads/lead-tables.ts';
import type { MapsTables } from './maps/maps-tables.ts';
import type { ClusterTables } from './clusters/cluster-tables.ts';
import type { DomainTables } from './domains/domain-tables.ts';
import type { MailReportTables } from './mail-reports/mail-report-tables.ts';
import type { MailboxImportTables } from './mailboxes/mailbox-import-tables.ts';
import type { OauthTables } from './mailboxes/oauth-tables.ts';
import type { MailboxTables } from './mailboxes/mailbox-tables.ts';
import type { DoctorTrialTables } from './operations/doctor-trial-tables.ts';
import type { OperationTables } from './operations/operation-tables.ts';
import type { PlacementTables } from './placement/placement-tables.ts';
import type { ScheduleTables } from './schedules/schedule-tables.ts';
import type { RangeTables } from './suppressions/range-tables.ts';
import type { ShardTables } from './shards/shard-tables.ts';
import type { WalletTables } from './wallet/wallet-tables.ts';
import type { WarmupTables } from './warmup/warmup-tables.ts';

export interface Database
  extends
    AccountTables,
    WalletTables,
    OperationTables,
    DoctorTrialTables,
    EncryptionKeyTables,
    DomainTables,
    ClusterTables,
    MailboxTables,
    MailboxImportTables,
    OauthTables,
    MailReportTables,
    PlacementTables,
    LeadTables,
    LeadImportTables,
    RangeTables,
    DiscoveryTables,
    MapsTables,
    ScheduleTables,
    ShardTables,
    EmailValidationTables,
    CampaignTables,
    InboxTables,
    WarmupTables,
    EventTables,
    FindingTables {}
