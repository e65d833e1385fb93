import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { captchaModeText } from '@iot/shared/contract/platform/platformSettings'
import {
  PlatformSettings,
  platformSettingsSchemas,
  type CaptchaMode,
} from '@iot/shared/contract/platform/platformSettings.schema'
import type { FastifyInstance } from 'fastify'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { assertPicturesExist } from '../../core/http/pictures'
import { serve } from '../../core/http/serve'
import type { Db } from '../../core/db/db'
import { nameAuthor } from '../../core/db/personNames'
import {
  createConflictRefusal,
  createFieldRefusal,
  createMissingRefusal,
  requireRow,
} from '../../core/refusal'
import { platformSettingsQueries, type SettingsRow } from './queries'

const entity = '平台设置'
type Change = Partial<SettingsRow> & Pick<SettingsRow, 'id' | 'version'>

export function platformSettingsRoutes(app: FastifyInstance) {
  const queries = platformSettingsQueries(app.db)

  function save(change: Change, context: Context) {
    return context.write(platformSettingsQueries, async (rows, recordChange, tx) => {
      const previousRow = requireRow(await rows.find(), entity)
      if (change.id !== previousRow.id) throw createMissingRefusal(entity)
      await assertPicturesExist(tx, change, previousRow)
      const row = await rows.update(change, context.user.username)
      if (!row) throw createConflictRefusal(requireRow(await rows.find(), entity))
      recordChange(await describeChange(tx, previousRow, row))
      return nameAuthor(tx, row, 'updateBy')
    })
  }

  serve(app, platformSettingsApi, platformSettingsSchemas, {
    read: async () => nameAuthor(app.db, requireRow(await queries.find(), entity), 'updateBy'),
    roles: () => queries.listRoles(),
    updateBranding: save,
    async updatePolicy(change, context) {
      const { secondFactorRoleIds } = change
      const existingRoleIds = await queries.findExistingRoleIds(secondFactorRoleIds)
      if (existingRoleIds.length !== secondFactorRoleIds.length)
        throw createFieldRefusal('secondFactorRoleIds', '所选角色不存在或已被删除')
      return save(change, context)
    },
  })
}

async function describeChange(tx: Db, before: SettingsRow, after: SettingsRow) {
  const roles = await platformSettingsQueries(tx).listRoles()
  const nameById = new Map(roles.map(({ id, name }) => [id, name]))
  return createChangeDescriber(entity, PlatformSettings, {
    captcha: (mode) => captchaModeText[mode as CaptchaMode],
    secondFactorRoleIds: (ids) =>
      (ids as string[]).map((id) => nameById.get(id) ?? id).join('、') || '没有',
  })({ id: after.id, name: entity }, { before, after })
}
