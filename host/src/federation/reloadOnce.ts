const KEY = 'reloadOffered'

/** Allows one reload offer per build, because a second reload would not help and the page must not reload in a loop. */
export function offerReload(build: string) {
  const offered = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, number>
  const loads = performance.timeOrigin
  // The same page load may show its offer again.
  if (offered[build] && offered[build] !== loads) return false
  sessionStorage.setItem(KEY, JSON.stringify({ ...offered, [build]: loads }))
  return true
}
