import { User, UserFileRow, userSchemas } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import { serve, type Handlers } from '../../core/http/serve'
import { buildChangeFromLine } from '../../core/http/updateHandlers'
import { createRefusal } from '../../core/refusal'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { createInitialPassword } from '../auth/policy/newPassword'
import { quickCost } from '../auth/policy/password'
import { listRightGrants } from '../auth/policy/rightGrants'
import { getUserRights } from '../auth/policy/rights'
import { toPasswordPolicy } from '../platformSettings/policy'
import { secondFactorQueries } from '../secondFactor/policy/queries'
import { assignUsers, removeUsers, setUsersEnabled } from './bulkChanges'
import { entity, getUser, insertUser, removeUser, updateUser } from './changes'
import { assertCanManage } from './policy'
import { userQueries, type PageQuery } from './queries'
import { createFileRowFormatter, toUserDraft, loadNameLookup, sheetColumns } from './sheet'

const readPasswordPolicy = async (app: FastifyInstance, tx?: Db) =>
  toPasswordPolicy(await app.platformSettings.read(tx))

/** The file holds the accounts that the user may see, in the columns that an import reads. */
const createExport = (app: FastifyInstance, context: Context) =>
  createExportHandler(app, userApi.exportRows, {
    entity,
    sheet: sheetColumns,
    async page(query: PageQuery) {
      const queries = userQueries(app.db)
      const { list, ...count } = await queries.page(query, context)
      return { list: list.map(createFileRowFormatter(await queries.projects(), context)), ...count }
    },
  })

const createImport = (app: FastifyInstance) =>
  createImportHandler(app, userApi.importRows, {
    entity,
    removal: userApi.removeMany,
    schema: UserFileRow,
    sheet: sheetColumns,
    createQueries: userQueries,
    secrets: { name: '初始密码', head: ['账号', '姓名', '初始密码'] },
    preload: loadNameLookup,
    create: (line, _, context, __, lookup) => async (queries, recordChange, tx) => {
      const draft = toUserDraft(lookup, line, context)
      const { password, hash } = await createInitialPassword(
        await readPasswordPolicy(app, tx),
        draft,
        quickCost,
      )
      await insertUser(draft, hash, context)(queries, recordChange, tx)
      return [draft.username, draft.name, password]
    },
    existing: {
      endpoint: userApi.update,
      key: ({ username }) => username.toLowerCase(),
      async find({ username }, { rows, context }) {
        const id = await rows.findIdByUsername(username)
        return id ? rows.get(id, context) : undefined
      },
      change: (previousUser, line, { preloaded: lookup, context }) =>
        updateUser(
          buildChangeFromLine(
            userSchemas.update,
            previousUser,
            toUserDraft(lookup, line as UserFileRow, context),
          ),
          context,
        ),
    },
  })

/** Creates the handlers by which an administrator lets a user sign in again. */
const createCredentialHandlers = (
  app: FastifyInstance,
): Pick<Handlers<typeof userSchemas>, 'unlock' | 'resetPassword' | 'resetSecondFactor'> => ({
  async unlock({ id }, context) {
    await context.write(userQueries, async (queries, recordChange, tx) => {
      const row = await getUser(tx, id, context)
      await assertCanManage(tx, context, row)
      await queries.unlock(row, context.user.username)
      recordChange({ entity, id, name: row.name })
    })
    return null
  },

  async resetPassword({ id }, context) {
    const owner = await getUser(app.db, id, context)
    const { password, hash } = await createInitialPassword(await readPasswordPolicy(app), owner)
    await context.write(userQueries, async (queries, recordChange, tx) => {
      const row = await getUser(tx, id, context)
      if (id === context.user.id) throw createRefusal('修改自己的密码请用“修改密码”')
      await assertCanManage(tx, context, row)
      await queries.setPassword(id, hash, context.user.username)
      await queries.unlock(row, context.user.username)
      await queries.kick([id])
      recordChange({ entity, id, name: row.name })
    })
    app.sessions.end(id)
    return { id, password }
  },

  async resetSecondFactor({ id }, context) {
    await context.write(secondFactorQueries, async (factors, recordChange, tx) => {
      const row = await getUser(tx, id, context)
      if (id === context.user.id) throw createRefusal('自己的两步验证请在“个人中心”关闭')
      await assertCanManage(tx, context, row)
      if (!(await factors.remove(id))) throw createRefusal('该用户没有开启两步验证')
      // A lost device may still be signed in, so all sessions are ended.
      await userQueries(tx).kick([id])
      const sides = { before: { secondFactor: true }, after: { secondFactor: false } }
      recordChange({ entity, id, name: row.name, schema: User, ...sides })
    })
    app.sessions.end(id)
    return null
  },
})

export function userRoutes(app: FastifyInstance) {
  const queries = userQueries(app.db)

  serve(app, userApi, userSchemas, {
    page: (query, context) => queries.page(query, context),
    get: ({ id }, context) => getUser(app.db, id, context),

    async create(draft, context) {
      const { password, hash } = await createInitialPassword(await readPasswordPolicy(app), draft)
      return context.write(userQueries, async (queries, recordChange, tx) => {
        const id = await insertUser(draft, hash, context)(queries, recordChange, tx)
        return { id, password }
      })
    },

    exportRows: (input, context) => createExport(app, context)(input, context),
    importRows: createImport(app),

    update: (draft, context) => context.write(userQueries, updateUser(draft, context)),

    async remove({ id }, context) {
      await context.write(userQueries, removeUser(id, context))
      return null
    },

    setEnabled: ({ ids, enabled }, context) =>
      context.write(userQueries, setUsersEnabled(ids, enabled, context)),
    removeMany: ({ ids }, context) => context.write(userQueries, removeUsers(ids, context)),
    assign: (assignment, context) => context.write(userQueries, assignUsers(assignment, context)),

    ...createCredentialHandlers(app),

    async rights({ id }, context) {
      const { projectScope } = await getUserRights(app.db, await getUser(app.db, id, context))
      const roles = await queries.allRoles()
      return { roles, projectScope, rights: await listRightGrants(app.db) }
    },

    async sessions({ id }, context) {
      await assertCanManage(app.db, context, await getUser(app.db, id, context))
      return (await queries.sessions(id)).map((row) => ({ ...row, current: row.id === context.id }))
    },

    async kick({ id }, context) {
      const revoked = await context.write(userQueries, async (queries, recordChange, tx) => {
        const row = await getUser(tx, id, context)
        if (id === context.user.id) throw createRefusal('不能把自己踢下线')
        await assertCanManage(tx, context, row)
        recordChange({ entity, id, name: row.name })
        return queries.kick([id])
      })
      return { revoked }
    },
  })
}
