import { createHash } from 'node:crypto'
import { expect, type House, type Person } from '../../platform-api/house.ts'

/** A request of an operation that has to be answered with success. */
export interface Given {
  parameters?: Record<string, string>
  query?: string
  body?: unknown
  /** Whose session it comes with: nobody's where it is null; else the owner's, or where needed the operator's. */
  by?: Person | null
  /** Instead of a session. */
  token?: string
}

/** A project of its own, with an owner of its own, for one request. */
export interface Stage {
  house: House
  project: string
  owner: Person
}

export type Scene = (stage: Stage) => Given | Promise<Given>

export const PET = { name: 'Rex', categoryId: 1 }

/** A page, and the name of its content. */
export const PAGE = { bytes: Buffer.from('a page'), sha256: createHash('sha256').update('a page').digest('hex') }

let numbers = 0
export const unique = () => `n${++numbers}`

export const below = ({ project }: Stage) => `/projects/${project}`

/** The answer to a request of the owner that makes something for the scene. */
export const made = async (stage: Stage, path: string, body: unknown = {}, status = 201) =>
  expect(status, await stage.owner.browser.post(below(stage) + path, body))
