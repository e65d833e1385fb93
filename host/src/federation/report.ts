import type { Fault } from '@iot/shared/contract/releaseCenter'
import type { LoadFailure } from './failure'

type Load = { name: string; build: string; ms: number; failure?: LoadFailure }

const most = 50
const loads: Load[] = []
const faults: Fault[] = []
let hurry = () => {}

/** How loading a remote went; sent with the next heartbeat. */
export const reportLoad = (load: Load) => void (loads.length < most && loads.push(load))

/** What went wrong in a build; sent soon, for who sees it reloads. */
export function reportFault(fault: Fault) {
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
