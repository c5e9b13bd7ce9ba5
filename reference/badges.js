/** @import { Stability } from './document.js' */
import { h } from './dom.js'

/** @type {(method: string) => HTMLElement} */
export function methodBadge(method) {
  return h('span', { class: `method is-${method.toLowerCase()}` }, method)
}

/** @type {(stability: Stability) => HTMLElement} */
export function stabilityBadge(stability) {
  return h('a', { class: `badge is-${stability}`, href: '#stability', title: 'What this marker promises' }, stability)
}

/** @type {(status: string) => HTMLElement} */
export function statusBadge(status) {
  return h('span', { class: `status is-${status[0]}xx` }, status)
}
