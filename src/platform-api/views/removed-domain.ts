/** A domain that the project had until a while ago, and whose DNS record may still lead here. */
export interface RemovedDomainView {
  hostname: string
  /** As people write it. */
  unicode: string
  removedAt: string
}
