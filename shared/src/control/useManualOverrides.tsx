import { useRequest } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { call } from '../client/call'
import { serverNow } from '../client/serverClock'
import type { ManualOverride } from '../contract/control/manualOverride.schema'
import { manualOverrideApi } from '../contract/control/manualOverride.api'
import { liveReloadAtom } from '../session/live'
import { manualOverridesAtom, overrideRevisionAtom } from '../session/overrides'

/** Overrides of others are read at this interval in ms, because the live channel does not carry them. */
const pollIntervalMs = 15_000
const isOpen = ({ until }: ManualOverride) => Date.parse(until) > serverNow()

/** Reads the open manual overrides of a project, and shows them on its lamps while the caller is mounted. */
export function useManualOverrides(projectId: number) {
  const revision = useAtomValue(overrideRevisionAtom)
  const reload = useAtomValue(liveReloadAtom)
  const setOverrides = useSetAtom(manualOverridesAtom)
  const { data, error, refresh } = useRequest(
    async () => (await call(manualOverrideApi.list, { projectId }, { quiet: true })).filter(isOpen),
    {
      refreshDeps: [projectId, revision, reload],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
    },
  )
  useEffect(() => {
    // An unchanged list keeps its identity, so that the lamps do not render at each interval.
    if (data)
      setOverrides((previous) =>
        JSON.stringify(previous) === JSON.stringify(data) ? previous : data,
      )
  }, [data, setOverrides])
  useEffect(() => () => setOverrides([]), [projectId, setOverrides])
  return { overrides: data, error, refresh }
}
