import { auditedWrites } from './audit-trail.ts'
import { purgeStep } from './dashboard-api/delete-project.ts'
import { touchSession } from './features/accounts/session-writes.ts'
import { addUsage, insertKey, revokeKeyRow, rotateKeyRow } from './features/keys/writes.ts'
import { endOrder, placeOrder, placeOrderOnce } from './features/orders/writes.ts'
import { storeImportBatch } from './features/pets/import/writes.ts'
import { addPet, addPetOnce, updatePet } from './features/pets/writes.ts'
import { insertProject, updatePlan } from './features/projects/writes.ts'
import { createFirstProject } from './first-start.ts'
import { sweep } from './housekeeping.ts'
import { proposeSetting } from './platform/storage/setting.ts'
import type { AnyWrite } from './platform/storage/storage.ts'

/** Every transaction of the house: SQLite's writer thread finds them here by name. */
export const writes: readonly AnyWrite[] = [
  proposeSetting,
  sweep,
  createFirstProject,
  insertProject,
  updatePlan,
  insertKey,
  revokeKeyRow,
  rotateKeyRow,
  addUsage,
  addPet,
  addPetOnce,
  updatePet,
  storeImportBatch,
  placeOrder,
  placeOrderOnce,
  endOrder,
  touchSession,
  purgeStep,
  ...auditedWrites,
]
