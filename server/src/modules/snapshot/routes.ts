import {
  snapshotIntervalText,
  maxPreviewLines,
  maxManualSnapshots,
  snapshotApi,
  SnapshotSchedule,
} from '@iot/shared/contract/snapshot'
import type { FastifyInstance } from 'fastify'
import { transaction } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { requireRow, createMissingRefusal, createRefusal } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { startUserTask } from '../../core/tasks/startUserTask'
import { insertProjectCopy } from '../project/policy'
import { readConditionDevices } from '../scene/policy'
import { findDifferences, toItems, buildNodeTree } from './compare'
import { readContent, hashContent, type Content } from './content'
import { cloneContent } from './clone'
import { getNextTime, reschedule } from './policy'
import { maxSnapshotsBeforeChanges, snapshotQueries } from './queries'
import { applyContent, splitIntoPortions, buildRestoreLines } from './restore'
import { takeDueSnapshots } from './schedule'

const entity = '项目快照'
const minuteMs = 60_000
const defaultKeepCount = 14
const changedMeanwhileMessage = '预演之后项目又有修改，请重新预演'

export function snapshotRoutes(app: FastifyInstance) {
  const queries = snapshotQueries(app.db)
  const timer = setInterval(
    () => takeDueSnapshots(app.db).catch((error) => logError('定时快照未拍摄', error)),
    minuteMs,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  /**
   * Asserts that the project exists and that the user can see it; both failures give the same error, so that its
   * existence
   * is not revealed.
   */
  async function assertProjectVisible(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId) || !(await queries.findProject(projectId)))
      throw createMissingRefusal('项目')
  }
  async function getVisibleSnapshot(id: string, { seesProject }: Context) {
    const row = requireRow(await queries.get(id), '快照')
    if (!seesProject(row.projectId)) throw createMissingRefusal('快照')
    return row
  }
  /** Returns the content of the project now or of one of its snapshots. */
  async function readContentAt(projectId: number, snapshotId?: string) {
    if (!snapshotId) return readContent(app.db, projectId)
    if ((await queries.get(snapshotId))?.projectId !== projectId) throw createMissingRefusal('快照')
    return requireRow(await queries.findContent(snapshotId), '快照')
  }
  const readReferenceNames = async (projectId: number, ...contents: Content[]) => ({
    calendars: await queries.listCalendarNames(),
    asked: new Map([
      // Removed devices are still named as in the snapshots.
      ...contents.flatMap(({ devices }) =>
        devices.map(({ id, name }) => [id, { name, properties: [] }] as const),
      ),
      ...(await readConditionDevices(
        app.db,
        [projectId],
        contents.flatMap(({ scenes }) => scenes.flatMap(({ triggers }) => triggers)),
      )),
    ]),
  })
  const planRestore = async (id: string, projectId: number) => {
    const [currentContent, snapshotContent] = [
      await readContent(app.db, projectId),
      requireRow(await queries.readRestorableContent(id), '快照'),
    ]
    const { name } = snapshotContent.project
    if (await queries.isNameTaken(projectId, snapshotContent.project))
      throw createRefusal(`“${name}”现在是同一分组另一个项目的名称，请先改它的名称再恢复`)
    const currentIds = new Set(currentContent.devices.map((device) => device.id))
    const missingIds = snapshotContent.devices.flatMap((device) =>
      currentIds.has(device.id) ? [] : device.id,
    )
    const lines = buildRestoreLines(currentContent, snapshotContent, String(projectId), {
      movedDeviceIds: await queries.findExistingDevices(missingIds),
      ...(await readReferenceNames(projectId, currentContent, snapshotContent)),
    })
    return { now: currentContent, then: snapshotContent, lines }
  }

  serve(app, snapshotApi, {
    async page(query, context) {
      await assertProjectVisible(query.projectId, context)
      return queries.page(query)
    },
    async tree({ projectId, snapshotId, since }, context) {
      await assertProjectVisible(projectId, context)
      const root = String(projectId)
      const content = await readContentAt(projectId, snapshotId)
      const items = toItems(content, root)
      if (!since) return buildNodeTree(items)
      const before = await readContentAt(projectId, since)
      const referenceNames = await readReferenceNames(projectId, before, content)
      return buildNodeTree(items, findDifferences(toItems(before, root), items, referenceNames))
    },
    async take({ projectId, name }, context) {
      await assertProjectVisible(projectId, context)
      if ((await queries.count(projectId)) >= maxManualSnapshots)
        throw createRefusal(`一个项目最多 ${maxManualSnapshots} 份快照，请先删除不用的`)
      return context.write(snapshotQueries, async (rows, recordAudit, tx) => {
        const content = await readContent(tx, projectId)
        const row = await rows.saveSnapshot(projectId, name, content, context.user.username)
        recordAudit({ entity, id: row.id, name })
        return row
      })
    },
    async schedule({ projectId }, context) {
      await assertProjectVisible(projectId, context)
      return (
        (await queries.findSchedule(projectId)) ?? {
          every: 'off',
          keep: defaultKeepCount,
          nextTime: null,
        }
      )
    },
    async setSchedule({ projectId, every, keep }, context) {
      await assertProjectVisible(projectId, context)
      return context.write(snapshotQueries, async (rows, recordAudit) => {
        const before = await rows.findSchedule(projectId)
        const { id, name, timeZone } = (await rows.findProject(projectId))!
        if (every === 'off') await rows.endSchedule(projectId)
        else
          await rows.setSchedule({ projectId, every, keep, nextTime: getNextTime(every, timeZone) })
        const valueFormatters = {
          every: (every: unknown) => snapshotIntervalText[every as SnapshotSchedule['every']],
        }
        const auditSides = { before: { every: 'off', ...before }, after: { every, keep } }
        recordAudit({
          entity: '项目',
          id,
          name,
          schema: SnapshotSchedule,
          show: valueFormatters,
          ...auditSides,
        })
        return null
      })
    },
    async clone({ id, ...draft }, context) {
      const snapshot = await getVisibleSnapshot(id, context)
      const content = requireRow(await queries.findContent(id), '快照')
      return context.write(snapshotQueries, async (rows, recordAudit, tx) => {
        const { username } = context.user
        const project = await insertProjectCopy(
          tx,
          { litHoldMinutes: 15, ...content.project, historyDays: null, ...draft },
          context,
        )
        const { spaces, groups, scenes, leftOut } = cloneContent(content)
        // The calendars of the source project do not apply to the clone, so only shared calendars are kept.
        const sharedCalendarIds = await rows.listSharedCalendarIds()
        const stamps = { projectId: project.projectId, createBy: username, updateBy: username }
        for (const spacePortion of splitIntoPortions(spaces))
          await rows.addSpaces(spacePortion.map((one) => ({ ...one, ...stamps })))
        for (const groupPortion of splitIntoPortions(groups))
          await rows.addGroups(groupPortion.map((one) => ({ ...one, ...stamps })))
        for (const { actions, ...scene } of scenes) {
          await rows.addScene({
            ...scene,
            ...stamps,
            calendarId: sharedCalendarIds.get(scene.calendarId) ?? null,
          })
          await rows.addActions(
            actions.map((action) => ({ ...action, projectId: project.projectId })),
          )
        }
        recordAudit({
          entity: '项目',
          id: project.id,
          name: `${project.name}，取自“${snapshot.name}”`,
        })
        return {
          project,
          spaces: spaces.length,
          scenes: scenes.length,
          leftOut,
        }
      })
    },
    async remove({ id }, context) {
      const row = await getVisibleSnapshot(id, context)
      return context.write(snapshotQueries, async (rows, recordAudit) => {
        await rows.remove(id)
        recordAudit({ entity, id, name: row.name, before: { 快照: row.name } })
        return null
      })
    },
    async preview({ id }, context) {
      const { projectId } = await getVisibleSnapshot(id, context)
      const { now: currentContent, lines } = await planRestore(id, projectId)
      const countChanges = (change: string) =>
        lines.filter((line) => line.change === change && !line.reason).length
      return {
        state: hashContent(currentContent),
        counts: {
          added: countChanges('added'),
          changed: countChanges('changed'),
          removed: countChanges('removed'),
          kept: lines.filter(({ reason }) => reason).length,
        },
        lines: lines.slice(0, maxPreviewLines),
      }
    },
    async restore({ id, state }, context) {
      const snapshot = await getVisibleSnapshot(id, context)
      const { projectId, name } = snapshot
      const { now: currentContent, lines } = await planRestore(id, projectId)
      if (hashContent(currentContent) !== state) throw createRefusal(changedMeanwhileMessage)
      const total = lines.filter(({ reason }) => !reason).length
      if (total === 0) throw createRefusal('项目和快照一样，没有要恢复的')
      const { username } = context.user
      context.recordChange({ entity, id, name: `恢复“${name}”，${total} 处` })
      const title = `恢复快照 · ${name}`
      return startUserTask(
        app,
        context,
        { kind: 'restore', title, total, projectId },
        async (step) => {
          const changedDeviceIds = await transaction(app.db, async (tx) => {
            const rows = snapshotQueries(tx)
            await rows.lockProject(projectId)
            const contentBefore = await readContent(tx, projectId)
            if (hashContent(contentBefore) !== state) throw createRefusal(changedMeanwhileMessage)
            const snapshotContent = requireRow(await rows.readRestorableContent(id), '快照')
            await rows.saveSnapshot(
              projectId,
              `恢复“${name}”之前`.slice(0, 64),
              contentBefore,
              username,
              {
                most: maxSnapshotsBeforeChanges,
              },
            )
            const devices = await applyContent(
              tx,
              projectId,
              contentBefore,
              snapshotContent,
              username,
            )
            const { timeZone } = snapshotContent.project
            if (timeZone !== contentBefore.project.timeZone)
              await reschedule(tx, projectId, timeZone)
            await step.progress({ counts: { success: total } }, tx)
            return devices
          })
          // Cached data of the changed devices is dropped.
          await app.devices.forget(await queries.listIdentities(changedDeviceIds), false)
          app.rights.emit('changed')
          return {}
        },
      )
    },
  })
}
