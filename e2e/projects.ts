import type { APIRequestContext } from '@playwright/test'
import { sender, unique } from './lists'

/** A project as the server takes it. */
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

/** Makes projects and what stands in them. */
export const poster = (api: APIRequestContext) => (path: string, data: object) =>
  sender(api)<{ id: string; projectId: number }>('post', path, data)
