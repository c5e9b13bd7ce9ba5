import { h } from './dom.js'

export function methodBadge(method) {
  return h('span', { class: `method is-${method.toLowerCase()}` }, method)
}

export function stabilityBadge(stability) {
  return h('a', { class: `badge is-${stability}`, href: '#stability', title: 'What this marker promises' }, stability)
}

export function statusBadge(status) {
  return h('span', { class: `status is-${String(status)[0]}xx` }, String(status))
}
