import {
  everyText,
  linesShown,
  mostSnapshots,
  snapshotApi,
  SnapshotSchedule,
} from '@iot/shared/contract/snapshot'
import type { FastifyInstance } from 'fastify'
import { transaction } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import { found, missing, refused } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { startFor } from '../../core/tasks/startFor'
import { insertLike } from '../project/policy'
import { askedDevices } from '../scene/policy'
import { differencesOf, itemsOf, nodesOf } from './compare'
import { contentOf, stateOf, type Content } from './content'
import { clonedContent } from './clone'
import { nextTimeOf, reschedule } from './policy'
import { mostBeforeChanges, snapshotQueries } from './queries'
import { applyContent, portions, restoreLines } from './restore'
import { keepByItself } from './schedule'

const entity = '项目快照'
const minute = 60_000
const usualKeep = 14
const changedMeanwhile = '预演之后项目又有修改，请重新预演'

export function snapshotRoutes(app: FastifyInstance) {
  const queries = snapshotQueries(app.db)
  const timer = setInterval(
    () => keepByItself(app.db).catch((error) => complain('定时快照未拍摄', error)),
    minute,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  /**
   * Asserts that the project exists and that the user can see it; both failures give the same error, so that its
   * existence
   * is not revealed.
   */
  async function mustSee(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId) || !(await queries.project(projectId))) throw missing('项目')
  }
  async function mine(id: string, { seesProject }: Context) {
    const row = found(await queries.get(id), '快照')
    if (!seesProject(row.projectId)) throw missing('快照')
    return row
  }
  /** Returns the content of the project now or of one of its snapshots. */
  async function contentAt(projectId: number, snapshotId?: string) {
    if (!snapshotId) return contentOf(app.db, projectId)
    if ((await queries.get(snapshotId))?.projectId !== projectId) throw missing('快照')
    return found(await queries.content(snapshotId), '快照')
  }
  const knownOf = async (projectId: number, ...contents: Content[]) => ({
    calendars: await queries.calendars(),
    asked: new Map([
      // Removed devices are still named as in the snapshots.
      ...contents.flatMap(({ devices }) =>
        devices.map(({ id, name }) => [id, { name, properties: [] }] as const),
      ),
      ...(await askedDevices(
        app.db,
        [projectId],
        contents.flatMap(({ scenes }) => scenes.flatMap(({ triggers }) => triggers)),
      )),
    ]),
  })
  const planOf = async (id: string, projectId: number) => {
    const [now, then] = [
      await contentOf(app.db, projectId),
      found(await queries.restorable(id), '快照'),
    ]
    const { name } = then.project
    if (await queries.nameTaken(projectId, then.project))
      throw refused(`“${name}”现在是同一分组另一个项目的名称，请先改它的名称再恢复`)
    const here = new Set(now.devices.map((device) => device.id))
    const lost = then.devices.flatMap((device) => (here.has(device.id) ? [] : device.id))
    const lines = restoreLines(now, then, String(projectId), {
      elsewhere: await queries.devicesAmong(lost),
      ...(await knownOf(projectId, now, then)),
    })
    return { now, then, lines }
  }

  serve(app, snapshotApi, {
    async page(query, context) {
      await mustSee(query.projectId, context)
      return queries.page(query)
    },
    async tree({ projectId, snapshotId, since }, context) {
      await mustSee(projectId, context)
      const root = String(projectId)
      const content = await contentAt(projectId, snapshotId)
      const items = itemsOf(content, root)
      if (!since) return nodesOf(items)
      const before = await contentAt(projectId, since)
      const known = await knownOf(projectId, before, content)
      return nodesOf(items, differencesOf(itemsOf(before, root), items, known))
    },
    async take({ projectId, name }, context) {
      await mustSee(projectId, context)
      if ((await queries.count(projectId)) >= mostSnapshots)
        throw refused(`一个项目最多 ${mostSnapshots} 份快照，请先删除不用的`)
      return context.write(snapshotQueries, async (rows, note, tx) => {
        const content = await contentOf(tx, projectId)
        const row = await rows.keep(projectId, name, content, context.user.username)
        note({ entity, id: row.id, name })
        return row
      })
    },
    async schedule({ projectId }, context) {
      await mustSee(projectId, context)
      return (
        (await queries.schedule(projectId)) ?? { every: 'off', keep: usualKeep, nextTime: null }
      )
    },
    async setSchedule({ projectId, every, keep }, context) {
      await mustSee(projectId, context)
      return context.write(snapshotQueries, async (rows, note) => {
        const before = await rows.schedule(projectId)
        const { id, name, timeZone } = (await rows.project(projectId))!
        if (every === 'off') await rows.endSchedule(projectId)
        else
          await rows.setSchedule({ projectId, every, keep, nextTime: nextTimeOf(every, timeZone) })
        const show = { every: (every: unknown) => everyText[every as SnapshotSchedule['every']] }
        const sides = { before: { every: 'off', ...before }, after: { every, keep } }
        note({ entity: '项目', id, name, schema: SnapshotSchedule, show, ...sides })
        return null
      })
    },
    async clone({ id, ...draft }, context) {
      const snapshot = await mine(id, context)
      const content = found(await queries.content(id), '快照')
      return context.write(snapshotQueries, async (rows, note, tx) => {
        const { username } = context.user
        const project = await insertLike(
          tx,
          { litHoldMinutes: 15, ...content.project, historyDays: null, ...draft },
          context,
        )
        const { spaces, groups, scenes, leftOut } = clonedContent(content)
        // The calendars of the source project do not apply to the clone, so only shared calendars are kept.
        const shared = await rows.sharedCalendars()
        const stamps = { projectId: project.projectId, createBy: username, updateBy: username }
        for (const some of portions(spaces))
          await rows.addSpaces(some.map((one) => ({ ...one, ...stamps })))
        for (const some of portions(groups))
          await rows.addGroups(some.map((one) => ({ ...one, ...stamps })))
        for (const { actions, ...scene } of scenes) {
          await rows.addScene({
            ...scene,
            ...stamps,
            calendarId: shared.get(scene.calendarId) ?? null,
          })
          await rows.addActions(
            actions.map((action) => ({ ...action, projectId: project.projectId })),
          )
        }
        note({ entity: '项目', id: project.id, name: `${project.name}，取自“${snapshot.name}”` })
        return {
          project,
          spaces: spaces.length,
          scenes: scenes.length,
          leftOut,
        }
      })
    },
    async remove({ id }, context) {
      const row = await mine(id, context)
      return context.write(snapshotQueries, async (rows, note) => {
        await rows.remove(id)
        note({ entity, id, name: row.name, before: { 快照: row.name } })
        return null
      })
    },
    async preview({ id }, context) {
      const { projectId } = await mine(id, context)
      const { now, lines } = await planOf(id, projectId)
      const count = (change: string) =>
        lines.filter((line) => line.change === change && !line.reason).length
      return {
        state: stateOf(now),
        counts: {
          added: count('added'),
          changed: count('changed'),
          removed: count('removed'),
          kept: lines.filter(({ reason }) => reason).length,
        },
        lines: lines.slice(0, linesShown),
      }
    },
    async restore({ id, state }, context) {
      const snapshot = await mine(id, context)
      const { projectId, name } = snapshot
      const { now, lines } = await planOf(id, projectId)
      if (stateOf(now) !== state) throw refused(changedMeanwhile)
      const total = lines.filter(({ reason }) => !reason).length
      if (total === 0) throw refused('项目和快照一样，没有要恢复的')
      const { username } = context.user
      context.note({ entity, id, name: `恢复“${name}”，${total} 处` })
      const title = `恢复快照 · ${name}`
      return startFor(app, context, { kind: 'restore', title, total, projectId }, async (step) => {
        const changed = await transaction(app.db, async (tx) => {
          const rows = snapshotQueries(tx)
          await rows.hold(projectId)
          const current = await contentOf(tx, projectId)
          if (stateOf(current) !== state) throw refused(changedMeanwhile)
          const then = found(await rows.restorable(id), '快照')
          await rows.keep(projectId, `恢复“${name}”之前`.slice(0, 64), current, username, {
            most: mostBeforeChanges,
          })
          const devices = await applyContent(tx, projectId, current, then, username)
          const { timeZone } = then.project
          if (timeZone !== current.project.timeZone) await reschedule(tx, projectId, timeZone)
          await step.progress({ counts: { success: total } }, tx)
          return devices
        })
        // Cached data of the changed devices is dropped.
        await app.devices.forget(await queries.identities(changed), false)
        app.rights.emit('changed')
        return {}
      })
    },
  })
}
