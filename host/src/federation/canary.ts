import type { Deployed, Pointer } from '@iot/shared/contract/release'

const KEPT = 'draw'

/** Drawn once for this browser, so that tabs and sign-ins of one person use the same build. */
function drawn() {
  const kept = localStorage.getItem(KEPT)
  if (kept !== null) return Number(kept)
  const draw = Math.floor(Math.random() * 100)
  localStorage.setItem(KEPT, String(draw))
  return draw
}

/** Of each build another, so that it is not always the same people who try what is new. */
const placeOf = (build: string) =>
  [...build].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 100, 0)
const isOfShare = ({ build, share }: NonNullable<Deployed['canary']>) =>
  (drawn() + placeOf(build)) % 100 < share

function taken(now: Deployed): Deployed {
  const { canary } = now
  if (!canary || !isOfShare(canary)) return now
  // As if it had been published, so that the build of all others is the one to fall back to.
  return { ...now, ...canary, previous: now.build, previousRecord: now.record }
}

/** The pointer as this browser takes it: where it is of the share, a canary stands in the place of what all others get. */
export const withCanaries = (pointer: Pointer): Pointer => ({
  ...pointer,
  remotes: Object.fromEntries(
    Object.entries(pointer.remotes).map(([name, now]) => [name, taken(now)]),
  ),
})
