import type { Output } from '@iot/shared/contract/endpoint'
import { isExpired } from '@iot/shared/contract/fields'
import { allProjectsLabel } from '@iot/shared/contract/user'
import { User, type UserDraft, UserFileRow, userSchemas } from '@iot/shared/contract/user.schema'
import { userApi } from '@iot/shared/contract/user.api'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Change } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import { listRightGrants } from '../auth/policy/rightGrants'
import { getUserRights } from '../auth/policy/rights'
import { createInitialPassword } from '../auth/policy/newPassword'
import { quickCost } from '../auth/policy/password'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import {
  createConflictRefusal,
  requireRow,
  createRefusal,
  refusePastExpiry,
  createFieldRefusal,
} from '../../core/refusal'
import { serve, type Handlers } from '../../core/http/serve'
import { buildChangeFromLine } from '../../core/http/updateHandlers'
import { createImportHandler } from '../../core/tasks/import'
import { toPasswordPolicy } from '../platformSettings/policy'
import { secondFactorQueries } from '../secondFactor/policy/queries'
import {
  assertCanAssign,
  assertAdministratorRemains,
  assertCanManage,
  assertPhoneIsFree,
  refuseChange,
} from './policy'
import { userQueries, type UserRow } from './queries'
import { toUserDraft, loadNameLookup, sheetColumns } from './sheet'

const entity = '用户'

const readPasswordPolicy = async (app: FastifyInstance, tx?: Db) =>
  toPasswordPolicy(await app.platformSettings.read(tx))

async function getUser(tx: Db, id: string, viewer: Context) {
  return requireRow(await userQueries(tx).get(id, viewer), entity)
}

const insertUser =
  (draft: UserDraft, hash: string, context: Context): WriteCallback<typeof userQueries, string> =>
  async (queries, recordChange, tx) => {
    if (await queries.isUsernameTaken(draft.username))
      throw createFieldRefusal('username', `账号“${draft.username}”已存在`)
    await assertPhoneIsFree(tx, draft.phone)
    await assertCanAssign(tx, context, draft)
    const id = await queries.insert(draft, hash, context.user.username)
    recordChange(await describeChange(tx, { after: await getUser(tx, id, context) }))
    return id
  }

const updateUser =
  (
    draft: z.output<typeof userSchemas.update.input>,
    context: Context,
  ): WriteCallback<typeof userQueries, UserRow> =>
  async (queries, recordChange, tx) => {
    const previousUser = await getUser(tx, draft.id, context)
    await assertCanManage(tx, context, previousUser)
    if (draft.phone !== previousUser.phone) await assertPhoneIsFree(tx, draft.phone)
    await assertCanAssign(tx, context, draft, previousUser)
    if (!(await queries.update(draft, context.user.username)))
      throw createConflictRefusal(await getUser(tx, draft.id, context))
    await assertAdministratorRemains(tx)
    if (draft.id === context.user.id && isExpired(draft.expireTime))
      throw createFieldRefusal('expireTime', '不能让自己的账号过期')
    refusePastExpiry(draft.expireTime, previousUser.expireTime)
    const changedUser = await getUser(tx, draft.id, context)
    recordChange(await describeChange(tx, { before: previousUser, after: changedUser }))
    return changedUser
  }

/** Enables or disables accounts; the last administrator who can sign in stays enabled. */
const setUsersEnabled =
  (
    ids: string[],
    isEnabled: boolean,
    context: Context,
  ): WriteCallback<typeof userQueries, Output<typeof userApi.setEnabled>> =>
  async (queries, recordChange, tx) => {
    const rows = await queries.many(ids, context)
    const remainingAdminIds = new Set(await queries.administrators())
    const reasons = new Map<string, string>()
    for (const row of rows) {
      const reason = isEnabled ? await refuseChange(tx, context, row) : await refuseDisabling(row)
      if (reason) reasons.set(row.id, reason)
      else if (!isEnabled) remainingAdminIds.delete(row.id)
    }
    async function refuseDisabling(row: UserRow) {
      if (row.id === context.user.id) return '不能禁用自己'
      if (remainingAdminIds.has(row.id) && remainingAdminIds.size === 1)
        return '这是最后一个可用的平台管理员'
      return refuseChange(tx, context, row)
    }
    return applyPerRow(
      ids,
      rows,
      (row) => reasons.get(row.id),
      async (allowedRows) => {
        const rowsToChange = allowedRows.filter((row) => row.disabled === isEnabled)
        await queries.setDisabled(getIds(rowsToChange), !isEnabled, context.user.username)
        // Earlier sessions are ended, so that they do not revive when the account is enabled again.
        await queries.kick(getIds(rowsToChange))
        for (const { id, name, disabled } of rowsToChange) {
          const sides = { before: { state: disabled }, after: { state: !disabled } }
          recordChange({ entity, id, name, schema: User, show: stateFormatter, ...sides })
        }
        return new Set(getIds(rowsToChange))
      },
    )
  }

const createImport = (app: FastifyInstance) =>
  createImportHandler(app, userApi.importRows, {
    entity,
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

    importRows: createImport(app),

    update: (draft, context) => context.write(userQueries, updateUser(draft, context)),

    async remove({ id }, context) {
      await context.write(userQueries, async (queries, recordChange, tx) => {
        const row = await getUser(tx, id, context)
        if (id === context.user.id) throw createRefusal('不能删除自己')
        if (row.builtin) throw createRefusal('内置用户不能删除')
        await assertCanManage(tx, context, row)
        await queries.remove(id)
        await assertAdministratorRemains(tx)
        recordChange(await describeChange(tx, { before: row }))
      })
      return null
    },

    setEnabled: ({ ids, enabled }, context) =>
      context.write(userQueries, setUsersEnabled(ids, enabled, context)),

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

const stateFormatter: Change['show'] = { state: (disabled) => (disabled ? '禁用' : '启用') }

async function describeChange(
  tx: Db,
  { before, after }: { before?: UserRow; after?: UserRow },
): Promise<Change> {
  const row = (after ?? before)!
  const projects = new Map((await userQueries(tx).projects()).map(({ id, name }) => [id, name]))
  const show: Change['show'] = {
    projectIds: (ids) =>
      ids === 'all'
        ? [allProjectsLabel]
        : (ids as number[]).length > 0
          ? (ids as number[]).map((id) => projects.get(id) ?? String(id))
          : '没有项目',
  }
  const toOptionalAuditFields = (side?: UserRow) => side && pickAuditFields(side)
  return {
    entity,
    id: row.id,
    name: row.name,
    schema: User,
    show,
    before: toOptionalAuditFields(before),
    after: toOptionalAuditFields(after),
  }
}

const pickAuditFields = ({
  username,
  name,
  phone,
  email,
  roleNames,
  projectIds,
  expireTime,
}: UserRow) => ({ username, name, phone, email, roleIds: roleNames, projectIds, expireTime })
