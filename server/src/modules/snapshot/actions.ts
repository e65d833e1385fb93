import type { FastifyInstance } from 'fastify'
import { requireRow, createMissingRefusal, createRefusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import { readConditionDevices } from '../scene/policy'
import { readContent, type Content } from './content'
import { snapshotQueries } from './queries'
import { buildRestoreLines } from './restore'

export const entity = '项目快照'

/** Actions that all calls about snapshots share. */
export function createSnapshotActions({ db }: FastifyInstance) {
  const queries = snapshotQueries(db)

  /**
   * Asserts that the project exists and that the user can see it; both failures give the same error, so that its
   * existence is not revealed.
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
    if (!snapshotId) return readContent(db, projectId)
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
        db,
        [projectId],
        contents.flatMap(({ scenes }) => scenes.flatMap(({ triggers }) => triggers)),
      )),
    ]),
  })
  /** Lists what a restore of the snapshot would change. */
  const planRestore = async (id: string, projectId: number) => {
    const [currentContent, snapshotContent] = [
      await readContent(db, projectId),
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
    return { currentContent, lines }
  }

  return {
    assertProjectVisible,
    getVisibleSnapshot,
    readContentAt,
    readReferenceNames,
    planRestore,
  }
}
