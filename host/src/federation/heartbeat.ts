import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { findRemoteByPath, listRemoteNames } from '../remotes'
import { getMountedBuild } from './mountedRemotes'
import { hostBuild } from './install'
import { setFaultListener, takeReports } from './buildReports'
import { reportError } from '../pages/errors/reportError'

const eventReportDelayMs = 3000
let unsentReports: ReturnType<typeof takeReports> = { loads: [], faults: [] }

async function sendHeartbeat() {
  if (document.visibilityState !== 'visible') return
  const newReports = takeReports()
  const reports = {
    loads: [...unsentReports.loads, ...newReports.loads].slice(-50),
    faults: [...unsentReports.faults, ...newReports.faults].slice(-50),
  }
  const remotes = listRemoteNames().flatMap((name) => {
    const build = getMountedBuild(name)
    return build ? [[name, build]] : []
  })
  unsentReports = { loads: [], faults: [] }
  await call(
    releaseApi.heartbeat,
    { builds: { host: hostBuild, ...Object.fromEntries(remotes) }, ...reports },
    { quiet: true },
  ).catch(() => {
    unsentReports = reports
  })
}

/**
 * Reports each minute which builds this page uses, and shortly after an event how a remote loaded or what failed in it.
 */
export function useHeartbeat() {
  const remoteName = findRemoteByPath(useLocation().pathname)?.name
  useEffect(() => {
    let earlyTimer = setTimeout(() => void sendHeartbeat().catch(reportError), eventReportDelayMs)
    const intervalTimer = setInterval(() => void sendHeartbeat().catch(reportError), 60_000)
    setFaultListener(() => {
      clearTimeout(earlyTimer)
      earlyTimer = setTimeout(() => void sendHeartbeat().catch(reportError), eventReportDelayMs / 3)
    })
    return () => {
      clearTimeout(earlyTimer)
      clearInterval(intervalTimer)
      setFaultListener(() => {})
    }
  }, [remoteName])
}
