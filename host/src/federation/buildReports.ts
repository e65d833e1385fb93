import type { BuildFault } from '@iot/shared/contract/release/releaseCenter.schema'
import type { LoadFailure } from './failure'

type Load = { name: string; build: string; ms: number; failure?: LoadFailure }

const maxQueuedReports = 50
const loads: Load[] = []
const faults: BuildFault[] = []
let sendSoon = () => {}

/** Queues the result of loading a remote for the next heartbeat. */
export const reportLoad = (load: Load) => void (loads.length < maxQueuedReports && loads.push(load))

/** Queues an error of a build and sends it soon, because the operator is likely to reload. */
export function reportFault(fault: BuildFault) {
  if (faults.length < maxQueuedReports) faults.push(fault)
  sendSoon()
}
export const setFaultListener = (listener: () => void) => void (sendSoon = listener)

export const takeReports = () => ({
  loads: loads.splice(0).map(({ failure, ms, ...load }) => ({
    ...load,
    ms: Math.round(ms),
    failure: failure && {
      kind: failure.kind,
      detail: failure.detail.slice(0, 200),
      trace: failure.trace,
    },
  })),
  faults: faults.splice(0),
})
