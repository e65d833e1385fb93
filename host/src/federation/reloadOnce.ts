const KEY = 'reloadOffered'

/** One reload is offered per build: a second would not help, and a page must never go round in circles. */
export function offerReload(build: string) {
  const offered = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, number>
  const loads = performance.timeOrigin
  // Shown again on the same load of the page it is still the same offer.
  if (offered[build] && offered[build] !== loads) return false
  sessionStorage.setItem(KEY, JSON.stringify({ ...offered, [build]: loads }))
  return true
}
