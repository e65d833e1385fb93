import type {
  SceneAction,
  SceneDraft,
  SceneRun,
  SceneScope,
} from '@iot/shared/contract/control/scene.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { isDeepStrictEqual } from 'node:util'
import { and, asc, desc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import { versionedQueries } from '../../core/db/versionedQueries'
import { now } from '../../tables/columns'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { project } from '../../tables/project'
import { scene, sceneAction, sceneCondition, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { getGroupMembers } from '../deviceGroup/policy'
import { sceneReferenceQueries } from './referenceQueries'

export type SceneRow = typeof scene.$inferSelect
export type SceneWithActions = SceneRow & { actions: SceneAction[] }
type SceneKey = { projectId: number; id: string }

/** These columns decide when a scene starts by itself. */
const timingColumns = [
  'status',
  'triggers',
  'calendarId',
  'dayMode',
  'dayTypes',
  'silenceMinutes',
  'quietFrom',
  'quietTo',
] as const
const changesTiming = (row: SceneRow, draft: Pick<SceneDraft, (typeof timingColumns)[number]>) =>
  timingColumns.some((name) => !isDeepStrictEqual(row[name], draft[name]))

/** Reads and writes scenes with their actions. */
const sceneRowQueries = (db: Db) => {
  const { insert, update, get, ...rows } = versionedQueries(db, scene)
  const findActions = (projectId: number, sceneIds: string[]) =>
    db
      .select()
      .from(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), inArray(sceneAction.sceneId, sceneIds)))
      .orderBy(asc(sceneAction.sort))
  const withActions = async (row: SceneRow): Promise<SceneWithActions> => ({
    ...row,
    actions: (await findActions(row.projectId, [row.id])).map(
      ({ productType: type, scope, values, delay }) => ({
        productType: type,
        scope,
        values,
        delay,
      }),
    ),
  })
  async function replaceActions({ projectId, id }: SceneKey, actions: SceneAction[]) {
    await db
      .delete(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), eq(sceneAction.sceneId, id)))
    const values = actions.map((action, index) => ({
      ...action,
      projectId,
      sceneId: id,
      sort: index + 1,
    }))
    await db.insert(sceneAction).values(values)
  }

  return {
    ...rows,
    async get(id: string): Promise<SceneWithActions | undefined> {
      const row = await get(id)
      return row && withActions(row)
    },
    async insert({ actions, ...draft }: SceneDraft & { projectId: number }, actor: string) {
      const row = await insert(draft, actor)
      await replaceActions(row, actions)
      return withActions(row)
    },
    async update(
      { actions, ...change }: SceneDraft & { id: string; version: number },
      actor: string,
    ) {
      const previousRow = await get(change.id)
      const hasNewTiming = previousRow && changesTiming(previousRow, change)
      const row = await update({ ...change, ...(hasNewTiming && { timingTime: now() }) }, actor)
      if (!row) return undefined
      await replaceActions(row, actions)
      return withActions(row)
    },
    setAll: (ids: string[], change: { status: SceneRow['status'] }, actor: string) =>
      rows.setAll(ids, { ...change, timingTime: now() }, actor),
    /** @param ids limits the list to these scenes */
    page: (scope: 'all' | number[], page: PageQuery, ids?: string[]) => {
      const where = and(
        scope === 'all' ? undefined : inArray(scene.projectId, scope),
        ids && inArray(scene.id, ids),
      )
      return readPage(db, scene, where, page, ({ limit, offset }) =>
        db
          .select()
          .from(scene)
          .where(where)
          .orderBy(asc(scene.projectId), asc(scene.sort), asc(scene.id))
          .limit(limit)
          .offset(offset),
      )
    },
    isNameTaken: async (projectId: number, name: string, id?: string) =>
      (await db.$count(
        scene,
        and(
          eq(scene.projectId, projectId),
          eq(scene.name, name),
          id ? ne(scene.id, id) : undefined,
        ),
      )) > 0,
    listSceneIds: async (projectId: number) =>
      (await db.select({ id: scene.id }).from(scene).where(eq(scene.projectId, projectId))).map(
        ({ id }) => id,
      ),
    listActions: findActions,
  }
}

/** Reads what scenes can refer to: devices, spaces, product types, groups and the project. */
const sceneFactQueries = (db: Db) => ({
  listSpaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId)),
  /** Lists the devices that scenes can control; protected circuits are excluded. */
  listControllableDevices: (projectId: number) =>
    db
      .select({ id: device.id, spaceId: device.spaceId, productType: product.productType })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, projectId), eq(device.protected, false))),
  /** Lists all devices of a project with the columns that decide whether an action can apply to them. */
  listActionDevices: (projectId: number) =>
    db
      .select({
        id: device.id,
        name: device.name,
        spaceId: device.spaceId,
        protected: device.protected,
        productId: product.id,
        productName: product.name,
        productType: product.productType,
        isDisabled: sql<boolean>`${device.state} = 'disabled'`,
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(eq(device.projectId, projectId))
      .orderBy(asc(device.name), asc(device.id)),
  readLiveValues: (projectId: number, ids: string[]) =>
    db
      .select({
        id: device.id,
        state: device.state,
        reported: device.reported,
        stale: device.stale,
      })
      .from(device)
      .where(and(eq(device.projectId, projectId), inArray(device.id, ids))),
  findModels: async (ids: string[]) =>
    new Map(
      (
        await db
          .select({ id: product.id, model: product.model })
          .from(product)
          .where(inArray(product.id, ids))
      ).map(({ id, model }) => [id, model]),
    ),
  listTypeNames: async () =>
    new Map(
      (await db.select({ code: productType.code, name: productType.name }).from(productType)).map(
        ({ code, name }) => [code, name],
      ),
    ),
  /** Returns the current members of the groups among these scopes. */
  listGroupMembers: (projectId: number, scopes: SceneScope[]) =>
    getGroupMembers(
      db,
      projectId,
      scopes.flatMap((scope) => getScopePlaces(scope).groupIds),
    ),
  findProject: async (projectId: number) =>
    (
      await db
        .select({
          name: project.name,
          longitude: project.longitude,
          latitude: project.latitude,
          calendarId: project.calendarId,
          timeZone: project.timeZone,
        })
        .from(project)
        .where(eq(project.projectId, projectId))
    )[0],
})

/** Reads what the scheduler and the conditions need: scenes with triggers, the run log and condition states. */
const sceneRunQueries = (db: Db) => {
  const findLastRuns = (sceneIds: string[], excludedStatuses: SceneRun['status'][]) =>
    db
      .selectDistinctOn([sceneRun.sceneId])
      .from(sceneRun)
      .where(
        and(inArray(sceneRun.sceneId, sceneIds), notInArray(sceneRun.status, excludedStatuses)),
      )
      .orderBy(sceneRun.sceneId, desc(sceneRun.id))

  return {
    /** Lists enabled scenes that have triggers. */
    listTimed: (scope: 'all' | number[] = 'all') =>
      db
        .select()
        .from(scene)
        .where(
          and(
            eq(scene.status, 'enabled'),
            ne(scene.triggers, []),
            scope === 'all' ? undefined : inArray(scene.projectId, scope),
          ),
        )
        .orderBy(asc(scene.projectId), asc(scene.sort), asc(scene.id)),
    listLastRuns: (sceneIds: string[]) => findLastRuns(sceneIds, ['skipped']),
    /**
     * Returns the last run of each scene, as its silence period counts it. Missed runs do not count. The due time is
     * used,
     * because a run starts a moment after its minute and its silence period would otherwise reach into the next one.
     */
    async getLastRunTimes(sceneIds: string[]) {
      const runs = sceneIds.length > 0 ? await findLastRuns(sceneIds, ['skipped', 'missed']) : []
      return new Map(
        runs.map((run) => [run.sceneId, Date.parse(run.dueTime ?? run.createTime)] as const),
      )
    },
    listRuns(projectId: number, sceneId: string, page: PageQuery) {
      const where = and(eq(sceneRun.projectId, projectId), eq(sceneRun.sceneId, sceneId))
      return readPage(db, sceneRun, where, page, ({ limit, offset }) =>
        db
          .select()
          .from(sceneRun)
          .where(where)
          .orderBy(desc(sceneRun.id))
          .limit(limit)
          .offset(offset),
      )
    },

    /** Deletes the stored condition states; a condition that holds now must become false before it starts the scene. */
    forgetConditions: ({ projectId, id }: SceneKey) =>
      db
        .delete(sceneCondition)
        .where(and(eq(sceneCondition.projectId, projectId), eq(sceneCondition.sceneId, id))),
  }
}

export const sceneQueries = (db: Db) => ({
  ...sceneRowQueries(db),
  ...sceneFactQueries(db),
  ...sceneReferenceQueries(db),
  ...sceneRunQueries(db),
})
export type SceneQueries = ReturnType<typeof sceneQueries>
