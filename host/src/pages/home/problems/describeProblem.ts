import type { Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'

export const getPlaceName = ({ spaceId, floorId }: Problem, tree: SpaceTree) =>
  tree.nameOf(spaceId || floorId || '')

/** Tells what the problem prevents and what helps. */
export const problemAdvice: Record<ProblemKind, string> = {
  edge: '其下设备不能控制，请检查网关的电源和网络',
  fault: '请安排检修',
  failed: '命令没有执行，检查设备后重试',
  timeout: '设备没有应答，检查设备后重试',
  scene: '请查看原因，并在交接中确认',
  backup: '请查看备份',
  offline: '不能控制，请检查设备的电源和网络',
  lit: '可以关灯',
}
