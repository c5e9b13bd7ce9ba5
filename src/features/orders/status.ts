/** placed ──► completed  (the animal is sold)
 *      └────► cancelled  (the animal is available again)
 */
export const ORDER_STATUSES = ['placed', 'completed', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** What becomes of the animal when its order ends. */
export const PET_STATUS_AFTER = { completed: 'sold', cancelled: 'available' } as const
