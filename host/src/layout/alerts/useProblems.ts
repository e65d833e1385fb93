import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { deviceApi } from '@iot/shared/contract/device.api'
import { liveReloadAtom, spaceLightsAtom } from '@iot/shared/session/live'

type ProblemScope = { spaceId?: string; groupId?: string }

/** Incidents are polled at this interval in ms, because the live channel does not carry presence and faults. */
const pollIntervalMs = 10_000

export const problemKindText: Record<ProblemKind, string> = {
  edge: '网关离线',
  fault: '设备故障',
  failed: '命令失败',
  timeout: '命令超时',
  scene: '场景未执行',
  backup: '备份异常',
  offline: '设备离线',
  lit: '亮灯无人',
}

/**
 * Reads what the devices of the project show at this moment, whatever the alarm rules say: the marks of lamps, places
 * that are lit without anyone, and what this browser shall alert to. It reads again when the lights of a space change, a task ends, and every 10
 * seconds while the page is visible.
 * @param scope limits the states to a space or a group
 * @param shouldPollWhenHidden polls while the page is hidden, too
 */
export function useProblems(
  projectId: number,
  endedTasks: number,
  scope: ProblemScope = {},
  shouldPollWhenHidden = false,
) {
  const lights = useAtomValue(spaceLightsAtom)
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, run, refresh } = useRequest(
    () => call(deviceApi.problems, { projectId, ...scope }, { quiet: true }),
    {
      refreshDeps: [projectId, scope.spaceId, scope.groupId, reload],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: shouldPollWhenHidden,
      throttleWait: 2000,
      // Home and its alerts share one answer within a second. It is cached no longer, because an old answer would hide
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
          kind === 'failed' || kind === 'timeout' || kind === 'fault'
            ? [[id, `${problemKindText[kind]}：${reason}`] as const]
            : [],
        ),
      ),
    [data],
  )
  return { ...data, error, refresh, faults }
}
export type Problems = ReturnType<typeof useProblems>
