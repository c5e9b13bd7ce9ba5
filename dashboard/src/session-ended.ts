import { createFlag } from './flag.ts'

/** The service knows this session no longer, but the page still shows what it had, drafts among it. */
export const sessionEnded = createFlag()

/** Whether such a page is open, above which a dialog asks for the password. Other pages show that nobody is there. */
export const asksAgain = createFlag()
