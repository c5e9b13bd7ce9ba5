/**
 * Who may have a hostname that leads here by address, as the rule has it: the claim that was there alone when the
 * hostname began to lead here, and whoever shows the TXT record. It knows nothing of how the service finds out.
 */

export type Project = 'A' | 'B' | 'C'

export type Step = `${'add' | 'verify' | 'remove' | 'txt'} ${Project}` | 'point' | 'unpoint'

interface Claim {
  isLive: boolean
  /** Whether somebody has chosen Verify: from then on we look by ourselves too. */
  isAsked: boolean
  /** Whether the claim's own TXT record stands in the zone. */
  isShown: boolean
}

export interface Standing {
  state: 'absent' | 'pending' | 'live'
  /** Whether the page shows the TXT record beside the other one. */
  proof: boolean
}

export class ClaimsModel {
  readonly #claims = new Map<Project, Claim>()
  readonly #holders = new Set<Project>()
  #pointed = false
  /** It no longer leads here, and nobody has looked since: when it does again, nobody can have seen the difference. */
  #goneUnseen = false
  /** For whom it began to lead here. */
  #meant: Claim | undefined

  can(step: Step): boolean {
    const [verb, project] = step.split(' ') as [string, Project]
    if (verb === 'point') return !this.#pointed
    if (verb === 'unpoint') return this.#pointed
    const claim = this.#claims.get(project)
    if (verb === 'add') return claim === undefined
    if (verb === 'txt') return this.standing(project).proof && !claim!.isShown
    return claim !== undefined
  }

  take(step: Step): void {
    const [verb, project] = step.split(' ') as [string, Project]
    switch (verb) {
      case 'point':
        if (!this.#goneUnseen) this.#meant = this.#only
        this.#goneUnseen = false
        this.#pointed = true
        break
      case 'unpoint':
        this.#pointed = false
        this.#goneUnseen = true
        break
      case 'add':
        this.#look()
        this.#claims.set(project, { isLive: false, isAsked: false, isShown: false })
        break
      case 'txt':
        this.#claims.get(project)!.isShown = true
        break
      case 'remove':
        this.#claims.delete(project)
        // Whoever is left alone is looked at, so that it is known what happens from then on.
        if (this.#claims.size === 1) this.#check([...this.#claims.keys()][0]!)
        break
      case 'verify':
        this.#claims.get(project)!.isAsked = true
        this.#check(project)
    }
  }

  standing(project: Project): Standing {
    const claim = this.#claims.get(project)
    if (claim === undefined) return { state: 'absent', proof: false }
    if (claim.isLive) return { state: 'live', proof: false }
    return { state: 'pending', proof: this.#needsProof(project, claim) }
  }

  #check(project: Project): void {
    this.#look()
    const claim = this.#claims.get(project)!
    if (claim.isLive || !claim.isAsked || !this.#pointed || (this.#needsProof(project, claim) && !claim.isShown)) return
    // The newer proof wins, and the loser's is no longer good.
    for (const other of this.#claims.values())
      if (other.isLive) Object.assign(other, { isLive: false, isAsked: false, isShown: false })
    claim.isLive = true
    this.#holders.add(project)
  }

  #needsProof(project: Project, claim: Claim): boolean {
    if ([...this.#holders].some((holder) => holder !== project)) return true
    return (this.#pointed || this.#goneUnseen ? this.#meant : this.#only) !== claim
  }

  #look(): void {
    if (this.#pointed) return
    this.#goneUnseen = false
    this.#meant = undefined
  }

  get #only(): Claim | undefined {
    return this.#claims.size === 1 ? [...this.#claims.values()][0] : undefined
  }
}
