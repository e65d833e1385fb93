import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceApi, type ProblemKind } from '@iot/shared/contract/device'
import { liveReloadAtom, spaceLightsAtom } from '@iot/shared/session/live'

type Where = { spaceId?: string; groupId?: string }

/** Incidents are polled at this interval in ms, because the live channel does not carry presence and faults. */
const every = 10_000

export const kindText: Record<ProblemKind, string> = {
  edge: '网关离线',
  fault: '设备故障',
  failed: '命令失败',
  timeout: '命令超时',
  scene: '场景未执行',
  offline: '设备离线',
  lit: '亮灯无人',
}

/**
 * Reads the open incidents of the project. It reads again when the lights of a space change, a task ends, and every 10
 * seconds while the page is visible.
 * @param where limits the incidents to a space or a group
 * @param unseen polls while the page is hidden, too
 */
export function useProblems(
  projectId: number,
  endedTasks: number,
  where: Where = {},
  unseen = false,
) {
  const lights = useAtomValue(spaceLightsAtom)
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, run, refresh } = useRequest(
    () => call(deviceApi.problems, { projectId, ...where }, { quiet: true }),
    {
      refreshDeps: [projectId, where.spaceId, where.groupId, reload],
      pollingInterval: every,
      pollingWhenHidden: unseen,
      throttleWait: 2000,
      // Home and its alerts share one answer within a second. It is cached no longer, because an old answer would hide
      // that reading fails.
      cacheKey: `problems ${JSON.stringify({ projectId, ...where })}`,
      cacheTime: 1000,
    },
  )
  useEffect(() => run(), [lights, endedTasks, run])
  const faults = useMemo(
    () =>
      new Map(
        (data?.list ?? []).flatMap(({ kind, id, reason }) =>
          kind === 'failed' || kind === 'timeout' || kind === 'fault'
            ? [[id, `${kindText[kind]}：${reason}`] as const]
            : [],
        ),
      ),
    [data],
  )
  return { ...data, error, refresh, faults }
}
export type Problems = ReturnType<typeof useProblems>
