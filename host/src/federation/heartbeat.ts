import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { releaseApi } from '@iot/shared/contract/releaseCenter'
import { findRemoteByPath, listRemoteNames } from '../remotes'
import { getMountedBuild } from './areas'
import { hostBuild } from './install'
import { onFault, takeReports } from './report'
import { reportError } from '../pages/errors/reportError'

const SOON = 3000
let unsent: ReturnType<typeof takeReports> = { loads: [], faults: [] }

async function beat() {
  if (document.visibilityState !== 'visible') return
  const fresh = takeReports()
  const reports = {
    loads: [...unsent.loads, ...fresh.loads].slice(-50),
    faults: [...unsent.faults, ...fresh.faults].slice(-50),
  }
  const remotes = listRemoteNames().flatMap((name) => {
    const build = getMountedBuild(name)
    return build ? [[name, build]] : []
  })
  unsent = { loads: [], faults: [] }
  await call(
    releaseApi.heartbeat,
    { builds: { host: hostBuild, ...Object.fromEntries(remotes) }, ...reports },
    { quiet: true },
  ).catch(() => {
    unsent = reports
  })
}

/**
 * Reports each minute which builds this page uses, and shortly after an event how a remote loaded or what failed in it.
 */
export function useHeartbeat() {
  const area = findRemoteByPath(useLocation().pathname)?.name
  useEffect(() => {
    let soon = setTimeout(() => void beat().catch(reportError), SOON)
    const timer = setInterval(() => void beat().catch(reportError), 60_000)
    onFault(() => {
      clearTimeout(soon)
      soon = setTimeout(() => void beat().catch(reportError), SOON / 3)
    })
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
      onFault(() => {})
    }
  }, [area])
}
