import {
  accountsMigration,
  confirmedAddressesMigration,
  givenOwnersMigration,
  mailRefusalsMigration,
  mailsMigration,
  secondFactorsMigration,
} from './features/accounts/migration.ts'
import { auditAgesMigration, auditMigration, auditSubjectMigration } from './features/audit/migration.ts'
import {
  certificateIssuersMigration,
  certificatesMigration,
  challengeLabelsMigration,
  nextAttemptsMigration,
  revocationsMigration,
  revocationWishesMigration,
  servedNamesMigration,
  toldLivesMigration,
} from './features/certificates/migration.ts'
import { deployLabelsMigration, deploysMigration, shownDeploysMigration } from './features/deploys/migration.ts'
import { connectRequestsMigration } from './features/domains/connect/migration.ts'
import { domainMovesMigration } from './features/domains/switch/migration.ts'
import {
  domainsMigration,
  idleWishesMigration,
  preparedDomainsMigration,
  provedNamesMigration,
} from './features/domains/migration.ts'
import {
  keyLastUsesMigration,
  keyLivesMigration,
  keyMakersMigration,
  keysMigration,
  keyUsageAgesMigration,
} from './features/keys/migration.ts'
import { tokenRolesMigration, tokensMigration } from './features/keys/tokens/migration.ts'
import {
  orderEventsMigration,
  orderNumbersMigration,
  ordersByPetMigration,
  ordersMigration,
  orderVersionsMigration,
} from './features/orders/migration.ts'
import { petImportsMigration } from './features/pets/import/migration.ts'
import {
  deletedPetsMigration,
  petEventsMigration,
  petListsMigration,
  petNumbersMigration,
  petsByStatusMigration,
  petsMigration,
  petsShownMigration,
  petVersionsMigration,
} from './features/pets/migration.ts'
import {
  freedSlugsMigration,
  projectsMigration,
  requiredFactorsMigration,
  suspensionsMigration,
} from './features/projects/migration.ts'
import { requestsMigration } from './features/requests/migration.ts'
import { sandboxMigration } from './features/sandbox/migration.ts'
import { attemptAgesMigration, olderSecretsMigration, webhooksMigration } from './features/webhooks/migration.ts'
import { limitLevelsMigration } from './platform/limits/levels.ts'
import { messageAgesMigration, outboxMigration, toldMessagesMigration } from './platform/outbox/migration.ts'
import type { Migration } from './platform/storage/migrations.ts'
import { noticeOrderMigration, platformMigration } from './platform/storage/platform-migration.ts'
import { resourceVersionsMigration } from './platform/storage/resource-versions.ts'
import { instancesMigration, workMigration } from './platform/work/migration.ts'

/** The schema's whole history, in order. */
export const migrations: readonly Migration[] = [
  platformMigration,
  projectsMigration,
  keysMigration,
  petsMigration,
  ordersMigration,
  auditMigration,
  accountsMigration,
  freedSlugsMigration,
  petImportsMigration,
  deploysMigration,
  workMigration,
  domainsMigration,
  certificatesMigration,
  sandboxMigration,
  revocationsMigration,
  auditSubjectMigration,
  provedNamesMigration,
  resourceVersionsMigration,
  petVersionsMigration,
  orderVersionsMigration,
  petsByStatusMigration,
  keyMakersMigration,
  petNumbersMigration,
  orderNumbersMigration,
  noticeOrderMigration,
  secondFactorsMigration,
  requiredFactorsMigration,
  limitLevelsMigration,
  mailsMigration,
  confirmedAddressesMigration,
  mailRefusalsMigration,
  nextAttemptsMigration,
  petListsMigration,
  deletedPetsMigration,
  tokensMigration,
  ordersByPetMigration,
  deployLabelsMigration,
  connectRequestsMigration,
  outboxMigration,
  petEventsMigration,
  orderEventsMigration,
  webhooksMigration,
  servedNamesMigration,
  requestsMigration,
  domainMovesMigration,
  challengeLabelsMigration,
  preparedDomainsMigration,
  suspensionsMigration,
  instancesMigration,
  toldLivesMigration,
  revocationWishesMigration,
  idleWishesMigration,
  messageAgesMigration,
  attemptAgesMigration,
  certificateIssuersMigration,
  keyLivesMigration,
  olderSecretsMigration,
  shownDeploysMigration,
  tokenRolesMigration,
  auditAgesMigration,
  toldMessagesMigration,
  givenOwnersMigration,
  keyLastUsesMigration,
  keyUsageAgesMigration,
  petsShownMigration,
]
