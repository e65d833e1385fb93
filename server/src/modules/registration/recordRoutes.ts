import { registrationStateText } from '@iot/shared/contract/device/registration'
import {
  type RegistrationRecord,
  type RegistrationState,
  registrationRecordSchemas,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import {
  requireRow,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { insertDevice, productDisabledText } from '../../device-access/registration/registration'
import { boundElsewhereText } from '../../device-access/topology/attemptRecorder'
import { assertProjectAllows } from '../project/policy'
import { recordQueries } from './recordQueries'
import { ruleQueries } from './ruleQueries'
import { recordSheet } from './sheet'

const entity = '注册记录'
type RecordQueries = ReturnType<typeof recordQueries>
type DeviceFields = Parameters<RecordQueries['assignDevice']>[1]
type ApprovalInput = z.output<typeof registrationRecordSchemas.approve.input>
type Approval = {
  identity: { productKey: string; deviceName: string }
  /** The device belonged to this gateway before; null if the approval does not change the gateway. */
  previousGatewayId: string | null
}

export function recordRoutes(app: FastifyInstance) {
  const records = recordQueries(app.db)
  async function pageRecords(query: Parameters<typeof records.page>[0]) {
    const { list, ...count } = await records.page(query)
    return { ...count, list: list.map(toResponseRecord) }
  }

  serve(app, registrationRecordApi, registrationRecordSchemas, {
    async page(query, { seesProject }) {
      if (!seesProject(query.projectId)) throw createMissingRefusal('项目')
      return pageRecords(query)
    },
    async exportRows(query, context) {
      if (!context.seesProject(query.projectId)) throw createMissingRefusal('项目')
      const file = { entity, sheet: recordSheet, page: pageRecords }
      return createExportHandler(app, registrationRecordApi.exportRows, file)(query, context)
    },
    async dropped({ projectId }, { seesProject }) {
      if (!seesProject(projectId)) throw createMissingRefusal('项目')
      return records.listDropped(projectId)
    },
    async approve(input, context) {
      const { projectId } = input
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      await assertProjectAllows(app.db, projectId, 'register')
      const { identity, previousGatewayId } = await context.write(
        recordQueries,
        prepareApproval(input, context.user.username),
      )
      await app.devices.forget([identity], true)
      if (previousGatewayId) await app.devices.notify([identity], 'unbound', previousGatewayId)
      await app.devices.notify([identity], 'bound')
      return null
    },
    async reject({ ids, projectId, states, reason }, context) {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      return context.write(recordQueries, async (rows, recordAudit) => {
        const list = (await rows.lockRecords(projectId, ids)).map(addRowName)
        const getRefusal = (row: (typeof list)[number]) =>
          row.state === 'done' || row.state === 'approved'
            ? '已经注册，不能拒绝'
            : getStaleRefusal(row, { state: states?.[row.id] }, '拒绝')
        return applyPerRow(ids, list, getRefusal, async (rejectableRows) => {
          const rejectionReason = reason ? `已被拒绝：${reason}` : '已被拒绝'
          await rows.markRefused(
            projectId,
            getIds(rejectableRows),
            rejectionReason,
            context.user.username,
          )
          for (const { id, name } of rejectableRows)
            recordAudit({ entity, id, name, after: { 结果: rejectionReason } })
        })
      })
    },
    async removeMany({ ids, projectId, states }, context) {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      return context.write(recordQueries, async (rows, recordAudit) => {
        const list = (await rows.lockRecords(projectId, ids)).map(addRowName)
        const removeRows = (recordRows: typeof list) => rows.remove(projectId, getIds(recordRows))
        return applyPerRow(
          ids,
          list,
          (row) => getStaleRefusal(row, { state: states?.[row.id] }, '删除'),
          async (removableRows) => {
            await removeRows(removableRows)
            for (const { id, name } of removableRows)
              recordAudit({ entity, id, name, before: { 序列号: name } })
          },
        )
      })
    },
  })
}

/** Approves a record: its device is registered, or moves to the gateway that reported it. */
const prepareApproval =
  (
    { id, projectId, name, spaceId, ...reviewedState }: ApprovalInput,
    actor: string,
  ): WriteCallback<typeof recordQueries, Approval> =>
  async (rows, recordAudit, tx) => {
    const row = requireRow((await rows.many(projectId, [id]))[0], entity)
    const refusal = getApprovalRefusal(row) ?? getStaleRefusal(row, reviewedState, '通过')
    if (refusal) throw createRefusal(refusal)
    const { productKey, deviceName, gatewayId } = row
    const tree = createTree(await rows.spaces(projectId))
    if (spaceId && !tree.get(spaceId))
      throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
    const floorId = tree.path(spaceId).findLast(({ type }) => type === 'floor')?.id ?? null
    const gatewayFields = gatewayId ? { gatewayId } : {}
    const deviceFields = { name, spaceId, floorId, ...gatewayFields }
    const decision = { state: 'approved' as const, reason: '', decideBy: actor }
    if (!(await rows.saveDecision(row, decision))) throw createRefusal('这条记录刚被处理过，请刷新')
    if (row.deviceId) await rows.assignDevice({ projectId, id: row.deviceId }, deviceFields, actor)
    else await registerDevice(tx, row, deviceFields, actor)
    recordAudit({
      entity,
      id,
      name: deviceName,
      after: { 结果: '通过', 设备名称: name, 网关: row.gatewayName ?? '' },
    })
    if (gatewayId) await rows.markConflicts(row, boundElsewhereText)
    const previousGatewayId = gatewayId && row.ownerId !== gatewayId ? row.ownerId : null
    return { identity: { productKey, deviceName }, previousGatewayId }
  }

async function registerDevice(tx: Db, row: RecordRow, fields: DeviceFields, createBy: string) {
  const { projectId, productId, productKey, deviceName } = row
  // A registration counts against the quota of this project's rule, never against that of another project.
  const rule = await ruleQueries(tx).findRule(productKey, projectId)
  const newDevice = { ...fields, projectId, productId: productId!, deviceName, createBy }
  if (!(await insertDevice(tx, rule, newDevice, productKey)))
    throw createRefusal('名额已用完，请先在规则里增加剩余名额')
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof recordQueries>['many']>>[number]

const addRowName = (row: RecordRow) => ({ ...row, name: row.deviceName })

function getApprovalRefusal(row: RecordRow) {
  if (!row.productId) return '产品已被删除'
  if (row.state === 'done' || row.state === 'approved') return '已经注册，不用审批'
  if (row.deviceProject !== null && row.deviceProject !== row.projectId)
    return '这个序列号已登记在另一个项目'
  if (row.deviceId && !row.gatewayId) return '这台设备已经登记，不用审批'
  if (!row.deviceId && row.productStatus === 'disabled') return productDisabledText
  if (row.gatewayId && row.gatewayName === null) return '网关已被删除'
  return undefined
}

/** A decision requires that the state and the current gateway of the device are still those that the user saw. */
function getStaleRefusal(
  row: RecordRow,
  reviewed: { state?: RegistrationState; ownerId?: string | null },
  verb: string,
) {
  const isSame =
    (reviewed.state === undefined || row.state === reviewed.state) &&
    (reviewed.ownerId === undefined || row.ownerId === reviewed.ownerId)
  if (isSame) return undefined
  const reasonText = row.reason ? `：${row.reason}` : ''
  return `这条记录现在是“${registrationStateText[row.state]}”${reasonText}，请刷新后看过再${verb}`
}

function toResponseRecord(row: RecordRow): RegistrationRecord {
  const { productName, productStatus: _, gatewayName, ownerName, ...remainingFields } = row
  const { deviceId, deviceTitle, spaceId, payload, ...rest } = remainingFields
  return {
    ...rest,
    productName: productName ?? '',
    gatewayName: gatewayName ?? '',
    payload: payload ?? null,
    device: deviceId
      ? { name: deviceTitle!, spaceId, gatewayId: row.ownerId, gatewayName: ownerName ?? '' }
      : null,
  }
}
