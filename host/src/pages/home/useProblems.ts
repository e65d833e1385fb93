import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import type { ProblemKind } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { liveReloadAtom, spaceLightsAtom } from '@iot/shared/session/live'

type ProblemScope = { spaceId?: string; groupId?: string }

/** States are polled at this interval in ms, because the live channel does not carry presence and faults. */
const pollIntervalMs = 10_000

/** Kinds that mark a lamp. */
const lampMarkText = { fault: '设备故障', failed: '命令失败', timeout: '命令超时' } as const
const marksLamp = (kind: ProblemKind): kind is keyof typeof lampMarkText => kind in lampMarkText

/**
 * Reads what the devices of the project show at this moment, whatever the alarm rules say: the marks of lamps and places
 * that are lit without anyone. It reads again when the lights of a space change, a task ends, and every 10 seconds while
 * the page is visible.
 * @param scope limits the states to a space or a group
 */
export function useProblems(projectId: number, endedTasks: number, scope: ProblemScope = {}) {
  const lights = useAtomValue(spaceLightsAtom)
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, run, refresh } = useRequest(
    () => call(deviceApi.problems, { projectId, ...scope }, { quiet: true }),
    {
      refreshDeps: [projectId, scope.spaceId, scope.groupId, reload],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
      throttleWait: 2000,
      // The parts of home share one answer within a second. It is cached no longer, because an old answer would hide
      // that reading fails.
      cacheKey: `problems ${JSON.stringify({ projectId, ...scope })}`,
      cacheTime: 1000,
    },
  )
  useEffect(() => run(), [lights, endedTasks, run])
  const faults = useMemo(
    () =>
      new Map(
        (data?.list ?? []).flatMap(({ kind, id, reason }) =>
          marksLamp(kind) ? [[id, `${lampMarkText[kind]}：${reason}`] as const] : [],
        ),
      ),
    [data],
  )
  return { ...data, error, refresh, faults }
}
export type Problems = ReturnType<typeof useProblems>
