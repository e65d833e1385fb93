import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { serverNow } from '../client/serverClock'
import type { ManualOverride } from '../contract/control/manualOverride.schema'
import { manualOverrideApi } from '../contract/control/manualOverride.api'
import { controlListsReloadAtom, liveReloadAtom } from '../session/live'
import { manualOverridesAtom, overrideRevisionAtom } from '../session/overrides'
import { usePolling } from '../ui/usePolling'

/** The live channel tells of changes by others; this interval in ms covers the time while it is down. */
const pollIntervalMs = 60_000
const isOpen = ({ until }: ManualOverride) => Date.parse(until) > serverNow()

/** Reads the open manual overrides of a project, and shows them on its lamps while the caller is mounted. */
export function useManualOverrides(projectId: number) {
  const revision = useAtomValue(overrideRevisionAtom)
  const reload = useAtomValue(liveReloadAtom)
  const listsReload = useAtomValue(controlListsReloadAtom)
  const setOverrides = useSetAtom(manualOverridesAtom)
  const { data, error, refresh } = usePolling(
    manualOverrideApi.list,
    { projectId },
    { intervalMs: pollIntervalMs, refreshDeps: [revision, reload, listsReload] },
  )
  const overrides = useMemo(() => data?.filter(isOpen), [data])
  useEffect(() => {
    // An unchanged list keeps its identity, so that the lamps do not render at each interval.
    if (overrides)
      setOverrides((previous) =>
        JSON.stringify(previous) === JSON.stringify(overrides) ? previous : overrides,
      )
  }, [overrides, setOverrides])
  useEffect(() => () => setOverrides([]), [projectId, setOverrides])
  return { overrides, error, refresh }
}
