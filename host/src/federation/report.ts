import type { BuildFault } from '@iot/shared/contract/releaseCenter'
import type { LoadFailure } from './failure'

type Load = { name: string; build: string; ms: number; failure?: LoadFailure }

const most = 50
const loads: Load[] = []
const faults: BuildFault[] = []
let hurry = () => {}

/** Queues the result of loading a remote for the next heartbeat. */
export const reportLoad = (load: Load) => void (loads.length < most && loads.push(load))

/** Queues an error of a build and sends it soon, because the operator is likely to reload. */
export function reportFault(fault: BuildFault) {
  if (faults.length < most) faults.push(fault)
  hurry()
}
export const onFault = (send: () => void) => void (hurry = send)

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
