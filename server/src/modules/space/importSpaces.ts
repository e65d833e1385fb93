import { spaceApi } from '@iot/shared/contract/project/space.api'
import { spaceTypeText } from '@iot/shared/contract/project/spaceTree'
import { createGrowingTree, findRowsByPath } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { createFieldRefusal } from '../../core/refusal'
import { createImportHandler, type ImportPortion } from '../../core/tasks/import'
import type { ImportInput } from '../../core/tasks/serveImport'
import { findParentId, getDepthOrder } from '../../core/tasks/treeSheet'
import { snapshotBefore } from '../snapshot/policy'
import { entity, writeNewSpace } from './actions'
import { spaceQueries } from './queries'
import { sheet, SpaceLine } from './sheet'

type SpaceImportInput = ImportInput & { projectId: number }

/** Creates the handler that creates spaces from a file. */
export const importSpaces = (app: FastifyInstance) =>
  createImportHandler(app, spaceApi.importRows, {
    entity,
    removal: spaceApi.removeMany,
    schema: SpaceLine,
    sheet,
    createQueries: spaceQueries,
    order: getDepthOrder,
    async preload(
      rows,
      {
        drafts,
        importedCount: createdCount,
        by: actor,
        ...portion
      }: ImportPortion<typeof SpaceLine, SpaceImportInput>,
      tx,
    ) {
      const { projectId } = portion.input
      const treeState = createGrowingTree(await rows.treeInProject(projectId).lockAll())
      const isNew = ({ parent, name }: SpaceLine) =>
        findRowsByPath(treeState.tree, parent ? `${parent}/${name}` : name).length === 0
      if (createdCount === 0 && drafts.some(isNew))
        await snapshotBefore(tx, projectId, `导入${entity}`, actor)
      return treeState
    },
    create:
      ({ parent, ...line }, actor, _, { projectId }: SpaceImportInput, { tree, add }) =>
      async (rows, recordAudit, tx) => {
        const draft = { ...line, projectId, parentId: findParentId(tree, parent, entity) }
        add(await writeNewSpace(draft, tree, actor)(rows, recordAudit, tx))
      },
    existing: {
      endpoint: spaceApi.update,
      key: ({ parent, name }) => JSON.stringify([parent, name]),
      find({ parent, name }, { preloaded: { tree } }) {
        const parentId = findParentId(tree, parent, entity)
        return tree.children(parentId).find((row) => row.name === name)
      },
      // A file row for an existing space changes nothing; its type must match.
      change:
        (previousSpace, { type }) =>
        async () => {
          if (type !== previousSpace.type)
            throw createFieldRefusal(
              'type',
              `已有的“${previousSpace.name}”是${spaceTypeText[previousSpace.type]}，类型不能修改`,
            )
        },
    },
  })
