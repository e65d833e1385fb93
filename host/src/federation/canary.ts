import type { DeployedBuild, Pointer } from '@iot/shared/contract/release'

const KEPT = 'draw'

/** The number is drawn once per browser, so that all tabs and sign-ins of a person use the same build. */
function getDrawnNumber() {
  const storedNumber = localStorage.getItem(KEPT)
  if (storedNumber !== null) return Number(storedNumber)
  const draw = Math.floor(Math.random() * 100)
  localStorage.setItem(KEPT, String(draw))
  return draw
}

/** Shifts the share by a hash of the build, so that different browsers get each canary first. */
const hashBuild = (build: string) =>
  [...build].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 100, 0)
const isOfShare = ({ build, share }: NonNullable<DeployedBuild['canary']>) =>
  (getDrawnNumber() + hashBuild(build)) % 100 < share

function applyCanary(now: DeployedBuild): DeployedBuild {
  const { canary } = now
  if (!canary || !isOfShare(canary)) return now
  // The build of all other browsers becomes the previous one, so that it is the fallback of the canary.
  return { ...now, ...canary, previous: now.build, previousRecord: now.record }
}

/** Returns the pointer as this browser sees it: a canary replaces the regular build if this browser is in its share. */
export const withCanaries = (pointer: Pointer): Pointer => ({
  ...pointer,
  remotes: Object.fromEntries(
    Object.entries(pointer.remotes).map(([name, now]) => [name, applyCanary(now)]),
  ),
})
