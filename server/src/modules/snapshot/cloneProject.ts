import type { snapshotSchemas } from '@iot/shared/contract/control/snapshot.schema'
import type { z } from 'zod'
import type { Context, WriteCallback } from '../../core/http/context'
import { insertProjectCopy } from '../project/policy'
import { cloneContent } from './clone'
import type { Content } from './content'
import type { snapshotQueries } from './queries'
import { splitIntoPortions } from './restore'

type ProjectDraft = Omit<z.output<typeof snapshotSchemas.clone.input>, 'id'>
type ClonedProject = z.input<typeof snapshotSchemas.clone.output>

/** Creates a project from the content of a snapshot. */
export const prepareProjectClone =
  (
    content: Content,
    snapshotName: string,
    draft: ProjectDraft,
    context: Context,
  ): WriteCallback<typeof snapshotQueries, ClonedProject> =>
  async (rows, recordAudit, tx) => {
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
      await rows.addSpaces(spacePortion.map((item) => ({ ...item, ...stamps })))
    for (const groupPortion of splitIntoPortions(groups))
      await rows.addGroups(groupPortion.map((item) => ({ ...item, ...stamps })))
    for (const { actions, ...scene } of scenes) {
      await rows.addScene({
        ...scene,
        ...stamps,
        calendarId: sharedCalendarIds.get(scene.calendarId) ?? null,
      })
      await rows.addActions(actions.map((action) => ({ ...action, projectId: project.projectId })))
    }
    recordAudit({
      entity: '项目',
      id: project.id,
      name: `${project.name}，取自“${snapshotName}”`,
    })
    return {
      project,
      spaces: spaces.length,
      scenes: scenes.length,
      leftOut,
    }
  }
