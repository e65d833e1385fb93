import type { AlarmRuleDraft } from '@iot/shared/contract/alarm/alarmRule.schema'
import { getPastTime } from '@iot/shared/contract/duration'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import type { DeviceRow } from '../../device-access/testing'
import { task } from '../../tables/task'

/** Returns a rule of project 1 that reports lamps of a product above 80 % at once. */
export const createBrightRule = (productId: string): AlarmRuleDraft => ({
  name: '太亮',
  severity: 'major',
  projectId: 1,
  spaceId: null,
  groupId: null,
  productId,
  source: {
    kind: 'threshold',
    identifier: 'Brightness',
    operator: 'gt',
    value: 80,
    recoverValue: null,
  },
  forMinutes: 0,
  recoverMinutes: 0,
  status: 'enabled',
  description: '',
})

/** Returns the event by which a lamp of project 1 reports a fault. */
export const createFaultEvent = ({ id, productId }: DeviceRow, spaceId: string) => ({
  projectId: 1,
  productId,
  spaceId,
  deviceId: id,
  identifier: 'Error',
  type: 'error' as const,
  text: '故障',
})

/** Stores a control task that has just ended and failed, unless the row says otherwise. */
export async function insertDoneTask(
  db: Db,
  {
    doneTime = getPastTime(0),
    counts = { failed: 1 },
    ...row
  }: Pick<typeof task.$inferInsert, 'title' | 'projectId'> &
    Partial<Pick<typeof task.$inferSelect, 'counts'>> & { doneTime?: string },
) {
  const id = uuidv7()
  await db.insert(task).values({
    ...row,
    id,
    kind: 'control',
    createBy: 'test',
    status: 'done',
    counts,
    total: 1,
    reason: '',
    listed: true,
    claimedBy: '',
    detail: {},
    createTime: doneTime,
    updateTime: doneTime,
    doneTime,
  })
  return id
}
