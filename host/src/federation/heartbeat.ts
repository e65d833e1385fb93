import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { releaseApi } from '@iot/shared/contract/releaseCenter'
import { remoteNames } from '@iot/shared/contract/release'
import { remoteFor } from '../remotes'
import { buildOf } from './areas'
import { hostBuild } from './install'
import { takeLoads } from './report'

const page = Math.random().toString(36).slice(2, 12).padEnd(4, '0')
let unsent: ReturnType<typeof takeLoads> = []

async function beat() {
  if (document.visibilityState !== 'visible') return
  const loads = [...unsent, ...takeLoads()].slice(-50)
  const remotes = remoteNames.flatMap((name) => {
    const build = buildOf(name)
    return build ? [[name, build]] : []
  })
  unsent = []
  await call(
    releaseApi.heartbeat,
    { page, builds: { host: hostBuild, ...Object.fromEntries(remotes) }, loads },
    { quiet: true },
  ).catch(() => {
    unsent = loads
  })
}

/** Tells the server each minute which builds this page uses, and soon after an area is opened how its loading went. */
export function useHeartbeat() {
  const area = remoteFor(useLocation().pathname)?.name
  useEffect(() => {
    const soon = setTimeout(() => void beat(), 3000)
    const timer = setInterval(() => void beat(), 60_000)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [area])
}
