export const projectStatusText = {
  preparing: '筹建',
  commissioning: '调试',
  running: '运行',
  stopped: '停用',
}
export type ProjectStatus = keyof typeof projectStatusText

/** Allowed transitions of the project status. */
const statusTransitions: Record<ProjectStatus, ProjectStatus[]> = {
  preparing: ['commissioning'],
  commissioning: ['running', 'preparing', 'stopped'],
  running: ['commissioning', 'stopped'],
  stopped: ['running', 'commissioning'],
}
export const listNextStatuses = (status: ProjectStatus) => statusTransitions[status]

/** Operations that a project status may forbid. Reported values are stored in every status. */
export type ProjectOperation = 'control' | 'schedule' | 'register' | 'remove' | 'report'

const forbiddenReasons: Record<ProjectStatus, Partial<Record<ProjectOperation, string>>> = {
  preparing: {
    schedule: '项目在筹建，场景不自动执行',
    report: '项目在筹建，首页不报告问题',
  },
  commissioning: {
    remove: '项目在调试，退回筹建或停用后才能删除',
    report: '项目在调试，首页不报告问题',
  },
  running: { remove: '项目在运行，停用后才能删除' },
  stopped: {
    control: '项目已停用，不能控制设备和执行场景',
    schedule: '项目已停用，场景不自动执行',
    register: '项目已停用，不能登记或移入设备',
    report: '项目已停用，首页不报告问题',
  },
}
/** Returns why the status forbids an operation; undefined if it is allowed. */
export const validateProjectOperation = (
  status: ProjectStatus,
  operation: ProjectOperation,
): string | undefined => forbiddenReasons[status][operation]

/** Explains each status to the user who chooses it. */
export const projectStatusHint: Record<ProjectStatus, string> = {
  preparing: '可以登记设备、手动控制；场景不按定时和条件自动执行，首页不报告问题。',
  commissioning: '都可以使用，用来试灯和试场景；首页不报告问题，不能删除。',
  running: '都可以使用；不能删除。',
  stopped: '不能控制设备、执行场景、登记设备，首页不报告问题；设备上报的数据照常保留。',
}

export const projectTypeText = {
  office: '办公楼',
  park: '园区',
  commerce: '商业综合体',
  hotel: '酒店',
  hospital: '医院',
  school: '学校',
  factory: '工厂',
  venue: '场馆',
  transport: '交通枢纽',
  residence: '住宅',
  other: '其他',
}
export type ProjectType = keyof typeof projectTypeText
