import type { APIRequestContext } from '@playwright/test'
import { sender, unique } from './lists'

/** Returns a project as the server accepts it. */
export const project = (change: object = {}) => ({
  name: unique('项目'),
  code: unique('p'),
  groupName: '测试片区',
  type: 'office',
  areaCode: '440305',
  address: '',
  longitude: null,
  latitude: null,
  area: null,
  manager: '',
  phone: '',
  calendarId: null,
  sort: 99,
  ...change,
})

/** Returns a function that creates projects and their spaces. */
export const poster = (api: APIRequestContext) => (path: string, data: object) =>
  sender(api)<{ id: string; projectId: number }>('post', path, data)
