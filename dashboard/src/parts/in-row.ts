import { createContext } from 'react'

/** Whether something stands in a row: what only tells more when it has the focus is no tab stop there, row by row. */
export const InRow = createContext(false)
