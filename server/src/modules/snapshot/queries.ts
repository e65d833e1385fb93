import type { snapshotSchemas } from '@iot/shared/contract/control/snapshot.schema'
import { and, asc, desc, eq, getTableColumns, inArray, lte, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { nameAuthors } from '../../core/db/personNames'
import { readPage } from '../../core/db/page'
import { buildOrderBy } from '../../core/db/rows'
import { calendar } from '../../tables/calendar'
import { device, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { projectSnapshot as table, snapshotSchedule as schedule } from '../../tables/snapshot'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { packContent, unpackContent, type Content } from './content'
import { splitIntoPortions } from './restore'

type PageInput = z.output<typeof snapshotSchemas.page.input>
const { content: _, ...listedColumns } = getTableColumns(table)
/** A project keeps at most this many snapshots that were taken before a restore or an import. */
export const maxSnapshotsBeforeChanges = 20

export const snapshotQueries = (db: Db) => ({
  ...listQueries(db),
  ...contentQueries(db),
  ...storageQueries(db),
  ...scheduleQueries(db),
  ...cloneQueries(db),
  ...projectQueries(db),
})

const listQueries = (db: Db) => ({
  async page({ projectId, sort, ...page }: PageInput) {
    const where = eq(table.projectId, projectId)
    const sorting = buildOrderBy(listedColumns, sort, '-createTime')
    return readPage(db, table, where, page, async ({ limit, offset }) => {
      const rows = await db
        .select(listedColumns)
        .from(table)
        .where(where)
        .orderBy(...sorting)
        .limit(limit)
        .offset(offset)
      return nameAuthors(db, rows, 'createBy')
    })
  },
  get: async (id: string) =>
    (await db.select(listedColumns).from(table).where(eq(table.id, id)))[0],
  count: (projectId: number) =>
    db.$count(table, and(eq(table.projectId, projectId), eq(table.automatic, false))),
})

/** Queries that read the content of snapshots and what its restoration depends on. */
const contentQueries = (db: Db) => {
  async function findContent(id: string) {
    const [row] = await db.select({ content: table.content }).from(table).where(eq(table.id, id))
    return row && unpackContent(row.content)
  }
  const listCalendarNames = async () =>
    new Map(
      (await db.select({ id: calendar.id, name: calendar.name }).from(calendar)).map(
        ({ id, name }) => [id, name],
      ),
    )

  return {
    findContent,
    listCalendarNames,
    /** Returns the content that a snapshot can restore; references to deleted calendars are cleared. */
    async readRestorableContent(id: string) {
      const snapshotContent = await findContent(id)
      if (!snapshotContent) return
      const calendars = await listCalendarNames()
      const clearDeletedCalendar = <T extends { calendarId: string | null }>(row: T): T => ({
        ...row,
        calendarId: row.calendarId && calendars.has(row.calendarId) ? row.calendarId : null,
      })
      return {
        ...snapshotContent,
        project: clearDeletedCalendar(snapshotContent.project),
        scenes: snapshotContent.scenes.map(clearDeletedCalendar),
      }
    },
    /** Returns which of these devices still exist in any project. */
    async findExistingDevices(ids: string[]) {
      const existingIds = new Set<string>()
      for (const idPortion of splitIntoPortions(ids))
        for (const { id } of await db
          .select({ id: device.id })
          .from(device)
          .where(inArray(device.id, idPortion)))
          existingIds.add(id)
      return existingIds
    },
    /** Lists the identities under which devices connect. */
    listIdentities: (ids: string[]) =>
      db
        .select({ productKey: product.productKey, deviceName: device.deviceName })
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(inArray(device.id, ids)),
    /** Returns the content of the newest snapshot, automatic or manual. */
    async readNewest(projectId: number) {
      const [row] = await db
        .select({ content: table.content })
        .from(table)
        .where(eq(table.projectId, projectId))
        .orderBy(desc(table.createTime), desc(table.id))
        .limit(1)
      return row && unpackContent(row.content)
    },
  }
}

/** Queries that store and remove snapshots. */
const storageQueries = (db: Db) => {
  async function deleteOld(projectId: number, isScheduled: boolean, maxCount: number) {
    const sameKind = and(
      eq(table.projectId, projectId),
      eq(table.automatic, true),
      eq(table.scheduled, isScheduled),
    )
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(sameKind)
      .orderBy(asc(table.id))
    const surplusIds = rows.slice(0, -maxCount).map(({ id }) => id)
    if (surplusIds.length > 0) await db.delete(table).where(inArray(table.id, surplusIds))
  }

  return {
    deleteOld,
    /** Stores a snapshot. With `most` it counts as automatic, and only that many of its kind are kept. */
    async saveSnapshot(
      projectId: number,
      name: string,
      content: Content,
      actor: string,
      { most, scheduled = false }: { most?: number; scheduled?: boolean } = {},
    ) {
      const isAutomatic = most !== undefined
      const [row] = await db
        .insert(table)
        .values({
          projectId,
          name,
          automatic: isAutomatic,
          scheduled,
          content: await packContent(content),
          spaceCount: content.spaces.length,
          deviceCount: content.devices.length,
          sceneCount: content.scenes.length,
          createBy: actor,
          updateBy: actor,
        })
        .returning(listedColumns)
      if (most !== undefined) await deleteOld(projectId, scheduled, most)
      return row!
    },
    remove: (id: string) => db.delete(table).where(eq(table.id, id)),
  }
}

const scheduleQueries = (db: Db) => ({
  findSchedule: async (projectId: number) =>
    (await db.select().from(schedule).where(eq(schedule.projectId, projectId)))[0],
  setSchedule: (row: typeof schedule.$inferInsert) =>
    db.insert(schedule).values(row).onConflictDoUpdate({ target: schedule.projectId, set: row }),
  endSchedule: (projectId: number) => db.delete(schedule).where(eq(schedule.projectId, projectId)),
  listDue: (dueBefore: string) =>
    db
      .select()
      .from(schedule)
      .where(lte(schedule.nextTime, dueBefore))
      .orderBy(asc(schedule.nextTime)),
  /** Claims a due time; only one of several processes receives true. */
  claim: async (
    { projectId, nextTime }: { projectId: number; nextTime: string },
    nextDueTime: string,
  ) =>
    (
      await db
        .update(schedule)
        .set({ nextTime: nextDueTime })
        .where(and(eq(schedule.projectId, projectId), eq(schedule.nextTime, nextTime)))
        .returning({ projectId: schedule.projectId })
    ).length === 1,
})

/** Queries that write the rows of a cloned project. */
const cloneQueries = (db: Db) => ({
  listSharedCalendarIds: async () =>
    new Map<string | null, string>(
      (await db.select({ id: calendar.id }).from(calendar).where(eq(calendar.projectId, 0))).map(
        ({ id }) => [id, id],
      ),
    ),
  addSpaces: (rows: (typeof space.$inferInsert)[]) => db.insert(space).values(rows),
  addGroups: (rows: (typeof deviceGroup.$inferInsert)[]) => db.insert(deviceGroup).values(rows),
  addScene: (row: typeof scene.$inferInsert) => db.insert(scene).values(row),
  addActions: (rows: (typeof sceneAction.$inferInsert)[]) => db.insert(sceneAction).values(rows),
})

const projectQueries = (db: Db) => ({
  /** Returns whether another project now uses the name stored in the snapshot. */
  isNameTaken: async (projectId: number, { groupName, name }: Content['project']) =>
    (await db.$count(
      project,
      and(
        eq(project.groupName, groupName),
        eq(project.name, name),
        ne(project.projectId, projectId),
      ),
    )) > 0,
  findProject: async (projectId: number) =>
    (await db.select().from(project).where(eq(project.projectId, projectId)))[0],
  /** Locks the project and its spaces, so that no other transaction changes them. */
  async lockProject(projectId: number) {
    await db
      .select({ id: project.projectId })
      .from(project)
      .where(eq(project.projectId, projectId))
      .for('update')
    await db
      .select({ id: space.id })
      .from(space)
      .where(eq(space.projectId, projectId))
      .for('update')
  },
})
