import { secondFactorApi } from '@iot/shared/contract/secondFactor'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/serve/context'
import type { Db } from '../../core/db/db'
import { refused, wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { knowsPassword, mustKnow, mustKnowPassword } from '../auth/policy/mustKnow'
import {
  accepts,
  hashCode,
  newRecoveryCodes,
  newSecret,
  stepOf,
  totpOf,
  wrongCode,
} from './policy/codes'
import { secondFactorQueries } from './policy/rows'

const isActive = () => refused('两步验证已开启，请刷新')
const isNotActive = () => refused('两步验证没有开启，请刷新')

export function secondFactorRoutes(app: FastifyInstance) {
  const queries = secondFactorQueries(app.db)
  const about = ({ user: { id, name } }: Context) => ({ entity: '用户', id, name })
  const state = (on: boolean) => ({ 两步验证: on ? '已开启' : '未开启' })

  serve(app, secondFactorApi, {
    async get(_, { user }) {
      const row = await queries.activeOf(user.id)
      return { since: row?.since ?? null, recoveryLeft: row?.recovery.length ?? 0 }
    },

    async enrol({ password }, context) {
      await mustKnowPassword(app.db, context, 'password', password)
      const secret = newSecret()
      if (!(await queries.enrol(context.user.id, secret))) throw isActive()
      context.note(about(context))
      return { secret, uri: totpOf(secret, context.user.username).toString() }
    },

    async confirm({ code }, context) {
      const row = await queries.of(context.user.id)
      if (!row) throw refused('请先绑定身份验证器')
      if (row.since) throw isActive()
      const step = stepOf(row.secret, code)
      if (step === undefined)
        throw wrongField('code', '动态验证码不正确，请核对手机时间后输入新的一组')
      const recoveryCodes = newRecoveryCodes()
      await context.write(secondFactorQueries, async (rows, note) => {
        const ok = await rows.confirm(row.userId, row.secret, step, recoveryCodes.map(hashCode))
        if (!ok) throw isActive()
        note({ ...about(context), before: state(false), after: state(true) })
      })
      return { recoveryCodes }
    },

    async renew(proof, context) {
      await mustProve(app.db, context, proof)
      const recoveryCodes = newRecoveryCodes()
      await queries.setRecovery(context.user.id, recoveryCodes.map(hashCode))
      context.note(about(context))
      return { recoveryCodes }
    },

    async disable(proof, context) {
      await mustProve(app.db, context, proof)
      await context.write(secondFactorQueries, async (rows, note) => {
        if (!(await rows.remove(context.user.id))) throw isNotActive()
        note({ ...about(context), before: state(true), after: state(false) })
      })
      return null
    },
  })
}

/** Asserts password and code, so that neither an open session nor a password alone can remove the second factor. */
async function mustProve(
  db: Db,
  context: Context,
  { password, code }: { password: string; code: string },
) {
  const queries = secondFactorQueries(db)
  const row = await queries.activeOf(context.user.id)
  if (!row) throw isNotActive()
  await mustKnow(db, context, async () => {
    if (!(await knowsPassword(db, context, password))) return wrongField('password', '密码不正确')
    return (await accepts(queries, row, code)) ? undefined : wrongCode()
  })
}
