import type { BulkRequest, ControlRequest } from '@iot/shared/contract/control/control.schema'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/http/context'
import { createRefusal } from '../../core/refusal'
import { assertProjectAllows } from '../project/policy'
import { planBulkRequest } from './plan'
import { assertCanControl, getRequestPermission, type ControlPermission } from './policy'

/**
 * Checks what a command that starts now and one that starts later have in common.
 * @param refusal why this way of starting does not allow the request
 * @returns the permission that the request needs
 */
export async function assertCanStart(
  { db }: FastifyInstance,
  request: ControlRequest,
  context: Context,
  refusal: string | false | undefined,
) {
  const { projectId } = request
  const permission = getRequestPermission(request)
  assertCanControl(context, projectId, permission)
  if (refusal) throw createRefusal(refusal)
  await assertProjectAllows(db, projectId, 'control')
  return permission
}

/** Plans a request from the states of the devices at this moment. */
export async function planCurrentStates(
  { db, devices }: FastifyInstance,
  request: BulkRequest,
  permission: ControlPermission,
) {
  await devices.states.flush()
  return planBulkRequest(db, request, permission)
}
