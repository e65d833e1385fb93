import { maxPreviewLines } from '@iot/shared/contract/control/snapshot'
import type { snapshotSchemas } from '@iot/shared/contract/control/snapshot.schema'
import type { FastifyInstance } from 'fastify'
import { transaction, type Db } from '../../core/db/db'
import { requireRow, createRefusal } from '../../core/refusal'
import type { Handlers } from '../../core/http/serve'
import { startUserTask } from '../../core/tasks/startUserTask'
import { createSnapshotActions, entity } from './actions'
import { readContent, hashContent } from './content'
import { reschedule } from './policy'
import { maxSnapshotsBeforeChanges, snapshotQueries } from './queries'
import { applyContent } from './restore'

type RestoreHandlers = Pick<Handlers<typeof snapshotSchemas>, 'preview' | 'restore'>
const changedMeanwhileMessage = '预演之后项目又有修改，请重新预演'

/** Handlers that show what a restore would change, and restore a project. */
export function createRestoreHandlers(app: FastifyInstance): RestoreHandlers {
  const queries = snapshotQueries(app.db)
  const { getVisibleSnapshot, planRestore } = createSnapshotActions(app)

  return {
    async preview({ id }, context) {
      const { projectId } = await getVisibleSnapshot(id, context)
      const { currentContent, lines } = await planRestore(id, projectId)
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
      const { currentContent, lines } = await planRestore(id, projectId)
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
            const deviceIds = await restoreSnapshot(tx, snapshot, state, username)
            await step.progress({ counts: { success: total } }, tx)
            return deviceIds
          })
          // Cached data of the changed devices is dropped.
          await app.devices.forget(await queries.listIdentities(changedDeviceIds), false)
          app.rights.emit('changed')
          return {}
        },
      )
    },
  }
}

/**
 * Restores a project to a snapshot, after a snapshot of its present content.
 * @returns the ids of the changed devices
 * @throws if the content no longer has the hash that the user saw in the preview
 */
async function restoreSnapshot(
  tx: Db,
  { id, projectId, name }: { id: string; projectId: number; name: string },
  previewedHash: string,
  username: string,
) {
  const rows = snapshotQueries(tx)
  await rows.lockProject(projectId)
  const contentBefore = await readContent(tx, projectId)
  if (hashContent(contentBefore) !== previewedHash) throw createRefusal(changedMeanwhileMessage)
  const snapshotContent = requireRow(await rows.readRestorableContent(id), '快照')
  await rows.saveSnapshot(projectId, `恢复“${name}”之前`.slice(0, 64), contentBefore, username, {
    most: maxSnapshotsBeforeChanges,
  })
  const devices = await applyContent({
    tx,
    projectId,
    current: contentBefore,
    snapshot: snapshotContent,
    actor: username,
  })
  const { timeZone } = snapshotContent.project
  if (timeZone !== contentBefore.project.timeZone) await reschedule(tx, projectId, timeZone)
  return devices
}
