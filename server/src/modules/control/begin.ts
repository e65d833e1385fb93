import type { ControlRequest, ControlTask } from '@iot/shared/contract/control'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../core/refusal'
import { now } from '../../tables/columns'
import { openApprovals } from './approvals'
import { openEngine } from './engine'
import { planRequest, preflightOf, type Planned } from './plan'
import { skipText, type ControlPermission } from './policy'
import { controlQueries, taskOf, type ControlDetail } from './queries'

export type Origin = ControlDetail & { projectId: number; title: string }
/** User that starts a task; `id` is null if a schedule or a condition starts it. */
export type Beginner = { id: string | null; username: string }

/**
 * @returns number of devices that the plan reaches
 * @throws if the plan reaches no device
 */
export function mustReach(planned: Planned[]) {
  const { affected, skipped } = preflightOf(planned)
  if (affected === 0) {
    const why = Object.entries({
      受保护: skipped.protected,
      离线: skipped.offline,
      禁用: skipped.disabled,
    }).flatMap(([word, count]) => (count > 0 ? `${word} ${count}` : []))
    throw refused(
      planned.length === 0 ? '所选范围内没有可控制的设备' : `没有可以控制的设备：${why.join('，')}`,
    )
  }
  return affected
}

/** Creates the single control engine that requests, schedules and conditions of this process share. */
export function openControl({ db, tasks, devices, settings }: FastifyInstance) {
  const engine = openEngine(db, tasks, devices, { timeout: settings.controlTimeout })
  return {
    engine,
    approvals: openApprovals(db, devices.siblings),
    /** Stores the task with its ledger and starts it. */
    async begin(
      { projectId, title, ...detail }: Origin,
      planned: Planned[],
      { id: ownerId, username: createBy }: Beginner,
      id: string,
    ): Promise<{ task: ControlTask; reached: number }> {
      const reached = mustReach(planned)
      const task = await engine.start(
        { id, projectId, title, detail, ownerId, createBy },
        planned.map(({ device, target, skip }) => ({
          device,
          row: {
            projectId,
            taskId: id,
            deviceId: device.id,
            target,
            before: pick(device.reported, target),
            state: skip ? ('skipped' as const) : ('queued' as const),
            reason: skip ? skipText[skip] : '',
            sentTime: null,
            doneTime: skip ? now() : null,
          },
        })),
      )
      return { task, reached }
    },
    plan: (request: ControlRequest, permission: ControlPermission, only?: readonly number[]) =>
      planRequest(db, request, permission, only),
    /** Returns the current state of tasks by id, including progress that is not yet saved. */
    tasksOf: async (ids: string[]): Promise<ReadonlyMap<string, ControlTask>> =>
      new Map(
        (await controlQueries(db).tasks(ids)).map((row) => [
          row.id,
          taskOf(tasks.current(row.id) ?? row),
        ]),
      ),
  }
}
export type Control = ReturnType<typeof openControl>

const pick = (reported: Planned['target'], target: Planned['target']) =>
  Object.fromEntries(
    Object.keys(target).flatMap((identifier) =>
      identifier in reported ? [[identifier, reported[identifier]!]] : [],
    ),
  )
