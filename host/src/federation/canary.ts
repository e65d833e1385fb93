import type { DeployedBuild, Pointer } from '@iot/shared/contract/release/release.schema'

const drawStorageKey = 'draw'

/** The number is drawn once per browser, so that all tabs and sign-ins of a person use the same build. */
function getDrawnNumber() {
  const storedNumber = localStorage.getItem(drawStorageKey)
  if (storedNumber !== null) return Number(storedNumber)
  const drawnNumber = Math.floor(Math.random() * 100)
  localStorage.setItem(drawStorageKey, String(drawnNumber))
  return drawnNumber
}

/** Shifts the share by a hash of the build, so that different browsers get each canary first. */
const hashBuild = (build: string) =>
  [...build].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 100, 0)
const isInShare = ({ build, share }: NonNullable<DeployedBuild['canary']>) =>
  (getDrawnNumber() + hashBuild(build)) % 100 < share

function applyCanary(deployed: DeployedBuild): DeployedBuild {
  const { canary } = deployed
  if (!canary || !isInShare(canary)) return deployed
  // The build of all other browsers becomes the previous one, so that it is the fallback of the canary.
  return {
    ...deployed,
    incompatibility: undefined,
    ...canary,
    previous: deployed.build,
    previousRecord: deployed.record,
  }
}

/** Returns the pointer as this browser sees it: a canary replaces the regular build if this browser is in its share. */
export const withCanaries = (pointer: Pointer): Pointer => ({
  ...pointer,
  remotes: Object.fromEntries(
    Object.entries(pointer.remotes).map(([name, deployed]) => [name, applyCanary(deployed)]),
  ),
})
