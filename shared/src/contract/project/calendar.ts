import type { Calendar } from './calendar.schema'

export const daySourceText = { week: '按每周休息', manual: '手动', imported: '国务院安排' }

/**
 * Returns true if a project, its scenes and its calendars may use the calendar: it is shared or belongs to the project.
 */
export const canUseCalendar = (
  projectId: number | null,
  calendar: Pick<Calendar, 'projectId'>,
): boolean => calendar.projectId === null || calendar.projectId === projectId

export const calendarDayTitles = {
  date: '日期',
  type: '类型',
  name: '名称',
  source: '来源',
  updateBy: '更新人',
  updateTime: '更新时间',
}
