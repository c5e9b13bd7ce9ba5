export interface SandboxRecord {
  id: string
  name: string
  type: string
  ttl: number
  value: string
  /** The only nameserver that has it; null where all do. */
  onlyOn: string | null
}

export interface SandboxFault {
  id: string
  kind: string
  name: string | null
  type: string | null
  onlyOn: string | null
}

/** A zone of the registrar that an installation on localhost plays. */
export interface SandboxZone {
  apex: string
  serial: number
  nameservers: readonly string[]
  records: SandboxRecord[]
  faults: SandboxFault[]
}

export interface NewSandboxRecord {
  /** As people type it: a label, `@`, or the full name. */
  name: string
  type: string
  value: string
  ttl?: number
  onlyOn?: string
}

export interface NewSandboxFault {
  kind: string
  name?: string
  type?: string
  onlyOn?: string
}
