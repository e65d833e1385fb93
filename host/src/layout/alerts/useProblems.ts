import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceApi, type ProblemKind } from '@iot/shared/contract/device'
import { liveReloadAtom, spaceLightsAtom } from '@iot/shared/session/live'

type Where = { spaceId?: string; groupId?: string }

/** Presence and faults are not told over the live channel. */
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
 * What is wrong in the project now; read again when the lights of some space changed, a task ended, and every few
 * seconds while somebody looks.
 * @param where in a space or a group only
 * @param unseen also while nobody looks
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
      // Home and its alerts share one answer. It is not kept: what is older hides that none comes any more.
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
