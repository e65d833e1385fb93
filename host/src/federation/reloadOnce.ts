const reloadStorageKey = 'reloadOffered'

/** Allows one reload offer per build, because a second reload would not help and the page must not reload in a loop. */
export function canOfferReload(build: string) {
  const loadsByBuild = JSON.parse(sessionStorage.getItem(reloadStorageKey) ?? '{}') as Record<
    string,
    number
  >
  const pageLoadTime = performance.timeOrigin
  // A page that was already reloaded gets no second offer, but the page that made the offer may render it again.
  if (loadsByBuild[build] && loadsByBuild[build] !== pageLoadTime) return false
  sessionStorage.setItem(
    reloadStorageKey,
    JSON.stringify({ ...loadsByBuild, [build]: pageLoadTime }),
  )
  return true
}
