import type { ControlRequest, ControlTask } from '@iot/shared/contract/control/control.schema'
import type { SceneAction } from '@iot/shared/contract/control/scene.schema'
import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../../core/refusal'
import { now } from '../../tables/columns'
import { preflightActions } from './actionEffects'
import { createApprovals } from './approvals'
import { createControlEngine } from './engine'
import { listOverrides } from './overridePlaces'
import { planRequest, type Planned } from './plan'
import { summarizePlan } from './preflight'
import { AllHeldRefusal, skipText, type ControlPermission } from './policy'
import { controlQueries, toControlTask, type ControlDetail } from './queries'

export type TaskOrigin = ControlDetail & { projectId: number; title: string }
/** User that starts a task; `id` is null if a schedule or a condition starts it. */
export type TaskStarter = { id: string | null; username: string; name?: string }

/**
 * @returns number of devices that the plan reaches
 * @throws if the plan reaches no device
 */
export function assertReachesDevices(planned: Planned[]) {
  const { affected, skipped } = summarizePlan(planned)
  if (affected === 0) {
    if (skipped.held > 0 && skipped.held === planned.length) throw new AllHeldRefusal(skipped.held)
    const skipReasons = Object.entries({
      手动保持: skipped.held,
      受保护: skipped.protected,
      离线: skipped.offline,
      未激活: skipped.inactive ?? 0,
      禁用: skipped.disabled,
    }).flatMap(([word, count]) => (count > 0 ? `${word} ${count}` : []))
    throw createRefusal(
      planned.length === 0
        ? '所选范围内没有可控制的设备'
        : `没有可以控制的设备：${skipReasons.join('，')}`,
    )
  }
  return affected
}

export const countHeld = (planned: Planned[]) =>
  planned.filter(({ skip }) => skip === 'held').length

/**
 * Nothing is written as sent by a process that cannot send.
 * @throws Refusal while this process is cut off from the broker
 */
function assertBrokerIsConnected(devices: FastifyInstance['devices']) {
  if (devices.broker() === 'away')
    throw createRefusal('本服务器与消息服务的连接中断，命令没有下发，请稍后再试')
}

/** Creates the single control engine that requests, schedules and conditions of this process share. */
export function createControl({ db, tasks, devices, settings }: FastifyInstance) {
  const engine = createControlEngine(db, tasks, devices, settings.commandTimeouts)
  devices.handlers.startTask = async ({ taskId }) => {
    await engine.resume(taskId)
    return null
  }
  return {
    engine,
    approvals: createApprovals(db, devices.processMessages),
    /** Stores the task with its ledger and starts it. */
    async begin(
      { projectId, title, ...detail }: TaskOrigin,
      planned: Planned[],
      { id: ownerId, username: createBy, name: createByName }: TaskStarter,
      id: string,
    ): Promise<{ task: ControlTask; reached: number }> {
      assertBrokerIsConnected(devices)
      const reachedCount = assertReachesDevices(planned)
      const task = await engine.start(
        {
          id,
          projectId,
          title,
          detail: { ...detail, createByName, held: countHeld(planned) },
          ownerId,
          createBy,
        },
        planned.map(({ device, target, skip, override }) => ({
          device,
          row: {
            projectId,
            taskId: id,
            deviceId: device.id,
            target,
            before: pickReported(device.reported, target),
            state: skip ? ('skipped' as const) : ('queued' as const),
            reason: skip === 'held' && override ? override.text : skip ? skipText[skip] : '',
            sentTime: null,
            doneTime: skip ? now() : null,
          },
        })),
      )
      return { task, reached: reachedCount }
    },
    plan: (
      request: ControlRequest,
      permission: ControlPermission,
      actionSorts?: readonly number[],
    ) => planRequest(db, request, permission, actionSorts),
    preflightActions: (projectId: number, actions: SceneAction[]) =>
      preflightActions(db, projectId, actions),
    listOverrides: (projectId: number) => listOverrides(db, projectId),
    /** Returns the current state of tasks by id, including progress that is not yet saved. */
    findTasks: async (ids: string[]): Promise<ReadonlyMap<string, ControlTask>> =>
      new Map(
        (await controlQueries(db).tasks(ids)).map((row) => [
          row.id,
          toControlTask(tasks.current(row.id) ?? row),
        ]),
      ),
  }
}
export type ControlService = ReturnType<typeof createControl>

const pickReported = (reported: Planned['target'], target: Planned['target']) =>
  Object.fromEntries(
    Object.keys(target).flatMap((identifier) =>
      identifier in reported ? [[identifier, reported[identifier]!]] : [],
    ),
  )
