import type { APIRequestContext } from '@playwright/test'
import { createSender, createUniqueName } from './listHelpers'

/** Returns a project as the server accepts it. */
export const createProjectDraft = (change: object = {}) => ({
  name: createUniqueName('项目'),
  code: createUniqueName('p'),
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
export const createPoster = (api: APIRequestContext) => (path: string, data: object) =>
  createSender(api)<{ id: string; projectId: number }>('post', path, data)
