import type { RemoteName } from '@iot/shared/contract/release'
import type { LoadFailure } from './failure'

type Load = { name: RemoteName; build: string; ms: number; failure?: LoadFailure }

const waiting: Load[] = []

/** How loading a remote went; sent with the next heartbeat. */
export const reportLoad = (load: Load) => void (waiting.length < 50 && waiting.push(load))

export const takeLoads = () =>
  waiting.splice(0).map(({ failure, ms, ...load }) => ({
    ...load,
    ms: Math.round(ms),
    failure: failure && {
      kind: failure.kind,
      detail: failure.detail.slice(0, 200),
      trace: failure.trace,
    },
  }))
