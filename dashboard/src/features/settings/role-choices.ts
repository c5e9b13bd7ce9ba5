import { ROLES } from '../../../../src/features/accounts/role.ts'

export const ROLE_CHOICES = ROLES.map((value) => ({
  value,
  label: value.slice(0, 1).toUpperCase() + value.slice(1),
})).toReversed()
