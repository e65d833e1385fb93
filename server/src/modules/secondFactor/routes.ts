import { secondFactorSchemas } from '@iot/shared/contract/access/secondFactor.schema'
import { secondFactorApi } from '@iot/shared/contract/access/secondFactor.api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import { createRefusal, createFieldRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { isCorrectPassword, requireSecret, requirePassword } from '../auth/policy/requirePassword'
import {
  consumeCode,
  hashRecoveryCode,
  generateRecoveryCodes,
  generateSecret,
  findTimeStep,
  createTotp,
  wrongCodeRefusal,
} from './policy/codes'
import { secondFactorQueries } from './policy/queries'
import { hasRoleWithSecondFactor } from './policy/requirement'

const alreadyActiveRefusal = () => createRefusal('两步验证已开启，请刷新')
const notActiveRefusal = () => createRefusal('两步验证没有开启，请刷新')

export function secondFactorRoutes(app: FastifyInstance) {
  const queries = secondFactorQueries(app.db)
  const toAuditSubject = ({ user: { id, name } }: Context) => ({ entity: '用户', id, name })
  const toAuditState = (isOn: boolean) => ({ 两步验证: isOn ? '已开启' : '未开启' })

  serve(app, secondFactorApi, secondFactorSchemas, {
    async get(_, { user }) {
      const row = await queries.findActive(user.id)
      return { since: row?.since ?? null, recoveryLeft: row?.recovery.length ?? 0 }
    },

    async enrol({ password }, context) {
      await requirePassword(app.db, context, 'password', password)
      const secret = generateSecret()
      const { name } = await app.platformSettings.read()
      if (!(await queries.enrol(context.user.id, secret))) throw alreadyActiveRefusal()
      context.recordChange(toAuditSubject(context))
      return { secret, uri: createTotp(secret, context.user.username, name).toString() }
    },

    async confirm({ code }, context) {
      const row = await queries.findByUser(context.user.id)
      if (!row) throw createRefusal('请先绑定身份验证器')
      if (row.since) throw alreadyActiveRefusal()
      const step = findTimeStep(row.secret, code)
      if (step === undefined)
        throw createFieldRefusal('code', '动态验证码不正确，请核对手机时间后输入新的一组')
      const recoveryCodes = generateRecoveryCodes()
      await context.write(secondFactorQueries, async (rows, recordAudit) => {
        const ok = await rows.confirm(
          row.userId,
          row.secret,
          step,
          recoveryCodes.map(hashRecoveryCode),
        )
        if (!ok) throw alreadyActiveRefusal()
        await rows.settleEnrolment(row.userId)
        recordAudit({
          ...toAuditSubject(context),
          before: toAuditState(false),
          after: toAuditState(true),
        })
      })
      app.sessions.end(context.user.id)
      return { recoveryCodes }
    },

    async renew(proof, context) {
      await assertPasswordAndCode(app.db, context, proof)
      const recoveryCodes = generateRecoveryCodes()
      await queries.setRecoveryCodes(context.user.id, recoveryCodes.map(hashRecoveryCode))
      context.recordChange(toAuditSubject(context))
      return { recoveryCodes }
    },

    async disable(proof, context) {
      const settings = await app.platformSettings.read()
      if (await hasRoleWithSecondFactor(app.db, settings, context.user.id))
        throw createRefusal('您的角色必须使用两步验证，不能关闭；更换手机请联系管理员重置')
      await assertPasswordAndCode(app.db, context, proof)
      await context.write(secondFactorQueries, async (rows, recordAudit) => {
        if (!(await rows.remove(context.user.id))) throw notActiveRefusal()
        recordAudit({
          ...toAuditSubject(context),
          before: toAuditState(true),
          after: toAuditState(false),
        })
      })
      return null
    },
  })
}

/** Asserts password and code, so that neither an open session nor a password alone can remove the second factor. */
async function assertPasswordAndCode(
  db: Db,
  context: Context,
  { password, code }: { password: string; code: string },
) {
  const queries = secondFactorQueries(db)
  const row = await queries.findActive(context.user.id)
  if (!row) throw notActiveRefusal()
  await requireSecret(db, context, async () => {
    if (!(await isCorrectPassword(db, context, password)))
      return createFieldRefusal('password', '密码不正确')
    return (await consumeCode(queries, row, code)) ? undefined : wrongCodeRefusal()
  })
}
