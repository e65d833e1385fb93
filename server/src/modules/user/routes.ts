import { isPast } from '@iot/shared/contract/fields'
import { everyProject, User, userApi, type UserDraft, UserLine } from '@iot/shared/contract/user'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Change } from '../../core/serve/actionLog'
import type { Context, Writing } from '../../core/serve/context'
import type { Db } from '../../core/db/db'
import { generatePassword, hashPassword, quickCost } from '../auth/policy/password'
import { idsOf, perRow } from '../../core/serve/perRow'
import { changedSince, found, refused, refusePastExpiry, wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { changeFrom } from '../../core/serve/savedRow'
import { importer } from '../../core/tasks/import'
import { secondFactorQueries } from '../secondFactor/policy/rows'
import {
  mustAssign,
  mustLeaveAdministrator,
  mustManage,
  phoneMustBeFree,
  refuseChange,
} from './policy'
import { userQueries, type UserRow } from './queries'
import { draftOf, knownIn, sheet } from './sheet'

const entity = '用户'

export function userRoutes(app: FastifyInstance) {
  const queries = userQueries(app.db)
  const find = async (tx: Db, id: string, viewer: Context) => {
    return found(await userQueries(tx).get(id, viewer), entity)
  }

  const insert =
    (draft: UserDraft, hash: string, context: Context): Writing<typeof userQueries, string> =>
    async (queries, note, tx) => {
      if (await queries.nameTaken(draft.username))
        throw wrongField('username', `账号“${draft.username}”已存在`)
      await phoneMustBeFree(tx, draft.phone)
      await mustAssign(tx, context, draft)
      const id = await queries.insert(draft, hash, context.user.username)
      note(await change(tx, { after: await find(tx, id, context) }))
      return id
    }

  const updating =
    (
      draft: z.output<typeof userApi.update.input>,
      context: Context,
    ): Writing<typeof userQueries, UserRow> =>
    async (queries, note, tx) => {
      const before = await find(tx, draft.id, context)
      await mustManage(tx, context, before)
      if (draft.phone !== before.phone) await phoneMustBeFree(tx, draft.phone)
      await mustAssign(tx, context, draft, before)
      if (!(await queries.update(draft, context.user.username)))
        throw changedSince(await find(tx, draft.id, context))
      await mustLeaveAdministrator(tx)
      if (draft.id === context.user.id && isPast(draft.expireTime))
        throw wrongField('expireTime', '不能让自己的账号过期')
      refusePastExpiry(draft.expireTime, before.expireTime)
      const after = await find(tx, draft.id, context)
      note(await change(tx, { before, after }))
      return after
    }

  serve(app, userApi, {
    page: (query, context) => queries.page(query, context),
    get: ({ id }, context) => find(app.db, id, context),

    async create(draft, context) {
      const password = generatePassword()
      const hash = await hashPassword(password)
      return context.write(userQueries, async (queries, note, tx) => {
        const id = await insert(draft, hash, context)(queries, note, tx)
        return { id, password }
      })
    },

    importRows: importer(app, userApi.importRows, {
      entity,
      schema: UserLine,
      sheet,
      queriesOf: userQueries,
      secrets: { name: '初始密码', head: ['账号', '姓名', '初始密码'] },
      hold: knownIn,
      create: (line, _, context, __, known) => async (queries, note, tx) => {
        const password = generatePassword()
        const draft = draftOf(known, line, context)
        await insert(draft, await hashPassword(password, quickCost), context)(queries, note, tx)
        return [draft.username, draft.name, password]
      },
      existing: {
        endpoint: userApi.update,
        key: ({ username }) => username.toLowerCase(),
        async find({ username }, { rows, context }) {
          const id = await rows.idOf(username)
          return id ? rows.get(id, context) : undefined
        },
        change: (before, line, { held, context }) =>
          updating(
            changeFrom(userApi.update, before, draftOf(held, line as UserLine, context)),
            context,
          ),
      },
    }),

    update: (draft, context) => context.write(userQueries, updating(draft, context)),

    async remove({ id }, context) {
      await context.write(userQueries, async (queries, note, tx) => {
        const row = await find(tx, id, context)
        if (id === context.user.id) throw refused('不能删除自己')
        if (row.builtin) throw refused('内置用户不能删除')
        await mustManage(tx, context, row)
        await queries.remove(id)
        await mustLeaveAdministrator(tx)
        note(await change(tx, { before: row }))
      })
      return null
    },

    async setEnabled({ ids, enabled }, context) {
      const result = await context.write(userQueries, async (queries, note, tx) => {
        const rows = await queries.many(ids, context)
        const left = new Set(await queries.administrators())
        const reasons = new Map<string, string>()
        for (const row of rows) {
          const reason = enabled ? await refuseChange(tx, context, row) : await refuseDisabling(row)
          if (reason) reasons.set(row.id, reason)
          else if (!enabled) left.delete(row.id)
        }
        async function refuseDisabling(row: UserRow) {
          if (row.id === context.user.id) return '不能禁用自己'
          if (left.has(row.id) && left.size === 1) return '这是最后一个可用的平台管理员'
          return refuseChange(tx, context, row)
        }
        return perRow(
          ids,
          rows,
          (row) => reasons.get(row.id),
          async (free) => {
            const changing = free.filter((row) => row.disabled === enabled)
            await queries.setDisabled(idsOf(changing), !enabled, context.user.username)
            // Earlier sessions are ended, so that they do not revive when the account is enabled again.
            await queries.kick(idsOf(changing))
            for (const { id, name, disabled } of changing) {
              const sides = { before: { state: disabled }, after: { state: !disabled } }
              note({ entity, id, name, schema: User, show: stateShow, ...sides })
            }
            return new Set(idsOf(changing))
          },
        )
      })
      return result
    },

    async unlock({ id }, context) {
      await context.write(userQueries, async (queries, note, tx) => {
        const row = await find(tx, id, context)
        await mustManage(tx, context, row)
        await queries.unlock(row, context.user.username)
        note({ entity, id, name: row.name })
      })
      return null
    },

    async resetPassword({ id }, context) {
      const password = generatePassword()
      const hash = await hashPassword(password)
      await context.write(userQueries, async (queries, note, tx) => {
        const row = await find(tx, id, context)
        if (id === context.user.id) throw refused('修改自己的密码请用“修改密码”')
        await mustManage(tx, context, row)
        await queries.setPassword(id, hash, context.user.username)
        await queries.unlock(row, context.user.username)
        await queries.kick([id])
        note({ entity, id, name: row.name })
      })
      app.sessions.end(id)
      return { id, password }
    },

    async resetSecondFactor({ id }, context) {
      await context.write(secondFactorQueries, async (factors, note, tx) => {
        const row = await find(tx, id, context)
        if (id === context.user.id) throw refused('自己的两步验证请在“个人中心”关闭')
        await mustManage(tx, context, row)
        if (!(await factors.remove(id))) throw refused('该用户没有开启两步验证')
        // A lost device may still be signed in, so all sessions are ended.
        await userQueries(tx).kick([id])
        const sides = { before: { secondFactor: true }, after: { secondFactor: false } }
        note({ entity, id, name: row.name, schema: User, ...sides })
      })
      app.sessions.end(id)
      return null
    },

    async sessions({ id }, context) {
      await mustManage(app.db, context, await find(app.db, id, context))
      return (await queries.sessions(id)).map((row) => ({ ...row, current: row.id === context.id }))
    },

    async kick({ id }, context) {
      const revoked = await context.write(userQueries, async (queries, note, tx) => {
        const row = await find(tx, id, context)
        if (id === context.user.id) throw refused('不能把自己踢下线')
        await mustManage(tx, context, row)
        note({ entity, id, name: row.name })
        return queries.kick([id])
      })
      return { revoked }
    },
  })
}

const stateShow: Change['show'] = { state: (disabled) => (disabled ? '禁用' : '启用') }

async function change(
  tx: Db,
  { before, after }: { before?: UserRow; after?: UserRow },
): Promise<Change> {
  const row = (after ?? before)!
  const projects = new Map((await userQueries(tx).projects()).map(({ id, name }) => [id, name]))
  const show: Change['show'] = {
    projectIds: (ids) =>
      ids === 'all'
        ? everyProject
        : (ids as number[]).map((id) => projects.get(id) ?? String(id)).join('、') || '没有项目',
  }
  const seen = (side?: UserRow) => side && fieldsOf(side)
  return {
    entity,
    id: row.id,
    name: row.name,
    schema: User,
    show,
    before: seen(before),
    after: seen(after),
  }
}

const fieldsOf = ({
  username,
  name,
  phone,
  email,
  roleNames,
  projectIds,
  expireTime,
}: UserRow) => ({ username, name, phone, email, roleIds: roleNames, projectIds, expireTime })
