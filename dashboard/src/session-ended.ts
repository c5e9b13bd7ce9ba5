import { createFlag } from './flag.ts'

/** The service knows this session no longer, but the page still shows what it had, drafts among it. */
export const sessionEnded = createFlag()
