import { dayMs } from '@iot/shared/contract/duration'
import { previewDays } from '@iot/shared/contract/control/scene'
import type { SceneButton } from '@iot/shared/contract/control/scene.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { describeTrigger } from '@iot/shared/contract/control/sceneText'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { requireRow } from '../../core/refusal'
import { getProjectRefusal } from '../project/policy'
import { createCalendarLookup, type CalendarLookup } from './calendarLookup'
import { dueTimes } from './dueTimes'
import { findDeadCondition, readConditionDevices } from './policy'
import { sceneQueries, type SceneQueries, type SceneRow } from './queries'

const previewMs = previewDays * dayMs

const countFailed = (counts: Record<string, number> = {}) =>
  (counts.failed ?? 0) + (counts.timeout ?? 0) + (counts.unknown ?? 0)

const isTimed = ({ triggers }: Pick<SceneRow, 'triggers'>) =>
  triggers.some(({ kind }) => kind !== 'condition')

async function readPlaces(queries: SceneQueries, projectId: number) {
  const [spaces, devices] = await Promise.all([
    queries.listSpaces(projectId),
    queries.listControllableDevices(projectId),
  ])
  return { tree: createTree(spaces), devices }
}
type Places = Awaited<ReturnType<typeof readPlaces>>

/** Returns the ids of the devices that each scene of a project controls. */
async function findControlledDevices(
  queries: SceneQueries,
  projectId: number,
  sceneIds: string[],
  { tree, devices }: Places,
) {
  const actions = await queries.listActions(projectId, sceneIds)
  const groups = await queries.listGroupMembers(
    projectId,
    actions.map(({ scope }) => scope),
  )
  const selectDevices = ({ scope, productType }: (typeof actions)[number]) => {
    const { isWholeProject, spaceIds, groupIds, deviceIds } = getScopePlaces(scope)
    const spaceIdsWithin = new Set(spaceIds.flatMap((id) => [...tree.within(id)]))
    const namedIds = new Set([
      ...deviceIds,
      ...groupIds.flatMap((id) => [...(groups.get(id) ?? [])]),
    ])
    return devices.filter(
      (device) =>
        device.productType === productType &&
        (isWholeProject || namedIds.has(device.id) || spaceIdsWithin.has(device.spaceId ?? '')),
    )
  }
  return new Map(
    sceneIds.map((id) => [
      id,
      new Set(
        actions
          .filter(({ sceneId }) => sceneId === id)
          .flatMap((action) => selectDevices(action).map((device) => device.id)),
      ),
    ]),
  )
}

/**
 * Returns the ids of the scenes of a project that control devices of a space or of the spaces below it.
 * @throws "not found" if the project has no such space
 */
export async function findScenesOfSpace(
  queries: SceneQueries,
  projectId: number,
  spaceId: string,
): Promise<string[]> {
  const places = await readPlaces(queries, projectId)
  const { tree, devices } = places
  requireRow(tree.get(spaceId), '空间')
  const spaceIds = tree.within(spaceId)
  const idsInSpace = devices
    .filter((device) => device.spaceId !== null && spaceIds.has(device.spaceId))
    .map(({ id }) => id)
  const controlledIds = await findControlledDevices(
    queries,
    projectId,
    await queries.listSceneIds(projectId),
    places,
  )
  return [...controlledIds]
    .filter(([, deviceIds]) => idsInSpace.some((id) => deviceIds.has(id)))
    .map(([sceneId]) => sceneId)
}

/** Returns the number of devices that each scene controls; the scenes may belong to several projects. */
async function countDevices(queries: SceneQueries, scenes: SceneRow[]) {
  const counts = new Map<string, number>()
  for (const project of new Set(scenes.map((scene) => scene.projectId))) {
    const ids = scenes.filter((scene) => scene.projectId === project).map((scene) => scene.id)
    const places = await readPlaces(queries, project)
    for (const [id, deviceIds] of await findControlledDevices(queries, project, ids, places))
      counts.set(id, deviceIds.size)
  }
  return counts
}

/** Returns the last run of each scene with the number of devices that failed. */
async function getLastRuns(
  queries: SceneQueries,
  control: FastifyInstance['control'],
  ids: string[],
) {
  const runs = ids.length > 0 ? await queries.listLastRuns(ids) : []
  const tasks = await control.findTasks(runs.flatMap(({ taskIds }) => taskIds))
  return new Map<string, SceneButton['lastRun']>(
    runs.map(({ sceneId, cause, status, reason, createTime, dueTime, taskIds }) => [
      sceneId,
      {
        cause,
        status,
        reason,
        time: dueTime ?? createTime,
        failed: taskIds.reduce((sum, id) => sum + countFailed(tasks.get(id)?.counts), 0),
      },
    ]),
  )
}

/** Returns why the project prevents scheduled runs at present, by project id; the text is empty if it does not. */
async function getHoldReasons(db: Db, scenes: SceneRow[]) {
  const holdReasons = new Map<number, string>()
  for (const id of new Set(scenes.map((scene) => scene.projectId)))
    holdReasons.set(id, (await getProjectRefusal(db, id, 'schedule')) ?? '')
  return holdReasons
}

async function findNextRun(
  scene: SceneRow,
  calendarLookup: CalendarLookup,
  { from, to, last }: { from: number; to: number; last: number | undefined },
) {
  const dueMoments = dueTimes(
    scene,
    await calendarLookup.calendar(scene),
    await calendarLookup.site(scene),
    from,
    to,
    last,
  )
  for (const { runs, at, reason } of dueMoments)
    if (runs) return { time: new Date(at).toISOString(), reason }
  return null
}

const getSunWarning = async (scene: SceneRow, calendarLookup: CalendarLookup) =>
  scene.triggers.some((trigger) => trigger.kind === 'sun' && !trigger.position) &&
  !(await calendarLookup.site(scene)).position
    ? '项目没有设置经纬度，日出日落不触发'
    : ''

/** Adds to each scene what its button shows: its devices, triggers, warnings, last run and next run. */
export async function readSceneButtons(
  { db, control }: Pick<FastifyInstance, 'db' | 'control'>,
  scenes: SceneRow[],
): Promise<SceneButton[]> {
  const queries = sceneQueries(db)
  const counts = await countDevices(queries, scenes)
  const lastRunByScene = await getLastRuns(
    queries,
    control,
    scenes.map(({ id }) => id),
  )
  const scenesWithSilence = scenes.filter(({ silenceMinutes }) => silenceMinutes > 0)
  const lastTimes = await queries.getLastRunTimes(scenesWithSilence.map(({ id }) => id))
  const from = Date.now()
  const to = from + previewMs
  const calendarLookup = createCalendarLookup(db, from, to)
  const holdReasons = await getHoldReasons(db, scenes)
  const conditionDevices = await readConditionDevices(
    db,
    scenes.map(({ projectId }) => projectId),
    scenes.flatMap(({ triggers }) => triggers),
  )
  const buttons: SceneButton[] = []
  for (const scene of scenes) {
    const holdReason = holdReasons.get(scene.projectId)
    const isScheduled = scene.status !== 'disabled' && isTimed(scene) && !holdReason
    buttons.push({
      ...scene,
      deviceCount: counts.get(scene.id) ?? 0,
      triggerTexts: scene.triggers.map((trigger) => describeTrigger(trigger, conditionDevices)),
      isTimed: isTimed(scene),
      held: holdReason || (await getSunWarning(scene, calendarLookup)),
      deadCondition: await findDeadCondition(db, scene.projectId, scene.triggers),
      lastRun: lastRunByScene.get(scene.id) ?? null,
      nextRun: isScheduled
        ? await findNextRun(scene, calendarLookup, { from, to, last: lastTimes.get(scene.id) })
        : null,
    })
  }
  return buttons
}
