import { isExpired } from '@iot/shared/contract/fields'
import { allProjectsLabel } from '@iot/shared/contract/access/user'
import { User, type UserDraft, type userSchemas } from '@iot/shared/contract/access/user.schema'
import type { z } from 'zod'
import type { Change } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import {
  createConflictRefusal,
  createFieldRefusal,
  createRefusal,
  refusePastExpiry,
  requireRow,
} from '../../core/refusal'
import {
  assertAdministratorRemains,
  assertCanAssign,
  assertCanManage,
  assertPhoneIsFree,
  readAssignables,
  type Assignables,
} from './policy'
import { userQueries, type UserRow } from './queries'

export const entity = '用户'

export async function getUser(tx: Db, id: string, viewer: Context) {
  return requireRow(await userQueries(tx).get(id, viewer), entity)
}

export const insertUser =
  (draft: UserDraft, hash: string, context: Context): WriteCallback<typeof userQueries, string> =>
  async (queries, recordChange, tx) => {
    if (await queries.isUsernameTaken(draft.username))
      throw createFieldRefusal('username', `账号“${draft.username}”已存在`)
    await assertPhoneIsFree(tx, draft.phone)
    assertCanAssign(context, await readAssignables(tx, draft.roleIds), draft)
    const id = await queries.insert(draft, hash, context.user.username)
    recordChange(await describeChange(tx, { after: await getUser(tx, id, context) }))
    return id
  }

export const updateUser =
  (
    draft: z.output<typeof userSchemas.update.input>,
    context: Context,
    /** A change of many users reads these once. */
    assignables?: Assignables,
  ): WriteCallback<typeof userQueries, UserRow> =>
  async (queries, recordChange, tx) => {
    const previousUser = await getUser(tx, draft.id, context)
    await assertCanManage(tx, context, previousUser)
    if (draft.phone !== previousUser.phone) await assertPhoneIsFree(tx, draft.phone)
    assertCanAssign(
      context,
      assignables ?? (await readAssignables(tx, draft.roleIds)),
      draft,
      previousUser,
    )
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

export const removeUser =
  (id: string, context: Context): WriteCallback<typeof userQueries, void> =>
  async (queries, recordChange, tx) => {
    const row = await getUser(tx, id, context)
    if (id === context.user.id) throw createRefusal('不能删除自己')
    if (row.builtin) throw createRefusal('内置用户不能删除')
    await assertCanManage(tx, context, row)
    await queries.remove(id)
    await assertAdministratorRemains(tx)
    recordChange(await describeChange(tx, { before: row }))
  }

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
