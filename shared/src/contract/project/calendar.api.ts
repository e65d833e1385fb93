import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { calendarSchemas, holidaySchemas } from './calendar.schema'

const calendars = resource('enterprise', 'calendar', '日历')

export const calendarApi = defineApi<typeof calendarSchemas>({
  /** Returns the shared calendars and those of the caller's projects; `projectId` limits them to one project. */
  page: calendars.page(),
  list: calendars.options(),
  create: calendars.create(),
  update: calendars.update(),
  remove: calendars.remove(),
})

export const holidayApi = defineApi<typeof holidaySchemas>({
  /**
   * `published` says that the platform knows the holidays of that year; `missing` counts those that the calendar lacks.
   */
  year: {
    method: 'GET',
    path: '/v1/calendar/{id}/year/{year}',
    title: '查看节假日',
    permission: 'enterprise:calendar:list',
  },
  set: {
    method: 'POST',
    path: '/v1/calendar/{id}/day',
    title: '设置日期',
    permission: 'enterprise:holiday:edit',
  },
  /** Resets days to what the week or the parent calendar defines. */
  clear: {
    method: 'POST',
    path: '/v1/calendar/{id}/day/clear',
    title: '恢复日期',
    permission: 'enterprise:holiday:edit',
  },
  preview: {
    method: 'GET',
    path: '/v1/calendar/{id}/import/{year}',
    title: '比较节假日',
    permission: 'enterprise:holiday:import',
  },
  importYear: {
    method: 'POST',
    path: '/v1/calendar/{id}/import',
    title: '导入节假日',
    permission: 'enterprise:holiday:import',
  },
  /** Compares the days of a file with those of the calendar; only the dates of the file are concerned. */
  previewFile: {
    method: 'POST',
    path: '/v1/calendar/{id}/file/preview',
    title: '比较文件里的节假日',
    reads: true,
    permission: 'enterprise:holiday:import',
  },
  importFile: {
    method: 'POST',
    path: '/v1/calendar/{id}/file',
    title: '从文件导入节假日',
    permission: 'enterprise:holiday:import',
  },
})
