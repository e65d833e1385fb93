import type { spaceSchemas } from '@iot/shared/contract/project/space.schema'
import { createTree } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import { requireRow, createRefusal } from '../../core/refusal'
import type { Handlers } from '../../core/http/serve'
import { assertNameIsFree, entity, getVisibleSpace, toAuditEntry, toAuditFields } from './actions'
import { spaceQueries } from './queries'

/** Handler that copies a floor with all spaces in it, without their devices. */
export const copyFloor: Handlers<typeof spaceSchemas>['copy'] = ({ id, name }, context) =>
  context.write(spaceQueries, async (rows, recordAudit) => {
    const { projectId } = await getVisibleSpace(id, context, rows)
    const { username } = context.user
    const tree = createTree(await rows.treeInProject(projectId).lockAll())
    const source = requireRow(tree.get(id), entity)
    if (source.type !== 'floor') throw createRefusal('只有楼层可以复制')
    assertNameIsFree(tree, source.parentId, name)
    const ids = new Map([...tree.within(id)].map((sourceId) => [sourceId, uuidv7()]))
    const stamps = { createBy: username, updateBy: username, version: 1 }
    const freshFields = { createTime: undefined, updateTime: undefined, ...stamps }
    const row = await rows.add({ ...source, ...freshFields, id: ids.get(id)!, name }, username)
    const descendants = tree
      .ordered()
      .filter((candidate) => candidate.id !== id && ids.has(candidate.id))
    if (descendants.length > 0)
      await rows.addAll(
        descendants.map((descendant) => ({
          ...descendant,
          ...freshFields,
          id: ids.get(descendant.id)!,
          parentId: ids.get(descendant.parentId!)!,
        })),
      )
    recordAudit(toAuditEntry(row, { after: toAuditFields(tree, row) }))
    return row
  })
