import type { ColumnType } from 'kysely'
import type { DeployVia } from './wish.ts'

/** Bytes as the engines give them back, and as both take them. */
type Bytes = ColumnType<Uint8Array, Uint8Array, never>

export type DeploySource = 'archive' | 'directory' | 'starter'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    /** One file content, once, whoever published it. */
    blobs: {
      id: number
      /** Of the identity bytes. Null while the content is still arriving: nobody can refer to it then. */
      sha256: string | null
      identity_bytes: number
      /** Null where the encoding would save too little. */
      br_bytes: number | null
      gzip_bytes: number | null
      created_at: number
    }
    /** Contents in pieces of `CHUNK_BYTES`, so that no read and no transaction is ever large. */
    blob_chunks: {
      blob_id: number
      encoding: string
      place: number
      content: Bytes
    }
    /** Keeps an uploaded blob until a deploy refers to it, and says who has proven to have its content. */
    blob_holds: {
      holder: string
      blob_id: number
      bytes: number
      expires_at: number
    }
    /** One set of files, once, whichever projects deploy it. */
    manifests: {
      id: number
      /** Null while the manifest is being taken away: nobody can deploy it again then. */
      hash: string | null
      files: number
      bytes: number
    }
    manifest_files: {
      manifest_id: number
      path: string
      blob_id: number
    }
    deploys: {
      id: string
      /** The order in which the deploys of a project were made. */
      seq: number
      project_id: number
      manifest_id: number
      source: DeploySource
      /** An e-mail address, or a word for who is no person. */
      created_by: string
      created_at: number
      /** What whoever deployed called it and said about it. */
      name: string | null
      message: string | null
      /** By what it came; null for those from before this was kept, and the service's own. */
      via: DeployVia | null
      /** When visitors last began or ceased to see it; null for what they never saw. */
      shown_at: number | null
    }
    /** What a project shows. */
    active_deploys: {
      project_id: number
      deploy_id: string
      activated_at: number
    }
  }
}
